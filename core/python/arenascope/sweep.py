"""Many searches, each once: rows in Parquet by content, on one machine or many (core/python/SWEEPS.md)."""

from __future__ import annotations

import itertools
import json
import math
import os
import random
import time
from collections import deque
from pathlib import Path
from typing import Any, Deque, Dict, Iterable, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

from . import _core
from . import _store as store_of
from ._pool import Pool
from ._work import Task, key_of, solve_task, work
from .problem import Problem, _texts

#: Seconds that a chunk is meant to take: what a killed worker loses at most, but for the search under way.
CHUNK_SECONDS = 1.0
_FIRST_CHUNK = 16
_MOST = 50_000

Capacity = Union[int, float]


class Swept(NamedTuple):
    """asked: rows of the grid; stored: those that were there already; solved: those of this call."""

    asked: int
    stored: int
    solved: int


def _named(instances: Union[Mapping[str, Problem], Iterable[Union[Problem, str, os.PathLike]]]) -> Dict[str, Problem]:
    if isinstance(instances, Mapping):
        return dict(instances)
    problems = [one if isinstance(one, Problem) else Problem.read(one) for one in instances]
    found = {problem.name: problem for problem in problems}
    if len(found) < len(problems):
        raise ValueError("two instances have the same name: give a dictionary of names")
    return found


def _bytes(capacity: Capacity, bound: int) -> int:
    return max(1, math.ceil(capacity * bound)) if isinstance(capacity, float) else int(capacity)


def _bound_in(problem: Problem, profile: Optional[str]) -> int:
    """Where the profile does not take the problem, that of the problem alone: the search, once it is run, says why."""
    if profile is None:
        return problem.lower_bound
    try:
        return problem.with_profile(profile).lower_bound
    except ValueError:
        if all(one["id"] != profile for one in _core.profiles()):
            raise
        return problem.lower_bound


def grid(
    instances,
    *,
    capacities: Sequence[Capacity] = (1.0,),
    solvers: Sequence[str] = ("exact",),
    options: Sequence[Mapping[str, object]] = ({},),
    seeds: Iterable[int] = (1,),
    profiles: Sequence[Optional[str]] = (None,),
    goal: str = "fit",
    budget: int = 0,
) -> Iterator[Tuple[Problem, Task]]:
    """Each search of the product with its problem. A capacity that is a float is a multiple of the problem's lower bound in that profile."""
    seeds = list(seeds)
    texts = [json.dumps(_texts(one), sort_keys=True, separators=(",", ":")) for one in options]
    for name, problem in _named(instances).items():
        digest = problem.digest
        for profile in profiles:
            bound = _bound_in(problem, profile)
            for capacity, solver, option, seed in itertools.product(capacities, solvers, texts, seeds):
                asked = (digest, profile or "", _bytes(capacity, bound), solver, option, int(seed), goal, int(budget))
                yield problem, Task(key_of(asked), name, *asked)


class _Chunks:
    """Chunks of searches of about a second, by what those before took."""

    def __init__(self, tasks: Iterator[Task], seconds: float):
        self._tasks = tasks
        self._seconds = seconds
        self._each: Optional[float] = None
        self._again: Deque[List[Task]] = deque()

    def next(self) -> List[Task]:
        if self._again:
            return self._again.popleft()
        size = _FIRST_CHUNK if self._each is None else int(self._seconds / self._each)
        return list(itertools.islice(self._tasks, max(1, min(_MOST, size))))

    def took(self, seconds: float, count: int) -> None:
        each = max(seconds / max(1, count), 1e-7)
        self._each = each if self._each is None else (self._each + each) / 2

    def again(self, tasks: List[Task]) -> None:
        """A chunk whose worker is lost: in halves, so that one search that kills its worker ends up alone."""
        half = len(tasks) // 2
        self._again.extend(part for part in (tasks[:half], tasks[half:]) if part)


def sweep(
    instances,
    *,
    store: Union[str, os.PathLike],
    client: Any = None,
    workers: Optional[int] = None,
    chunk_seconds: float = CHUNK_SECONDS,
    **product,
) -> Swept:
    """Solves what is not yet stored of the product of instances, capacities, solvers, options, seeds and profiles (see grid).

    store: a folder, on a file system that all workers see; it may be shared by several sweeps, and a search that is in it is never run again. Rows are
    stored by the workers about once a second, whole files at a time: who is killed, worker or driver, loses nothing that was stored. client: Dask's
    Client, or any executor with submit(); without one, processes of this machine, as many as workers says or there are cores.
    """
    folder = Path(store)
    done = store_of.keys(folder)
    asked = stored = 0
    written = set()

    def missing() -> Iterator[Task]:
        nonlocal asked, stored
        for problem, task in grid(instances, **product):
            asked += 1
            if task.key in done:
                stored += 1
                continue
            if task.problem not in written:
                store_of.put_problem(folder, problem)
                written.add(task.problem)
            # equal searches of the grid are one
            done.add(task.key)
            yield task

    chunks = _Chunks(missing(), chunk_seconds)
    pool = Pool(workers) if client is None else _Executor(client)
    solved = 0
    try:
        while True:
            while pool.free() and (chunk := chunks.next()):
                pool.submit(chunk, work, str(folder.resolve()), chunk, chunk_seconds)
            ended = pool.wait()
            if ended is None:
                break
            chunk, result = ended
            if result is not None:
                solved += result[1]
                chunks.took(*result)
            elif len(chunk) > 1:
                # some of it may have been stored before the end
                there = store_of.keys(folder)
                left = [task for task in chunk if task.key not in there]
                solved += len(chunk) - len(left)
                chunks.again(left)
            else:
                store_of.put_rows(folder, [chunk[0].row(outcome="failed", error="its worker ended without a word")])
                solved += 1
    finally:
        pool.close()
    return Swept(asked, stored, solved)


class _Executor:
    """Futures of an executor that may be on other machines. Dask's come back by themselves when a worker is lost."""

    def __init__(self, client: Any):
        self._client = client
        self._futures: Dict[Any, List[Task]] = {}
        threads = getattr(client, "nthreads", None)
        count = sum(threads().values()) if callable(threads) else getattr(client, "_max_workers", os.cpu_count() or 1)
        self._most = 2 * max(1, count)

    def free(self) -> bool:
        return len(self._futures) < self._most

    def submit(self, chunk: List[Task], function, *args) -> None:
        self._futures[self._client.submit(function, *args)] = chunk

    def wait(self):
        while self._futures:
            for future in list(self._futures):
                if future.done():
                    chunk = self._futures.pop(future)
                    # what a chunk throws is a defect, or the executor's own end
                    return chunk, future.result()
            time.sleep(0.005)
        return None

    def close(self) -> None:
        for future in self._futures:
            future.cancel()


def audit(store: Union[str, os.PathLike], *, share: float = 0.01, seed: int = 0) -> List[Dict[str, Any]]:
    """Runs a share of the rows once more, here, and returns those whose digest, outcome or height is another one: none, on any machine."""
    folder = Path(store)
    rows = [row for row in store_of.rows(folder) if row["outcome"] != "failed"]
    chosen = random.Random(seed).sample(rows, min(len(rows), math.ceil(share * len(rows))))
    problems: Dict[str, Problem] = {}
    differing = []
    for row in chosen:
        again = solve_task(folder, Task.of(row), problems)
        if any(again[name] != row[name] for name in ("digest", "outcome", "height", "steps")):
            differing.append({**row, "again": again})
    return differing
