"""Sweeps: every search once, whoever is killed."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytest.importorskip("pyarrow")

import arenascope
from arenascope import Problem, _store
from arenascope._pool import Pool

ROOT = Path(__file__).resolve().parents[2]
FIVE = Problem.from_csv((ROOT / "examples" / "five.csv").read_text(), "five")
GRID = {"capacities": [11, 12, 1.5], "solvers": ["exact", "greedy", "no-such"], "seeds": range(4), "options": [{}, {"preset": "none"}]}
#: of a row, what differs from run to run
TIMED = ("seconds", "host")


def rows(store, drop=TIMED):
    found = sorted(_store.rows(Path(store)), key=lambda row: row["key"])
    return [{name: value for name, value in row.items() if name not in drop} for row in found]


def test_each_search_of_the_product_is_a_row_and_is_run_once(tmp_path):
    ten = Problem.from_csv((ROOT / "examples" / "ten.csv").read_text(), "ten")
    product = {"capacities": [1.0, 1.5], "solvers": ["exact", "greedy"], "seeds": [1, 2], "profiles": [None, "maxim-max78000"]}
    asked = 2 * 2 * 2 * 2 * 2
    assert arenascope.sweep([FIVE, ten], store=tmp_path, workers=1, **product) == (asked, 0, asked)
    assert arenascope.sweep([FIVE, ten], store=tmp_path, workers=1, **product) == (asked, asked, 0)
    # one more seed asks for no more than its own
    assert arenascope.sweep([FIVE, ten], store=tmp_path, workers=1, **{**product, "seeds": [1, 2, 3]})[2] == asked // 2
    for row in rows(tmp_path):
        problem = {"five": FIVE, "ten": ten}[row["instance"]]
        placed = problem.with_profile(row["profile"]) if row["profile"] else problem
        alone = placed.solve(row["capacity"], solver=row["solver"], seed=row["seed"])
        assert (row["digest"], row["outcome"], row["height"], row["steps"]) == (alone.digest, alone.outcome, alone.height, alone.steps)


def test_what_is_refused_is_a_row_with_its_reason(tmp_path):
    assert arenascope.sweep([FIVE], store=tmp_path, workers=1, capacities=[12], solvers=["no-such", "exact"]).solved == 2
    outcomes = {row["solver"]: (row["outcome"], row["error"]) for row in rows(tmp_path)}
    assert outcomes["exact"] == ("optimal", None)
    assert outcomes["no-such"][0] == "failed" and "no solver of that name" in outcomes["no-such"][1]


def test_a_profile_that_does_not_take_a_problem_is_a_row_with_its_reason(tmp_path):
    large = Problem.from_csv("id,lower,upper,size\na,0,1,49152\n", "large")
    assert arenascope.sweep([FIVE, large], store=tmp_path, workers=1, profiles=[None, "maxim-max78000"]).solved == 4
    (failed,) = (row for row in rows(tmp_path) if row["outcome"] == "failed")
    assert (failed["instance"], failed["profile"]) == ("large", "maxim-max78000")
    assert "expected at least the size, 49,152" in failed["error"]
    with pytest.raises(ValueError, match="no profile “no-such”"):
        arenascope.sweep([FIVE], store=tmp_path, workers=1, profiles=["no-such"])


def test_an_audit_finds_a_row_that_is_not_what_its_search_gives(tmp_path):
    arenascope.sweep([FIVE], store=tmp_path, workers=1, capacities=[11, 12], seeds=range(10))
    assert arenascope.audit(tmp_path, share=0.5) == []
    (path, *_) = _store.shards(tmp_path)
    row = next(_store.rows(tmp_path))
    path.unlink()
    _store.put_rows(tmp_path, [{**row, "digest": "0" * 16}])
    assert [one["key"] for one in arenascope.audit(tmp_path, share=1.0)] == [row["key"]]


SCRIPT = """
import sys
import arenascope
problems = [arenascope.Problem.generate("random", 60, seed)[0] for seed in range(6)]
print(arenascope.sweep(problems, store=sys.argv[1], workers=1, chunk_seconds=0.02, capacities=[1.0, 1.1], solvers=["exact", "greedy", "tflm"], seeds=range(12)))
"""


def children(pid):
    return [int(one) for path in Path(f"/proc/{pid}/task").glob("*/children") for one in path.read_text().split()]


def test_a_driver_killed_twice_and_a_worker_killed_lose_nothing(tmp_path):
    whole, torn = tmp_path / "whole", tmp_path / "torn"

    def start(store):
        return subprocess.Popen([sys.executable, "-c", SCRIPT, str(store)], stdout=subprocess.PIPE, text=True)

    undisturbed = start(whole)
    assert "solved=432" in undisturbed.communicate()[0]
    for shards in (2, 6):
        driver = start(torn)
        while len(_store.shards(torn)) < shards and driver.poll() is None:
            time.sleep(0.005)
        driver.kill()
        driver.communicate()
    last = start(torn)
    while not children(last.pid):
        time.sleep(0.005)
    os.kill(children(last.pid)[0], signal.SIGKILL)
    assert last.communicate()[0].startswith("Swept(asked=432,")
    assert rows(torn) == rows(whole) and len(rows(whole)) == 432
    assert arenascope.audit(torn, share=0.05) == []


def test_the_pool_replaces_a_worker_that_dies():
    pool = Pool(1)
    pool.submit(["dies"], os.abort)
    assert pool.wait() == (["dies"], None)
    pool.submit(["lives"], sum, [1, 2])
    assert pool.wait() == (["lives"], 3)
    pool.submit(["raises"], int, "x")
    with pytest.raises(ValueError, match="invalid literal"):
        pool.wait()
    pool.close()


def test_workers_of_dask_store_what_they_find(tmp_path):
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(n_workers=1, threads_per_worker=2, dashboard_address=None) as cluster, distributed.Client(cluster) as client:
        asked = arenascope.sweep([FIVE], store=tmp_path / "dask", client=client, capacities=[11, 12], seeds=range(20))
        assert asked == (40, 0, 40)
    arenascope.sweep([FIVE], store=tmp_path / "here", workers=1, capacities=[11, 12], seeds=range(20))
    assert rows(tmp_path / "dask") == rows(tmp_path / "here")
