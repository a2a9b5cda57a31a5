"""Work on a Ray cluster: pieces are tasks, which Ray repeats on another machine if theirs is lost."""

from __future__ import annotations

import os
import re
import socket
from collections.abc import Callable
from concurrent.futures import Future
from importlib import metadata
from typing import Any

from liftq.compute import Compute, Result
from liftq.compute.worker import Lost, Workers, alone
from liftq.errors import InputError
from liftq.parts.code import trust, trusted

try:
    import ray
except ImportError as error:
    raise InputError("Ray is not installed\n  Install it with: pip install 'liftq[ray]'") from error

HERE = "local"  # instead of an address: a new cluster of this machine alone
HOST_AND_PORT = re.compile(r"(?:ray://)?([^/\s]+):(\d+)")
WORKERS = Workers()  # of one Ray process
RETRIES = 10  # of a piece if its machine is lost


class Ray(Compute):
    def __init__(self, address: str, jobs: int) -> None:
        """With 0 jobs, there are as many as the cluster has cores."""
        _connect(address)
        super().__init__(jobs or max(1, int(ray.cluster_resources().get("CPU", 1))))
        self._call = ray.remote(max_retries=RETRIES, num_cpus=1)(_call)
        self._running: dict[Future[Any], Any] = {}

    def share(self, value: Result) -> Result:
        stored: Result = ray.put(super().share(value))  # a reference; Ray replaces it by the value on the worker
        return stored

    def submit(self, function: Callable[..., Any], *arguments: Any, gpu: bool = False) -> Future[Any]:
        future: Future[Any] = Future()
        gpus = int(gpu and ray.cluster_resources().get("GPU", 0) > 0)
        reference = self._call.options(num_gpus=gpus).remote(metadata.version("liftq"), trusted(), function, *arguments)
        self._running[future] = reference
        future.add_done_callback(lambda done: self._running.pop(done, None))
        reference.future().add_done_callback(lambda answer: _pass_on(answer, future))
        return future

    def stop(self) -> None:
        for reference in list(self._running.values()):
            ray.cancel(reference, force=True)  # kills its process; those that it started end with it


def _connect(address: str) -> None:
    if ray.is_initialized():
        return
    place = {"include_dashboard": False} if address == HERE else {"address": address}
    try:
        if match := HOST_AND_PORT.fullmatch(address):  # Ray would retry for many minutes
            socket.create_connection((match[1], int(match[2])), timeout=10).close()
        ray.init(**place, log_to_driver=False, logging_level="ERROR")
    except (OSError, OverflowError, RuntimeError, ValueError) as error:
        raise InputError(f"no Ray cluster at {address}: {error}\n  Start one with: ray start --head") from error


def _call(version: str, names: list[str], function: Callable[..., Any], *arguments: Any) -> Any:
    """Runs on a machine of the cluster. InputError and Lost are returned, not raised: Ray would wrap them in a
    traceback, or mistake the loss of our worker process for that of its own."""
    if (here := metadata.version("liftq")) != version:
        return InputError(f"{ray.util.get_node_ip_address()} has liftq {here}, not {version}\n  Install the same one.")
    trust(*names)
    node = os.getppid()  # Ray's process on this machine
    try:
        answer = _by_worker(function, *arguments)
    except (InputError, Lost) as error:
        answer = error
    if os.getppid() != node:  # Ray is shutting down and has killed our workers first, so `Lost` is no real result
        os._exit(1)
    return answer


def _by_worker(function: Callable[..., Any], *arguments: Any) -> Any:
    if not ray.get_gpu_ids():
        return WORKERS.call(function, *arguments)
    with alone() as worker:  # a new process, as idle ones may have been started with other GPUs
        return worker.call(function, *arguments)


def _pass_on(answer: Future[Any], future: Future[Any]) -> None:
    error = answer.exception()
    if isinstance(error, ray.exceptions.RayTaskError):
        future.set_exception(error.cause)
    elif error is not None:
        future.set_exception(OSError(f"the cluster did not finish a piece of work: {error}"))
    elif isinstance(value := answer.result(), InputError | Lost):
        future.set_exception(value)
    else:
        future.set_result(value)
