"""What a solver found."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from typing import Dict, List, NamedTuple, Optional, Protocol, Tuple

import numpy as np

from . import _core, links


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


def _copies(solver: str) -> bool:
    return any(one["id"] == solver and "traffic" in one["goals"] for one in _core.solvers())


class Stay(NamedTuple):
    """A tensor, or an operator's workspace, during [lower, upper): turn counts those of it in the same pool. Outside of the arena no offset is decided."""

    tensor: str
    turn: int
    pool: str  #: "arena" or "outside"
    lower: int
    upper: int
    size: int
    offset: Optional[int]


class Moves(NamedTuple):
    """A plan of a graph."""

    order: List[str]
    stays: List[Stay]
    traffic: int
    situation: Buffers


class Result:
    """outcome: "optimal", "feasible", "infeasible", …; offsets [n]: bytes, None where there is no plan; the rest as asc_run_stats has it.

    A plan of a graph also has an order of its operators, by id, stays, and the traffic, which is the bytes copied out and back. Its offsets are of the
    buffers that come of them, which are the situation; of a list of buffers that is the problem.
    """

    def __init__(
        self,
        problem: Buffers,
        run,
        solver: str,
        capacity: int,
        goal: str,
        seed: int,
        budget: int,
        options: Dict[str, str],
        moves: Optional[Moves] = None,
    ):
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
        #: what the goal counts, and so does the lower bound
        self.cost: Optional[int] = stats["cost"] if stats["cost"] >= 0 else None
        self.lower_bound: int = stats["lower_bound"]
        self.order, self.stays, self.traffic, self.situation = moves or (None, None, None, problem)
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
        if self.traffic is not None:
            height += f", traffic {self.traffic:,}"
        return f"<Result {self.outcome}: {height}, lower bound {self.lower_bound:,}, {self.steps:,} steps>"

    def __bool__(self) -> bool:
        """Whether there is a plan as it was asked for: with the goal "height" any, else one within the capacity."""
        if self.height is None or self.goal == "height":
            return self.height is not None
        # pools have capacities of their own, by which the outcome goes
        return self.outcome in ("feasible", "optimal") or (self.goal == "traffic" and self.height <= self.capacity)

    def _columns(self) -> dict:
        problem = self.situation
        columns = {"id": problem.ids, "lower": problem.lower, "upper": problem.upper, "size": problem.size}
        columns["alignment"] = problem.alignment
        columns["offset"] = np.full(len(problem), -1, dtype=np.int64) if self.offsets is None else self.offsets
        return columns

    def to_csv(self) -> str:
        """The buffers with their offsets; of solvers that copy out and back the order, and a row for each stay, as the command writes them."""
        if self.offsets is None:
            raise ValueError("there is no plan")
        if self.stays is None or not _copies(self.solver):
            return self.situation.to_csv(self.offsets)
        text = io.StringIO()
        rows = csv.writer(text, lineterminator="\n")
        rows.writerow(Stay._fields)
        rows.writerows((op, k, "run", k, k + 1, 0, None) for k, op in enumerate(self.order))
        rows.writerows(self.stays)
        return text.getvalue()

    def to_pandas(self):
        import pandas

        return pandas.DataFrame(self._columns())

    def to_arrow(self):
        import pyarrow

        return pyarrow.table(self._columns())

    def plot(self, axes=None):
        """Time across, addresses upwards, with the page's colours for print. Returns matplotlib's axes."""
        from .plot import plot

        return plot(self, axes)

    def shared(self) -> dict:
        """This very search as links and messages have it (web/docs/links.md)."""
        given = self.problem._given
        graph = given._core.graph_csv()
        source = {"kind": "text", "name": given.name, "text": given.to_csv()}
        if graph is not None:
            source = {"kind": "graph", "name": given.name, "text": graph, "format": "", "lowering": given._lowering}
        memory = {} if self.problem.profile is None else {"profile": links.profile(self.problem.profile)}
        return {
            "source": source,
            **memory,
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

    def show(self, step: Optional[int] = None, height: int = 520):
        """In a notebook: the page with this search, offline, from this package (arenascope.page). Needs anywidget."""
        from . import page

        return page.show(self.shared(), step, height)

    def link(self, page: str = "") -> str:
        """A link that shows this very search in the page at the address `page`. ValueError past 32 KiB: save a CSV instead."""
        fragment = links.encode(self.shared())
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
