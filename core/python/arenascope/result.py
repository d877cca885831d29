"""What a solver found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, List, Optional, Protocol, Tuple

import numpy as np

from . import links


class Buffers(Protocol):
    """What a result asks of its problem."""

    name: str

    def __len__(self) -> int: ...
    @property
    def ids(self) -> List[str]: ...
    @property
    def lower(self) -> np.ndarray: ...
    @property
    def upper(self) -> np.ndarray: ...
    @property
    def size(self) -> np.ndarray: ...
    @property
    def alignment(self) -> np.ndarray: ...
    @property
    def load(self) -> List[Tuple[int, int, int]]: ...
    @property
    def lower_bound(self) -> int: ...
    def to_csv(self, offsets: Optional[np.ndarray] = None) -> str: ...


class Result:
    """outcome: "optimal", "feasible", "infeasible", …; offsets [n]: bytes, None where there is no plan; the rest as asc_run_stats has it."""

    def __init__(self, problem: Buffers, run, solver: str, capacity: int, goal: str, seed: int, budget: int, options: Dict[str, str]):
        stats = run.stats()
        self.problem = problem
        self.solver = solver
        self.capacity = capacity
        self.goal = goal
        self.seed = seed
        self.budget = budget
        self.options = options
        self.outcome: str = stats["outcome"]
        self.offsets: Optional[np.ndarray] = run.offsets()
        self.height: Optional[int] = stats["height"] if stats["height"] >= 0 else None
        self.lower_bound: int = stats["lower_bound"]
        self.steps: int = stats["steps"]
        self.nodes: int = stats["nodes"]
        self.backtracks: int = stats["backtracks"]
        self.restarts: int = stats["restarts"]
        self.rules: Dict[str, int] = stats["rules"]
        #: over every step: equal searches have equal ones, here, natively and in the page
        self.digest: str = stats["digest"]
        #: after "infeasible": buffers that cannot be packed, by index
        self.conflict: List[int] = run.conflict()

    def __repr__(self) -> str:
        height = "no plan" if self.height is None else f"height {self.height:,}"
        return f"<Result {self.outcome}: {height}, lower bound {self.lower_bound:,}, {self.steps:,} steps>"

    def __bool__(self) -> bool:
        return self.height is not None and self.height <= self.capacity

    def _columns(self) -> dict:
        problem = self.problem
        columns = {"id": problem.ids, "lower": problem.lower, "upper": problem.upper, "size": problem.size}
        columns["alignment"] = problem.alignment
        columns["offset"] = np.full(len(problem), -1, dtype=np.int64) if self.offsets is None else self.offsets
        return columns

    def to_csv(self) -> str:
        """The buffers with their offsets."""
        if self.offsets is None:
            raise ValueError("there is no plan")
        return self.problem.to_csv(self.offsets)

    def to_pandas(self):
        import pandas

        return pandas.DataFrame(self._columns())

    def to_arrow(self):
        import pyarrow

        return pyarrow.table(self._columns())

    def plot(self, axes=None):
        """Time across, addresses upwards, as in the page. Returns matplotlib's axes."""
        from matplotlib import pyplot
        from matplotlib.patches import Rectangle

        if axes is None:
            _, axes = pyplot.subplots(figsize=(9, 5))
        problem = self.problem
        lower, upper, size = problem.lower, problem.upper, problem.size
        # hues that differ also for the colour-blind, by buffer
        colours = ["#6fb8e8", "#f0a848", "#7fbf8f", "#c88f9f", "#8f86d0", "#e8d890", "#2f7f8f", "#b8b8b8"]
        for k, offset in enumerate(self.offsets if self.offsets is not None else ()):
            if offset >= 0:
                box = (lower[k], offset), upper[k] - lower[k], size[k]
                axes.add_patch(Rectangle(*box, facecolor=colours[k % len(colours)], edgecolor="#1b1f24", linewidth=0.4))
        steps = problem.load
        if steps:
            times = [steps[0][0]] + [section[1] for section in steps]
            axes.stairs([section[2] for section in steps], times, baseline=0, color="#606870", linestyle=":", label="load")
            axes.set_xlim(times[0], times[-1])
        if self.goal == "fit":
            axes.axhline(self.capacity, color="#202428", linewidth=1, label="capacity")
        axes.set_ylim(0, max([self.capacity if self.goal == "fit" else 0, self.height or 0, problem.lower_bound]) * 1.05 or 1)
        axes.set_xlabel("time")
        axes.set_ylabel("bytes")
        axes.set_title(f"{problem.name}: {self.outcome}")
        return axes

    def link(self, page: str = "") -> str:
        """A link that shows this very search in the page at the address `page`. ValueError past 32 KiB: save a CSV instead."""
        shared = {
            "source": {"kind": "text", "name": self.problem.name, "text": self.problem.to_csv()},
            "solver": self.solver,
            "goal": self.goal,
            "options": self.options,
            "capacity": self.capacity,
            "seed": self.seed,
            "budget": self.budget,
            "step": self.steps,
            "steps": self.steps,
            "digest": self.digest,
            "finalDigest": self.digest,
            "ended": True,
        }
        fragment = links.encode(shared)
        if len(fragment) > links.LIMIT:
            raise ValueError(f"the link would have {len(fragment):,} characters, more than the {links.LIMIT:,} that survive being sent")
        return f"{page}#{fragment}"


@dataclass
class Explanation:
    """A set of buffers, by index, that alone does not fit. irreducible: none of them could be spared."""

    problem: Buffers
    capacity: int
    outcome: str
    buffers: List[int]
    irreducible: bool
    steps: int

    @property
    def ids(self) -> List[str]:
        names = self.problem.ids
        return [names[k] for k in self.buffers]
