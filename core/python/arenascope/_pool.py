"""Processes that work on chunks. One that dies is replaced, and its chunk handed back, where the standard library's pool gives up all of them."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from multiprocessing.connection import Connection, wait
from typing import Any, Callable, List, Optional, Tuple

#: A worker is a fresh interpreter: it runs nothing of the caller's script, which so needs no guard and may be a notebook.
_CODE = "from arenascope._pool import serve; serve(int(__import__('sys').argv[1]))"


def serve(descriptor: int) -> None:
    """What a worker does until its driver is gone; what is stored by then stays."""
    # Ctrl-C is the driver's, which ends the others
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    pipe = Connection(descriptor)
    while True:
        try:
            function, args = pipe.recv()
        except (EOFError, OSError):
            return
        try:
            answer = (function(*args), None)
        except Exception as error:  # it is the driver's to judge
            answer = (None, error)
        try:
            pipe.send(answer)
        except OSError:
            return


class _Worker:
    def __init__(self) -> None:
        here, there = socket.socketpair()
        paths = os.pathsep.join(path for path in sys.path if path)
        self.process = subprocess.Popen(
            [sys.executable, "-c", _CODE, str(there.fileno())],
            pass_fds=[there.fileno()],
            stdin=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": paths},
        )
        there.close()
        self.pipe = Connection(here.detach())
        self.chunk: Optional[List[Any]] = None

    def end(self) -> None:
        self.pipe.close()
        self.process.kill()
        self.process.wait()


class Pool:
    """workers: None for as many as there are cores."""

    def __init__(self, workers: Optional[int] = None):
        self._most = workers or os.cpu_count() or 1
        self._workers: List[_Worker] = []

    def _idle(self) -> Optional[_Worker]:
        return next((worker for worker in self._workers if worker.chunk is None), None)

    def free(self) -> bool:
        return self._idle() is not None or len(self._workers) < self._most

    def submit(self, chunk: List[Any], function: Callable, *args: Any) -> None:
        worker = self._idle()
        if worker is None:
            worker = _Worker()
            self._workers.append(worker)
        worker.chunk = chunk
        try:
            worker.pipe.send((function, args))
        except OSError:
            # it has died idle: wait() tells
            pass

    def wait(self) -> Optional[Tuple[List[Any], Optional[Any]]]:
        """The next chunk that has ended, with its result, or None if its worker has died. None: nothing is under way. Raises what the function raised."""
        busy = {worker.pipe: worker for worker in self._workers if worker.chunk is not None}
        if not busy:
            return None
        worker = busy[wait(list(busy))[0]]
        chunk, worker.chunk = worker.chunk, None
        try:
            result, error = worker.pipe.recv()
        except (EOFError, OSError):
            self._workers.remove(worker)
            worker.end()
            return chunk, None
        if error is not None:
            raise error
        return chunk, result

    def close(self) -> None:
        for worker in self._workers:
            worker.end()
