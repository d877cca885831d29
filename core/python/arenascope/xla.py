"""The buffers of a program of XLA's (JAX, TensorFlow, PyTorch/XLA), from what `XLA_FLAGS=--xla_dump_to=DIR` writes. Nothing is written where the
compilation cache is hit."""

from __future__ import annotations

from pathlib import Path
from typing import Dict, Optional

from .problem import Problem

_ASSIGNMENT = "-buffer-assignment.txt"
_RANGES = "-live-range.txt"


def programs(folder) -> Dict[str, Path]:
    """Buffer assignments of a dump, by the names of their modules."""
    return {path.name[: -len(_ASSIGNMENT)]: path for path in sorted(Path(folder).glob(f"*{_ASSIGNMENT}"))}


def read(path, *, part: Optional[str] = None) -> Problem:
    """A buffer assignment, with its live ranges beside it. part: allocations, as the notes name them; without it those that XLA places itself."""
    file = Path(path)
    ranges = file.with_name(file.name.replace(_ASSIGNMENT, _RANGES))
    return Problem.read(file, part=part, beside=ranges if ranges != file and ranges.is_file() else None)
