"""The loop of a worker process: calls arrive on a channel, results and warnings go back."""

from __future__ import annotations

import os
import pickle
import select
import threading
import traceback
import warnings
from collections.abc import Generator
from multiprocessing.connection import Connection
from typing import Any
from uuid import uuid4

from liftq.errors import InputError


class Shared:
    """An argument of many calls: each process receives and unpickles it once."""

    _values: dict[str, Any] = {}  # noqa: RUF012 - of this process, by key

    def __init__(self, value: Any) -> None:
        self.key = uuid4().hex
        self.pickled: bytes | None = pickle.dumps(value)

    @property
    def known(self) -> Shared:
        """A reference without the value, for a process that has it already."""
        known = Shared.__new__(Shared)
        known.key, known.pickled = self.key, None
        return known

    @property
    def value(self) -> Any:
        if self.key not in Shared._values:
            assert self.pickled is not None
            Shared._values[self.key] = pickle.loads(self.pickled)
        return Shared._values[self.key]


def serve(channel: Connection) -> None:
    """Serves calls until the other end is closed."""
    threading.Thread(target=_end_with_caller, args=(channel.fileno(),), daemon=True).start()
    os.chdir(channel.recv())

    def forward(message: Warning | str, category: type[Warning], *_: Any) -> None:
        channel.send(("warning", (str(message), category)))

    warnings.showwarning = forward  # type: ignore[assignment]
    while True:
        try:
            call = channel.recv_bytes()
        except EOFError:
            return
        try:
            _answer(channel, call)
        except Exception as error:
            _raise_there(channel, error)


def _end_with_caller(channel: int) -> None:
    """Ends this process, even in the middle of a call. Its guard does the same, but may be killed first."""
    hung_up = select.poll()
    hung_up.register(channel, 0)
    hung_up.poll()
    os._exit(0)


def _answer(channel: Connection, call: bytes) -> None:
    function, arguments = pickle.loads(call)
    result = function(*(argument.value if isinstance(argument, Shared) else argument for argument in arguments))
    if isinstance(result, Generator):
        for item in result:
            channel.send(("item", item))
        channel.send(("items", None))
    else:
        channel.send(("result", result))


def _raise_there(channel: Connection, error: Exception) -> None:
    is_input = isinstance(error, InputError)
    if not is_input:
        error.add_note("".join(traceback.format_exception(error)))
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:  # exceptions with extra arguments often cannot be pickled
        error = InputError(str(error)) if is_input else RuntimeError(f"{type(error).__name__}: {error}")
    channel.send(("error", error))
