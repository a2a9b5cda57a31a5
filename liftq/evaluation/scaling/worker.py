"""A worker process: evaluates the sizes that it is told on standard input, and writes each record as it comes.

Runs as `python -m liftq.evaluation.scaling.worker`; the first line that it is told holds its settings. Standard input
is also the lifeline: where it ends, so does this process.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from queue import SimpleQueue
from typing import Any

from liftq.errors import InputError
from liftq.evaluation.scaling.protocol import Scaling
from liftq.evaluation.solvers import load_solver, make_importable
from liftq.problems.loading import load_domain

Settings = dict[str, Any]  # from which every process makes the same `Scaling`, in JSON


def main() -> None:
    output = os.dup(1)
    os.dup2(2, 1)  # whatever a solver prints must not mix with the records
    orders: SimpleQueue[str] = SimpleQueue()
    threading.Thread(target=_listen, args=(orders,), daemon=True).start()
    try:
        _work(json.loads(orders.get()), orders, output)
    except InputError as error:
        _send(output, {"error": str(error)})


def scaling_of(settings: Settings) -> Scaling:
    known = frozenset(settings["known"])
    source = load_domain(settings["domain"])
    return Scaling(source, settings["solver"], settings["seed"], settings["steps_beyond"], known)


def _work(settings: Settings, orders: SimpleQueue[str], output: int) -> None:
    make_importable(settings["import_from"])
    scaling = scaling_of(settings)
    solver = load_solver(settings["load"], judged=True)
    _send(output, {"ready": settings["solver"]})
    while True:
        order = json.loads(orders.get())
        end = time.monotonic() + order["seconds"]
        for record in scaling.evaluate_size(solver, order["size"], order["solved"]):
            _send(output, {"record": json.loads(record.line())})
            if time.monotonic() > end:
                break
        _send(output, {"finished": order["size"]})


def _listen(orders: SimpleQueue[str]) -> None:
    for line in sys.stdin:
        orders.put(line)
    os._exit(0)  # the caller is gone or has no more work: nobody waits for what may be going on


def _send(output: int, message: dict[str, Any]) -> None:
    os.write(output, json.dumps(message).encode() + b"\n")  # a pipe: whole, as nobody else writes to it


if __name__ == "__main__":
    main()
