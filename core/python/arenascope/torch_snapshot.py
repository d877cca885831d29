"""What PyTorch's caching allocator reserved, beside what the same lifetimes need.

>>> from arenascope.torch_snapshot import recorded
>>> with recorded() as seen:
...     train_step()
>>> seen.problem.minimize().height, seen.notes
"""

from __future__ import annotations

import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import Iterator, List, Optional

from .problem import Problem


class Recorded:
    """problem, notes: after the block"""

    problem: Problem
    notes: List[str]


def read(path, *, part: Optional[str] = None) -> Problem:
    """A snapshot (`torch.cuda.memory._dump_snapshot`). part: of several devices, as the notes name them."""
    return Problem.read(path, part=part)


@contextmanager
def recorded(*, part: Optional[str] = None, most_events: int = 1_000_000, save: Optional[str] = None) -> Iterator[Recorded]:
    """Records what is allocated on the GPU inside of the block. save: where the snapshot is kept, for the page, which opens it as well."""
    import torch

    seen = Recorded()
    torch.cuda.memory._record_memory_history(max_entries=most_events)
    try:
        yield seen
        with tempfile.TemporaryDirectory() as folder:
            path = Path(save) if save else Path(folder) / "snapshot.pickle"
            torch.cuda.memory._dump_snapshot(str(path))
            seen.problem = read(path, part=part)
            seen.notes = seen.problem.notes
    finally:
        torch.cuda.memory._record_memory_history(enabled=None)
