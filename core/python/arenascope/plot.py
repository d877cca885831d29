"""A plan, of a Result, as a figure, drawn as the page draws it on paper."""

from __future__ import annotations

from typing import Iterator, Tuple

#: Apart for the colour-blind as well; the same as the page's, in its order.
FILLS = "92C9FD F9E6A2 238081 D898B3 B0BD68 8986D1 386352 D5F4FD A29372 6B5099 CFCAB7 294273".split()
_EDGE, _INK, _LOAD, _BOUND = "#10222C", "#1A1C1E", "#6B8792", "#14637A"
#: Beyond so many an edge would be all that is seen.
_MOST_EDGES = 5000


def _pieces(result) -> Iterator[Tuple[int, int, int]]:
    """(buffer, lower, upper): a buffer with gaps is drawn where it is alive."""
    problem = result.situation
    gaps = problem.gaps
    for k, (lower, upper) in enumerate(zip(problem.lower, problem.upper)):
        for low, high in gaps.get(k, ()):
            if low > lower:
                yield k, lower, low
            lower = high
        if upper > lower:
            yield k, lower, upper


def plot(result, axes=None):
    """Buffers, the load as a dotted line, the capacity unless the least height was asked for, and the lower bound where it is apart from the height."""
    from matplotlib import pyplot
    from matplotlib.collections import PatchCollection
    from matplotlib.patches import Rectangle

    if axes is None:
        _, axes = pyplot.subplots(figsize=(9, 5))
    problem = result.situation
    size, offsets = problem.size, result.offsets
    placed = [] if offsets is None else [piece for piece in _pieces(result) if offsets[piece[0]] >= 0]
    boxes = [Rectangle((low, offsets[k]), high - low, size[k]) for k, low, high in placed]
    fills = [f"#{FILLS[k % len(FILLS)]}" for k, _, _ in placed]
    edge = {"edgecolors": _EDGE, "linewidths": 0.4} if len(boxes) <= _MOST_EDGES else {"linewidths": 0}
    axes.add_collection(PatchCollection(boxes, facecolors=fills, **edge))
    load = problem.load
    if load:
        times = [load[0][0]] + [upper for _, upper, _ in load]
        axes.stairs([height for _, _, height in load], times, baseline=None, color=_LOAD, linestyle=":", label="load")
        axes.set_xlim(times[0], times[-1])
    fits = result.goal != "height"
    if fits:
        axes.axhline(result.capacity, color=_INK, linewidth=1.5, label="capacity")
    if result.goal != "traffic" and result.height is not None and result.lower_bound < result.height:
        axes.axhline(result.lower_bound, color=_BOUND, linestyle=(0, (1, 2)), label="lower bound")
    top = max(result.capacity if fits else 0, result.height or 0, problem.lower_bound, 1)
    axes.set_ylim(0, top * 1.05)
    axes.set_xlabel("time")
    axes.set_ylabel("bytes")
    axes.set_title(f"{problem.name}: {result.outcome}")
    return axes
