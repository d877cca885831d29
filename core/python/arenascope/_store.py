"""The folder of a sweep: problems/<digest>.csv, and rows in ab/<digest of the keys>.parquet. A file appears whole or not at all, and never changes."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Any, Dict, Iterator, List, Set, Tuple

from .problem import Problem

#: name and type in Parquet
COLUMNS: Tuple[Tuple[str, str], ...] = (
    ("key", "string"),
    ("instance", "string"),
    ("problem", "string"),
    ("profile", "string"),
    ("buffers", "int64"),
    ("bound", "int64"),
    ("capacity", "int64"),
    ("solver", "string"),
    ("options", "string"),
    ("seed", "int64"),
    ("goal", "string"),
    ("budget", "int64"),
    ("outcome", "string"),
    ("height", "int64"),
    ("lower_bound", "int64"),
    ("steps", "int64"),
    ("nodes", "int64"),
    ("backtracks", "int64"),
    ("digest", "string"),
    ("seconds", "float64"),
    ("version", "string"),
    ("host", "string"),
    ("error", "string"),
)


def _schema():
    import pyarrow

    return pyarrow.schema([(name, getattr(pyarrow, kind)()) for name, kind in COLUMNS])


def _put(path: Path, write) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.parent / f".{path.name}.{os.getpid()}"
    write(new)
    os.replace(new, path)


def put_problem(folder: Path, problem: Problem) -> None:
    """ValueError where its CSV is not the same problem, as of one that is in a profile's memory already."""
    path = folder / "problems" / f"{problem.digest}.csv"
    if path.exists():
        return
    text = problem.to_csv()
    if Problem.from_csv(text).digest != problem.digest:
        raise ValueError(f"{problem.name}: the CSV of this problem is another problem (give a profile by its id, in profiles)")
    _put(path, lambda new: new.write_text(text))


def put_rows(folder: Path, rows: List[Dict[str, Any]]) -> None:
    import pyarrow
    import pyarrow.parquet

    if not rows:
        return
    name = hashlib.blake2b("".join(row["key"] for row in rows).encode(), digest_size=16).hexdigest()
    table = pyarrow.table({column: [row[column] for row in rows] for column, _ in COLUMNS}, schema=_schema())
    _put(folder / name[:2] / f"{name}.parquet", lambda new: pyarrow.parquet.write_table(table, new))


def shards(folder: Path) -> List[Path]:
    return sorted(folder.glob("*/*.parquet"))


def keys(folder: Path) -> Set[str]:
    import pyarrow.parquet

    found: Set[str] = set()
    for path in shards(folder):
        found.update(pyarrow.parquet.read_table(path, columns=["key"])["key"].to_pylist())
    return found


def rows(folder: Path) -> Iterator[Dict[str, Any]]:
    """One of each key: two drivers at a time may have stored a search twice."""
    import pyarrow.parquet

    seen: Set[str] = set()
    for path in shards(folder):
        for row in pyarrow.parquet.read_table(path).to_pylist():
            if row["key"] not in seen:
                seen.add(row["key"])
                yield row
