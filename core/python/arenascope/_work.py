"""What a worker of a sweep does with a chunk: searches, and rows stored about once a second."""

from __future__ import annotations

import hashlib
import json
import platform
import time
from pathlib import Path
from typing import Any, Dict, List, NamedTuple, Sequence, Tuple

from . import _core, _store
from .problem import _CHUNK, Problem


class Task(NamedTuple):
    """One search. problem: its digest; profile: '' for none; options: as JSON with sorted names."""

    key: str
    instance: str
    problem: str
    profile: str
    capacity: int
    solver: str
    options: str
    seed: int
    goal: str
    budget: int

    @classmethod
    def of(cls, row: Dict[str, Any]) -> "Task":
        return cls(*(row[name] for name in cls._fields))

    def row(self, **more: Any) -> Dict[str, Any]:
        empty = dict.fromkeys((name for name, _ in _store.COLUMNS), None)
        return {**empty, **self._asdict(), "version": _core.version, "host": _HOST, **more}


_HOST = platform.node()


def key_of(asked: Sequence[Any]) -> str:
    """BLAKE2b, 128 bits, of all that a search follows from, and the library's version."""
    return hashlib.blake2b(repr((*asked, _core.version)).encode(), digest_size=16).hexdigest()


#: Of the chunks before: a worker meets the same problems again and again.
_problems: Dict[str, Problem] = {}
_KEPT = 256


def _placed(folder: Path, task: Task, problems: Dict[str, Problem]) -> Problem:
    name = f"{task.problem} {task.profile}"
    found = problems.get(name)
    if found is None:
        text = (folder / "problems" / f"{task.problem}.csv").read_text()
        found = Problem.from_csv(text, task.instance)
        if task.profile:
            found = found.with_profile(task.profile)
        while len(problems) >= _KEPT:
            problems.pop(next(iter(problems)), None)
        problems[name] = found
    return found


def solve_task(folder: Path, task: Task, problems: Dict[str, Problem]) -> Dict[str, Any]:
    """The row of a search; what the library refuses is a row too."""
    try:
        problem = _placed(folder, task, problems)
        began = time.thread_time()
        run = _core.Run(problem._core, task.solver, task.capacity, task.goal, task.seed, task.budget, json.loads(task.options), False)
        while run.step(_CHUNK) == "running":
            pass
        seconds = time.thread_time() - began
        stats = run.stats()
    except (ValueError, MemoryError) as error:
        return task.row(outcome="failed", error=str(error))
    return task.row(
        buffers=len(problem),
        bound=problem.lower_bound,
        outcome=stats["outcome"],
        height=stats["height"] if stats["height"] >= 0 else None,
        lower_bound=stats["lower_bound"],
        steps=stats["steps"],
        nodes=stats["nodes"],
        backtracks=stats["backtracks"],
        digest=stats["digest"],
        seconds=seconds,
    )


def work(folder: str, tasks: List[Task], every: float) -> Tuple[float, int]:
    """Seconds that it took, and the rows stored."""
    place = Path(folder)
    began = stored = time.perf_counter()
    rows: List[Dict[str, Any]] = []
    for task in tasks:
        rows.append(solve_task(place, task, _problems))
        if time.perf_counter() - stored >= every:
            _store.put_rows(place, rows)
            rows = []
            stored = time.perf_counter()
    _store.put_rows(place, rows)
    return time.perf_counter() - began, len(tasks)
