"""Runs one command under a memory limit, and kills its process group when the command ends or our caller is gone.

`process` starts this script in a private folder as `python process_guard.py MEMORY_BYTES COMMAND...`. Planners start
processes in turn, which would survive if only the first one were killed. Standard input is the lifeline: it ends as
soon as the caller dies, even by SIGKILL; then the folder is removed too. Standard output receives only the exit code of
the command.
"""

from __future__ import annotations

import os
import resource
import signal
import sys
import threading
from typing import NoReturn


def main() -> None:
    memory_bytes, command = int(sys.argv[1]), sys.argv[2:]
    child = os.fork()
    if child == 0:
        start(command, memory_bytes)
    threading.Thread(target=wait_for_lifeline, daemon=True).start()
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    os.write(1, str(code).encode())
    end_group()


def start(command: list[str], memory_bytes: int) -> NoReturn:
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # a planner out of memory may abort: no dump of that size
    if memory_bytes:  # 0: no limit
        limit_memory(memory_bytes)
    try:
        os.execvp(command[0], command)
    except OSError as error:
        os.write(2, f"cannot start {command[0]}: {error}\n".encode())
        os._exit(127)


def limit_memory(memory_bytes: int) -> None:
    try:
        resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
    except (ValueError, OSError):  # macOS has no such limit
        os.write(2, b"the memory of planners cannot be limited on this system\n")


def wait_for_lifeline() -> None:
    while os.read(0, 1):
        pass
    import shutil  # slower to import than everything else here, and rarely needed

    shutil.rmtree(os.getcwd(), ignore_errors=True)
    end_group()


def end_group() -> None:
    os.killpg(0, signal.SIGKILL)  # the caller made this process the leader of a new session, so 0 is that group


if __name__ == "__main__":
    main()
