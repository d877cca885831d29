"""TFLite Micro's offline memory plan, written into a model."""

from __future__ import annotations

from typing import List, Optional, Tuple

from . import _node


def write(model: str, output: str, *, capacity: Optional[int] = None, solver: str = "exact") -> Tuple[str, List[str]]:
    """A copy of a .tflite with a plan that TFLite Micro follows instead of its own planner: what came out in a sentence, and notes. Where no
    plan fits, that is the sentence, and nothing is written. ValueError where the model leaves something open."""
    limit = [] if capacity is None else [f"--capacity={capacity}"]
    said, notes = _node.run("--planner=tflm", f"--solver={solver}", f"--tflite={output}", *limit, model, fits=True)
    return said.strip(), notes
