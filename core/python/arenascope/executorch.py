"""ExecuTorch's memory plan by arenascope: an algorithm for its MemoryPlanningPass.

>>> from executorch.exir.capture._config import ExecutorchBackendConfig
>>> from executorch.exir.passes import MemoryPlanningPass
>>> from arenascope.executorch import suite
>>> config = ExecutorchBackendConfig(memory_planning_pass=MemoryPlanningPass(memory_planning_algo=suite()))

Interface: executorch/exir/memory_planning.py, tried with the wheel of release 1.5.1.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any, Dict, List, Sequence

from .problem import Problem

#: Steps for each pool: graphs of some hundred tensors take about as many.
BUDGET = 2_000_000


def _views(specs: Sequence[Any]) -> bool:
    """Tensors inside of others, whose offsets are the base's business: storage_base until 1.5, inplace_base after it."""
    return any(getattr(spec, "storage_base", None) is not None or getattr(spec, "inplace_base", None) is not None for spec in specs)


def problem_of(specs: Sequence[Any], alignment: int) -> Problem:
    """One pool's tensors, at least one. A lifetime of ExecuTorch's includes its end; sizes are padded to the alignment, as it does."""
    sizes = []
    for spec in specs:
        spec.realign(alignment)
        sizes.append(spec.allocated_memory)
    low, high = zip(*((spec.lifetime[0], spec.lifetime[1] + 1) for spec in specs))
    return Problem.from_arrays(low, high, sizes, alignment=alignment, name="executorch")


def plan(alignment: int, specs, graph_module, graph_signature, extra_padding: int = 0, *, solver: str = "exact", budget: int = BUDGET):
    """Offsets in each memory, never above ExecuTorch's greedy plan; that plan where tensors are views of others."""
    from executorch.exir.memory_planning import MemoryAlgoResult, SpecAllocResult, greedy

    base = greedy(alignment, specs, graph_module, graph_signature, extra_padding)
    # they come as a set, whose order differs from run to run
    specs = sorted(specs, key=lambda spec: (*spec.lifetime, spec.allocated_memory))
    if _views(specs):
        return base
    floors = getattr(graph_module, "input_mem_buffer_sizes", None) or []
    pools: Dict[int, List[Any]] = defaultdict(list)
    for spec in specs:
        pools[spec.mem_id or 1].append(spec)
    found: Dict[Any, Any] = {}
    sizes = list(base.bufsizes)
    for memory, group in pools.items():
        floor = floors[memory] if memory < len(floors) else 0
        # what is below the floor is taken, and padding stands at the end
        problem = problem_of(group, alignment)
        room = max(1, base.bufsizes[memory] - floor - extra_padding)
        best = problem.minimize(capacity=room, solver=solver, budget=budget)
        if best.offsets is None:
            return base
        for k, (spec, offset) in enumerate(zip(group, best.offsets)):
            found[spec] = SpecAllocResult(memory, k, int(offset) + floor)
        sizes[memory] = best.height + floor + extra_padding
    return MemoryAlgoResult(found, sizes)


def suite(solver: str = "exact"):
    """ExecuTorch's greedy plan and ours, of which its suite takes the smaller."""
    from executorch.exir.memory_planning import MemoryPlanningAlgorithmSuite, greedy

    def arenascope(alignment, specs, graph_module, graph_signature, extra_padding=0):
        return plan(alignment, specs, graph_module, graph_signature, extra_padding, solver=solver)

    return MemoryPlanningAlgorithmSuite([greedy, arenascope])
