"""Work in this very process, for tests whose stand-ins remember what they were asked."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from inspect import isgenerator
from typing import Any, TypeVar

from liftq.compute import Compute

Value = TypeVar("Value")


class Here(Compute):
    def share(self, value: Value) -> Value:
        return value

    def submit(self, function: Callable[..., Any], *arguments: Any, gpu: bool = False) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            result = function(*arguments)
            future.set_result(list(result) if isgenerator(result) else result)
        except Exception as error:
            future.set_exception(error)
        return future

    def stop(self) -> None:
        pass
