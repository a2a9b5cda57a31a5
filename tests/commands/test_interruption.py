"""SIGTERM stops as Ctrl-C does, in the background of a script too."""

from __future__ import annotations

import signal

import pytest

from liftq.commands.interruption import terminated_as_interrupted


@pytest.mark.parametrize("handler", [signal.default_int_handler, signal.SIG_IGN], ids=["foreground", "background"])
def test_termination_interrupts(handler: signal.Handlers) -> None:
    before = signal.getsignal(signal.SIGTERM), signal.signal(signal.SIGINT, handler)
    try:
        with pytest.raises(KeyboardInterrupt), terminated_as_interrupted():
            signal.raise_signal(signal.SIGTERM)
        assert signal.getsignal(signal.SIGTERM) == before[0]
    finally:
        signal.signal(signal.SIGINT, before[1])
