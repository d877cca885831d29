"""Static memory allocation for ML accelerators: the published solvers and a faster exact one, step by step.

Words are those of asc/asc.h: a buffer lives during [lower, upper) of logical time, sizes and offsets are bytes.

>>> from arenascope import Problem
>>> problem = Problem.from_csv("id,lower,upper,size\\na,0,3,4\\nb,1,4,8\\nc,3,5,4\\n")
>>> problem.minimize().height
12
"""

from . import links
from ._core import profiles, solvers
from ._core import version as __version__
from .events import EVENTS, Event
from .problem import Problem
from .result import Explanation, Result
from .sweep import audit, grid, sweep

__all__ = ["EVENTS", "Event", "Explanation", "Problem", "Result", "__version__", "audit", "grid", "links", "profiles", "solvers", "sweep"]
