"""Games of a simulation in other processes: in chunks, so many at once and no more, given back in their order.

Any `Executor` will do: processes of this machine here, a Dask cluster in `engines.cluster`.
"""

from __future__ import annotations

import atexit
import gc
import os
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from itertools import islice
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection
from queue import SimpleQueue
from threading import Thread
from typing import Any, TypeVar

from engines.kit.errors import WorkerLost
from engines.programs import RunningPrograms
from engines.simulation import Plan, Result, results

#: The most games of a chunk.
MOST_OF_CHUNK = 16

T = TypeVar("T")

#: So many chunks a worker are under way at once.
AHEAD = 4


def cores() -> int:
    """How many processes can run at once."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def chunks(numbers: Iterable[int], end: int, width: int) -> Iterator[tuple[int, ...]]:
    """The numbers, all below `end`, in chunks, smaller ones at the end, so that no worker ends last by far."""
    rest = iter(numbers)
    left = end
    while chunk := tuple(islice(rest, max(1, min(MOST_OF_CHUNK, left // (AHEAD * width))))):
        left = end - chunk[-1] - 1
        yield chunk


def spread(
    executor: Executor, width: int, plan: Plan, numbers: Iterable[int], end: int, *, drafts: bool
) -> Iterator[Result]:
    """What came of the games of these numbers, all below `end`, in order, played by `width` workers.

    :raises WorkerLost: a worker is gone; ProgramRefused: a seat's program cannot be started
    """
    waiting: deque[Future[list[Result]]] = deque()
    for chunk in chunks(numbers, end, width):
        waiting.append(executor.submit(_played, plan, chunk, drafts=drafts))
        if len(waiting) >= AHEAD * width:
            yield from waiting.popleft().result()
    while waiting:
        yield from waiting.popleft().result()


#: The programs that play seats in a worker, all through its life: none or one of these.
_running: list[RunningPrograms] = []


def _played(plan: Plan, numbers: tuple[int, ...], *, drafts: bool) -> list[Result]:
    """In a worker: what came of the games of these numbers."""
    if plan.programs and not _running:
        _running.append(RunningPrograms(plan.programs.__getitem__, None))
        atexit.register(_running[0].close)
    return results(plan, numbers, drafts=drafts, programs=_running[0] if _running else None)


def _leave(*_: object) -> None:
    """Ends a worker at once, and the programs that it runs."""
    for programs in _running:
        programs.kill()
    os._exit(1)


def _begin() -> None:
    """How a worker begins: it ends with its parent, however that ends."""
    gc.enable()  # the command line does without
    signal.signal(signal.SIGTERM, _leave)
    parent = parent_process()
    assert parent is not None

    def follow() -> None:
        parent.join()
        _leave()

    Thread(target=follow, daemon=True).start()


def _work(pipe: Connection) -> None:
    """In a worker: does what comes through the pipe, until nothing more can come."""
    _begin()
    with suppress(EOFError):
        while True:
            work, what, how = pipe.recv()
            try:
                answer = True, work(*what, **how)
            except Exception as error:  # whatever it is, it is who asked that has to know
                answer = False, error
            pipe.send(answer)


class _Worker:
    """A process and the pipe to it, which is its own: one that is killed leaves no other one's answers torn."""

    def __init__(self) -> None:
        context = get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_work, args=(theirs,), daemon=True)
        self._process.start()
        theirs.close()

    def do(self, task: tuple[Any, ...]) -> Any:
        """What comes of a task.

        :raises WorkerLost: the process is gone
        """
        try:
            self._pipe.send(task)
            done, answer = self._pipe.recv()
        except (EOFError, OSError) as error:
            raise WorkerLost(
                "a process that played games was killed", "it may have been short of memory: try fewer --workers"
            ) from error
        if not done:
            raise answer
        return answer

    def stop(self) -> None:
        """Ends the process at once."""
        self._process.terminate()

    def leave(self) -> None:
        """Lets the process end, and waits until it has."""
        self._pipe.close()
        self._process.join()


class _Processes(Executor):
    """So many workers, each with a thread here that waits for it."""

    def __init__(self, count: int) -> None:
        self.workers = [_Worker() for _ in range(count)]
        self._idle: SimpleQueue[_Worker] = SimpleQueue()
        for worker in self.workers:
            self._idle.put(worker)
        self._threads = ThreadPoolExecutor(count)

    def _do(self, *task: Any) -> Any:
        worker = self._idle.get()
        try:
            return worker.do(task)
        finally:
            self._idle.put(worker)

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        """Does something in the next worker that is idle."""
        return self._threads.submit(self._do, fn, args, kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Ends the workers; waits for what they are doing."""
        self._threads.shutdown(wait, cancel_futures=cancel_futures)
        for worker in self.workers:
            worker.leave()


@contextmanager
def processes(count: int) -> Generator[Executor]:
    """So many processes of this machine; stopped at once if the block is left by an error or an interruption."""
    heard = signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interruption is this process's: they inherit that
    try:
        pool = _Processes(count)
    finally:
        signal.signal(signal.SIGINT, heard)
    try:
        yield pool
    except BaseException:
        for worker in pool.workers:
            worker.stop()
        raise
    finally:
        pool.shutdown(cancel_futures=True)
