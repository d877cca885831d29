"""The importers and the writers of models, which run in Node (arenascope-model.mjs, or the npm package)."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import List, Tuple


def _command() -> List[str]:
    """$ARENASCOPE_MODEL, beside this package, built in a checkout, or the command of the npm package."""
    node = shutil.which("node")
    if node is None:
        raise RuntimeError("files of other tools are read by the importers, which need Node: it is not on the PATH")
    here = Path(__file__).resolve().parent
    places = [os.environ.get("ARENASCOPE_MODEL", ""), here / "arenascope-model.mjs"]
    places += [parent / "build" / "arenascope-model.mjs" for parent in (*here.parents[2:3], Path.cwd())]
    for place in places:
        if place and Path(place).is_file():
            return [node, str(place)]
    raise RuntimeError("arenascope-model.mjs is not here: build it (./build.sh web) and name it in ARENASCOPE_MODEL")


def run(*args: str, fits: bool = False) -> Tuple[str, List[str]]:
    """Standard output, and the notes. ValueError with what the importer says; fits: that it does not fit, or is undecided, is no error."""
    done = subprocess.run([*_command(), *args], capture_output=True, text=True, check=False)
    if done.returncode == 2 or (done.returncode != 0 and not fits):
        raise ValueError(done.stderr.strip() or done.stdout.strip())
    return done.stdout, done.stderr.splitlines()
