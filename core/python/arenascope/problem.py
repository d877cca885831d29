"""Problems, and what can be asked about them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from . import _core, _node
from .events import Event, typed
from .result import Explanation, Moves, Result, Stay

#: 2^53 - 1 bytes: as good as no limit
UNLIMITED = 2**53 - 1
_CHUNK = 2**20

Options = Optional[Mapping[str, object]]


def _texts(options: Options) -> Dict[str, str]:
    """As the library takes options: true and false, else as they are written."""
    return {name: str(value).lower() if isinstance(value, bool) else str(value) for name, value in (options or {}).items()}


def _ints(values, name: str) -> np.ndarray:
    array = np.asarray(values)
    if array.ndim != 1:
        raise ValueError(f"{name} has {array.ndim} dimensions, expected one")
    # what would not survive as 64 bits with a sign
    if array.size and array.dtype.kind != "i":
        far = np.flatnonzero((array < -UNLIMITED) | (array > UNLIMITED))
        if far.size:
            raise ValueError(f"{name}[{far[0]}] is {array[far[0]]}, expected {-UNLIMITED} to {UNLIMITED}")
        if not np.all(np.equal(np.mod(array, 1), 0)):
            raise ValueError(f"{name} holds numbers that are not whole")
    return np.ascontiguousarray(array, dtype=np.int64)


def _gaps(gaps: Mapping[int, Sequence[Tuple[int, int]]], count: int) -> Dict[int, List[Tuple[int, ...]]]:
    for k in gaps:
        if not 0 <= k < count:
            raise ValueError(f"gaps names buffer {k}, expected 0 to {count - 1}")
    return {int(k): [tuple(_ints((a, b), f"gaps[{k}]").tolist()) for a, b in pairs] for k, pairs in gaps.items()}


def _cliques(count: int, edges: Iterable[Tuple[int, int]]) -> List[List[int]]:
    """Maximal cliques that cover all edges, each found greedily from the first edge that is not covered. O(edges x degree)."""
    near: List[set] = [set() for _ in range(count)]
    for a, b in edges:
        if not (0 <= a < count and 0 <= b < count):
            raise ValueError(f"conflict ({a}, {b}) names a buffer outside of 0 to {count - 1}")
        if a != b:
            near[a].add(b)
            near[b].add(a)
    covered = set()
    found = []
    for a in range(count):
        for b in sorted(near[a]):
            if b < a or (a, b) in covered:
                continue
            clique = [a, b]
            common = near[a] & near[b]
            while common:
                next_one = min(common)
                clique.append(next_one)
                common = common & near[next_one]
            clique.sort()
            covered.update((x, y) for k, x in enumerate(clique) for y in clique[k + 1 :])
            found.append(clique)
    return found


class Problem:
    """Buffers with their lifespans and sizes; of a model also its graph, which the solvers of graphs take."""

    def __init__(self, core: _core.Problem, name: str = "problem"):
        self._core = core
        self.name = name
        #: what the importer of a file says about it, as what the tool itself reserved
        self.notes: List[str] = []
        #: in whose memory it is, and the problem without it
        self.profile: Optional[str] = None
        self._given = self
        #: of a graph the options of its lowering
        self._lowering: Dict[str, str] = {}

    # ---- where problems come from

    @classmethod
    def from_csv(cls, text: str, name: str = "problem.csv", **lowering) -> "Problem":
        """Of a buffer CSV, or of a graph CSV with options of the lowering (core/src/io/README.md). ValueError names line and column."""
        problem = cls(_core.from_text(text, _texts(lowering)), name)
        problem._lowering = _texts(lowering)
        return problem

    @classmethod
    def from_arrays(
        cls,
        lower: Sequence[int],
        upper: Sequence[int],
        size: Sequence[int],
        *,
        alignment: Union[int, Sequence[int], None] = None,
        offset: Optional[Sequence[int]] = None,
        ids: Optional[Sequence[str]] = None,
        gaps: Optional[Mapping[int, Sequence[Tuple[int, int]]]] = None,
        name: str = "problem",
    ) -> "Problem":
        """n buffers: times [n], bytes [n]; offset: fixed ones, -1 for free; gaps: by index, times in which a buffer is not alive."""
        low = _ints(lower, "lower")
        if alignment is not None and np.ndim(alignment) == 0:
            alignment = np.full(low.shape, alignment)
        core = _core.from_arrays(
            low,
            _ints(upper, "upper"),
            _ints(size, "size"),
            None if alignment is None else _ints(alignment, "alignment"),
            None if offset is None else _ints(offset, "offset"),
            None if ids is None else [str(one) for one in ids],
            _gaps(gaps or {}, len(low)),
        )
        return cls(core, name)

    @classmethod
    def from_conflicts(
        cls, size: Sequence[int], conflicts: Iterable[Tuple[int, int]], *, alignment=None, ids=None, name: str = "conflicts"
    ) -> "Problem":
        """Of pairs that must not share memory, without times: each clique of a cover is a time, and a buffer has gaps where it is not in one."""
        sizes = _ints(size, "size")
        times: List[List[int]] = [[] for _ in sizes]
        cliques = _cliques(len(sizes), conflicts)
        for time, clique in enumerate(cliques):
            for buffer in clique:
                times[buffer].append(time)
        end = len(cliques)
        for own in times:
            if not own:
                own.append(end)
                end += 1
        gaps = {
            k: [(a + 1, b) for a, b in zip(own, own[1:]) if b > a + 1]
            for k, own in enumerate(times)
            if any(b > a + 1 for a, b in zip(own, own[1:]))
        }
        return cls.from_arrays(
            [own[0] for own in times], [own[-1] + 1 for own in times], sizes, alignment=alignment, ids=ids, gaps=gaps, name=name
        )

    @classmethod
    def read(
        cls, path: Union[str, os.PathLike], *, part: Optional[str] = None, beside: Union[str, os.PathLike, None] = None, **lowering
    ) -> "Problem":
        """Of a CSV; of a model, a snapshot, a log or a trace by the importers, which run in Node (the file arenascope-model.mjs).

        part: of several lists of buffers in a file; beside: the other one of two files that belong together. What the importer says is in `notes`.
        """
        file = Path(path)
        if file.suffix == ".csv":
            return cls.from_csv(file.read_text(), file.name, **lowering)
        chosen = [f"--part={part}"] if part is not None else []
        other = [f"--with={beside}"] if beside is not None else []
        text, notes = _node.run("--graph=-", *chosen, *other, str(file))
        problem = cls.from_csv(text, file.name, **lowering)
        problem.notes = notes
        return problem

    @classmethod
    def generate(cls, kind: str, count: int, seed: int = 0) -> Tuple["Problem", int]:
        """One of the library's generated problems, and the capacity that it is meant for."""
        core, capacity = _core.generate(kind, count, seed)
        return cls(core, f"{kind}-{count}-{seed}"), capacity

    def with_profile(self, profile: str) -> "Problem":
        """As an accelerator's memory takes it: alignment, rounding and banks. arenascope.profiles() has the ids."""
        placed = Problem(_core.with_profile(self._core, profile), self.name)
        placed.profile = profile
        placed._given = self
        return placed

    # ---- what they are

    def __len__(self) -> int:
        return self._core.count

    def __repr__(self) -> str:
        return f"<Problem {self.name}: {len(self)} buffers, lower bound {self.lower_bound:,}>"

    @property
    def ids(self) -> List[str]:
        return self._core.ids

    @property
    def lower(self) -> np.ndarray:
        return self._core.lower

    @property
    def upper(self) -> np.ndarray:
        return self._core.upper

    @property
    def size(self) -> np.ndarray:
        return self._core.size

    @property
    def alignment(self) -> np.ndarray:
        return self._core.alignment

    @property
    def gaps(self) -> Dict[int, List[Tuple[int, int]]]:
        """By index: times [lower, upper) in which a buffer is not alive."""
        return self._core.gaps

    @property
    def load(self) -> List[Tuple[int, int, int]]:
        """(lower, upper, bytes alive) of each section."""
        return self._core.load

    @property
    def lower_bound(self) -> int:
        """Bytes that every plan needs."""
        return self._core.lower_bound

    @property
    def digest(self) -> str:
        return self._core.digest

    def to_csv(self, offsets: Optional[Sequence[int]] = None) -> str:
        return self._core.csv(None if offsets is None else _ints(offsets, "offsets"))

    def violations(self, offsets: Sequence[int], capacity: int = UNLIMITED) -> List[Tuple[str, int, int]]:
        """What is wrong with a plan, by the independent validator: (kind, buffer, other or -1), at most 1,024."""
        return self._core.violations(_ints(offsets, "offsets"), capacity)

    # ---- what can be asked

    def _run(self, solver, capacity, goal, seed, budget, options, traced=False):
        return _core.Run(self._core, solver, int(capacity), goal, seed, budget, _texts(options), traced)

    def solve(
        self, capacity: int, *, solver: str = "exact", seed: int = 0, budget: int = 0, goal: str = "fit", options: Options = None
    ) -> Result:
        """A plan within capacity bytes, or that there is none. budget: steps, 0 for no limit. Ctrl-C ends it with KeyboardInterrupt."""
        run = self._run(solver, capacity, goal, seed, budget, options)
        while run.step(_CHUNK) == "running":
            pass
        moves = run.moves()
        plan = None if moves is None else Moves(moves[0], [Stay(*stay) for stay in moves[1]], moves[2], Problem(moves[3], self.name))
        return Result(self, run, solver, int(capacity), goal, seed, budget, _texts(options), plan)

    def minimize(
        self, *, capacity: Optional[int] = None, solver: str = "exact", seed: int = 0, budget: int = 0, options: Options = None
    ) -> Result:
        """The least height. A capacity is what heuristics aim at, no limit; without one it is enough for all buffers above one another."""
        if capacity is None:
            capacity = max(1, self._core.room)
        return self.solve(capacity, solver=solver, seed=seed, budget=budget, goal="height", options=options)

    def explain(self, capacity: int, *, seed: int = 0, budget: int = 0) -> Explanation:
        """A few buffers that alone do not fit."""
        told = _core.explain(self._core, int(capacity), seed, budget)
        return Explanation(self, int(capacity), **told)

    def steps(
        self, capacity: int, *, solver: str = "exact", seed: int = 0, budget: int = 0, goal: str = "fit", options: Options = None
    ) -> Iterator[Event]:
        """The events of a search one by one, as it goes."""
        run = self._run(solver, capacity, goal, seed, budget, options, True)
        going = True
        while going:
            yield from map(typed, run.events())
            going = run.step(1) == "running"
        yield from map(typed, run.events())
