"""The Python package: what it finds is what the command finds, and what it refuses it refuses with the place."""

import gc
import json
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import arenascope
import numpy as np
import pytest
from arenascope import EVENTS, Problem, _core
from hypothesis import given, settings
from hypothesis import strategies as st

ROOT = Path(__file__).resolve().parents[2]
COMMAND = ROOT / "build" / "native" / "arenascope"
FIVE = (ROOT / "examples" / "five.csv").read_text()


def command(*args: str, text: str) -> dict:
    done = subprocess.run([COMMAND, "solve", "--json", *args, "-"], input=text, capture_output=True, text=True, check=False)
    return json.loads(done.stdout)


def test_finds_plans_and_that_there_are_none():
    problem = Problem.from_csv(FIVE)
    assert len(problem) == 5 and problem.lower_bound == 12
    plan = problem.solve(12)
    assert plan and plan.outcome == "optimal" and plan.height == 12
    assert problem.violations(plan.offsets, 12) == []
    none = problem.solve(11)
    assert not none and none.outcome == "infeasible" and none.offsets is None
    assert set(problem.explain(11).ids) <= set(problem.ids)
    assert problem.minimize().height == 12
    assert problem.violations([0] * 5, 12) != []


@pytest.mark.parametrize("solver", ["exact", "minimalloc", "telamalloc", "large", "greedy"])
@pytest.mark.parametrize("example", ["five", "ten", "aligned", "gaps", "infeasible-32", "network-400"])
def test_takes_the_steps_of_the_command(solver, example):
    text = (ROOT / "examples" / f"{example}.csv").read_text()
    problem = Problem.from_csv(text)
    capacity = problem.lower_bound
    ours = problem.solve(capacity, solver=solver, budget=20_000)
    theirs = command(f"--capacity={capacity}", f"--solver={solver}", "--steps=20000", text=text)
    assert (ours.digest, ours.outcome, ours.steps) == (theirs["digest"], theirs["outcome"], theirs["steps"])


BUFFERS = st.lists(st.tuples(st.integers(0, 12), st.integers(1, 6), st.integers(1, 9)), min_size=1, max_size=9)


@given(BUFFERS, st.sampled_from([1, 2, 4]))
@settings(max_examples=200, deadline=None)
def test_the_least_height_is_valid_and_nothing_lower_is_found(buffers, alignment):
    lower = [a for a, _, _ in buffers]
    upper = [a + d for a, d, _ in buffers]
    size = [s for _, _, s in buffers]
    problem = Problem.from_arrays(lower, upper, size, alignment=alignment)
    least = problem.minimize()
    assert least.outcome == "optimal" and least.height >= problem.lower_bound
    assert problem.violations(least.offsets, least.height) == []
    assert all(offset % alignment == 0 for offset in least.offsets)
    if least.height > 1:
        assert problem.solve(least.height - 1).outcome == "infeasible"


def banked():
    return Problem.from_arrays([0] * 3, [1] * 3, [20000] * 3).with_profile("maxim-max78000")


POOLS = "pool,dram,{}\nid,lower,upper,size,pool\na,0,2,5,dram\n"
ABOVE_THEIR_SIZES = {
    "banks": (banked, 85536),
    "fixed": (lambda: Problem.from_arrays([0, 0], [1, 1], [4, 4], offset=[1000, -1]), 1004),
    "pools": (lambda: Problem.from_csv(POOLS.format(",64") + "b,0,2,5,dram\n"), 69),
    "largest": (lambda: Problem.from_arrays([0], [1], [2**53 - 1], alignment=2), 2**53 - 1),
}


TAKES_FIXED = ["exact", "large"]
MINIMISES = [*TAKES_FIXED, "tvm-hill-climb", "vela-hill-climb", "taa"]


@pytest.mark.parametrize(
    ("what", "solver"), [(what, solver) for what in ABOVE_THEIR_SIZES for solver in (TAKES_FIXED if what == "fixed" else MINIMISES)]
)
def test_without_a_capacity_every_plan_fits(what, solver):
    make, height = ABOVE_THEIR_SIZES[what]
    least = make().minimize(solver=solver)
    assert least and least.outcome in ("optimal", "feasible")
    assert height <= least.height <= least.capacity


def test_the_capacity_of_plain_problems_is_the_sum_of_their_aligned_sizes():
    assert Problem.from_csv(FIVE).minimize().capacity == int(np.sum(Problem.from_csv(FIVE).size))
    assert Problem.from_arrays([0, 0], [1, 1], [4, 4], alignment=8).minimize().capacity == 22


def test_a_result_is_true_where_there_is_a_plan_as_it_was_asked_for():
    assert not banked().solve(85535) and banked().solve(85536)
    # its sum of heights would do
    pools = Problem.from_csv(POOLS.format(4))
    assert not pools.solve(9, solver="greedy") and pools.solve(9, solver="greedy").height == 5
    # the least height is asked for, not one within the capacity
    least = banked().minimize(capacity=1)
    assert least and least.height == 85536


def conflict_cases(n):
    pairs = st.tuples(st.integers(0, n - 1), st.integers(0, n - 1))
    return st.tuples(st.lists(st.integers(1, 9), min_size=n, max_size=n), st.lists(pairs, max_size=20))


@given(st.integers(1, 8).flatmap(conflict_cases))
@settings(max_examples=200, deadline=None)
def test_conflicts_are_kept_and_nothing_else_is(case):
    size, edges = case
    wanted = {tuple(sorted(edge)) for edge in edges if edge[0] != edge[1]}
    problem = Problem.from_conflicts(size, edges)
    # all at address 0: exactly those that conflict overlap
    found = {tuple(sorted((a, b))) for kind, a, b in problem.violations([0] * len(size)) if kind == "overlap"}
    assert found == wanted
    plan = problem.minimize()
    assert all(
        plan.offsets[a] + size[a] <= plan.offsets[b] or plan.offsets[b] + size[b] <= plan.offsets[a] for a, b in wanted
    )


def test_events_are_typed():
    events = list(Problem.from_csv(FIVE).steps(12))
    placed = [event for event in events if isinstance(event, EVENTS["place"])]
    assert len(placed) == 5
    first = placed[0]
    assert (first.kind, first.is_step, first.step) == ("place", True, 2)
    assert first.offset == 0 and first.support is None and first.again is False
    assert sorted(event.buffer for event in placed) == list(range(5))
    # the argument `from` is a word of Python's
    assert "from_" in EVENTS["backtrack"].__dataclass_fields__


def test_refuses_with_the_place():
    with pytest.raises(ValueError, match=r"line 2, column 5: upper .*"):
        Problem.from_csv("id,lower,upper,size\na,3,2,4\n")
    with pytest.raises(ValueError, match="buffer b1: size"):
        Problem.from_arrays([0, 0], [1, 1], [4, -1])
    with pytest.raises(ValueError, match="upper and lower differ in length"):
        Problem.from_arrays([0, 0], [1], [4, 4])
    with pytest.raises(ValueError, match="not whole"):
        Problem.from_arrays([0.5], [1], [4])
    with pytest.raises(ValueError, match="no solver of that name"):
        Problem.from_csv(FIVE).solve(12, solver="no-such")
    with pytest.raises(ValueError, match="needs a graph"):
        Problem.from_csv(FIVE).solve(12, solver="cosma")
    with pytest.raises(ValueError, match="two memories"):
        Problem.from_csv(FIVE).solve(12, solver="select", goal="traffic")
    with pytest.raises(ValueError, match="no profile"):
        Problem.from_csv(FIVE).with_profile("abacus")
    with pytest.raises(ValueError, match="names a buffer outside"):
        Problem.from_conflicts([1, 1], [(0, 2)])


@pytest.mark.parametrize(
    "value", [np.uint64(2**64 - 1), np.uint64(2**63), 2**53, 2.0**63, -1e19, float("inf"), 2**64, -(2**63) - 1], ids=repr
)
@pytest.mark.parametrize("name", ["lower", "upper", "size", "alignment", "offset"])
def test_refuses_numbers_that_would_become_others(name, value):
    arrays = {"lower": [0, 0], "upper": [2, 2], "size": [4, 4], "alignment": [1, 1], "offset": [-1, -1]}
    arrays[name] = np.array([1, value], dtype=getattr(value, "dtype", None))
    with pytest.raises(ValueError, match=rf"{name}\[1\] is |buffer b1: {name} is "):
        Problem.from_arrays(**arrays)
    if name == "alignment":
        with pytest.raises(ValueError, match=r"alignment"):
            Problem.from_arrays([0], [1], [4], alignment=value)


@pytest.mark.parametrize("buffer", [-1, 3, 5, 2**32])
def test_refuses_gaps_of_no_buffer(buffer):
    with pytest.raises(ValueError, match=rf"gaps names buffer {buffer}, expected 0 to 2"):
        Problem.from_arrays([0] * 3, [9] * 3, [4] * 3, gaps={buffer: [(1, 2)]})


def test_refuses_gaps_at_no_times():
    with pytest.raises(ValueError, match=r"gaps\[0\]\[1\] is 18446744073709551616"):
        Problem.from_arrays([0], [9], [4], gaps={0: [(1, 2**64)]})
    with pytest.raises(ValueError, match="buffer b0: gaps"):
        Problem.from_arrays([0], [9], [4], gaps={0: [(1, 20)]})


def test_takes_whole_numbers_of_any_kind():
    for kind in (np.uint8, np.uint64, np.float32, object, bool):
        assert Problem.from_arrays(np.array([0], kind), np.array([1], kind), np.array([1], kind)).minimize().height == 1
    with pytest.raises(ValueError, match="alignment holds numbers that are not whole"):
        Problem.from_arrays([0], [1], [4], alignment=1.5)


def test_graphs_are_lowered_and_ordered():
    graph = sorted((ROOT / "examples" / "graphs").glob("*.csv"))[0].read_text()
    problem = Problem.from_csv(graph, inplace=True)
    assert problem.minimize().outcome == "optimal"
    assert problem.solve(problem.lower_bound * 4, solver="list-schedule").height > 0


#: a is out while d is made, and needed again for e
SPILLS = """tensor,a,2048
tensor,b,3072
tensor,"c,1",6144
tensor,d,3072
tensor,e,2048,output
op,oa,X,,a
op,ob,X,a,b
op,oc,X,b,"c,1"
op,od,X,"c,1",d
op,oe,X,a;d,e
"""


GRAPH_SOLVERS = [(one["id"], goal) for one in arenascope.solvers() if one["domain"] == "graph" for goal in one["goals"]]


@pytest.mark.parametrize(("solver", "goal"), GRAPH_SOLVERS)
def test_a_plan_of_a_graph_is_what_the_command_writes(solver, goal, tmp_path):
    # the least in which the operators run at all, and the least height
    capacity = 9216 if solver != "list-schedule" and goal != "height" else 11264
    plan = Problem.from_csv(SPILLS).solve(capacity, solver=solver, goal=goal)
    asked = (f"--capacity={capacity}", f"--solver={solver}", f"--goal={goal}", "--seed=0", f"--output={tmp_path / 'plan.csv'}")
    theirs = command(*asked, text=SPILLS)
    assert theirs["order"] == plan.order and plan
    assert (theirs["digest"], theirs["height"], theirs["traffic"], theirs["lowerBound"]) == (
        plan.digest,
        plan.height,
        plan.traffic,
        plan.lower_bound,
    )
    assert plan.cost == (plan.traffic if goal == "traffic" else plan.height)
    assert plan.to_csv() == (tmp_path / "plan.csv").read_text()


def test_a_plan_of_a_graph_has_stays_and_their_buffers():
    plan = Problem.from_csv(SPILLS).solve(9216, solver="cosma", goal="traffic")
    assert (plan.outcome, plan.cost, plan.order) == ("optimal", 4096, ["oa", "ob", "oc", "od", "oe"])
    assert [stay[1:6] for stay in plan.stays if stay.tensor == "a"] == [
        (0, "arena", 0, 2, 2048),
        (0, "outside", 2, 4, 2048),
        (1, "arena", 4, 5, 2048),
    ]
    arena = [stay for stay in plan.stays if stay.pool == "arena"]
    assert list(plan.offsets) == [stay.offset for stay in arena] and all(stay.offset is None for stay in plan.stays if stay.pool == "outside")
    assert list(plan.situation.size) == [stay.size for stay in arena]
    assert plan.situation.violations(plan.offsets, 9216) == []
    none = Problem.from_csv(SPILLS).solve(9215, solver="cosma")
    assert not none and none.offsets is none.order is none.stays is none.traffic is None and none.situation is none.problem


def test_a_link_of_a_graph_holds_the_graph():
    plan = Problem.from_csv(SPILLS, "spills.csv", alignment=64).solve(9216, solver="cosma", goal="traffic")
    shared = arenascope.links.decode(plan.link())
    source = shared["source"]
    assert (source["kind"], source["name"], source["lowering"]) == ("graph", "spills.csv", {"alignment": "64"})
    again = Problem.from_csv(source["text"], **source["lowering"]).solve(shared["capacity"], solver=shared["solver"], goal=shared["goal"])
    assert again.digest == shared["finalDigest"] == plan.digest


def test_solvers_say_their_goals_and_what_they_are_not_complete_with():
    solvers = {one["id"]: one for one in arenascope.solvers()}
    assert [solvers[id]["goals"] for id in ("select", "simple")] == [["traffic"], ["fit"]]
    assert (solvers["exact"]["complete"], solvers["exact"]["incomplete_with"]) == (True, [])
    assert (solvers["minimalloc"]["complete"], solvers["minimalloc"]["incomplete_with"]) == (True, ["windows"])


def test_profiles_round_as_their_memories_do():
    one = next(profile for profile in arenascope.profiles() if profile["alignment"] > 1)
    problem = Problem.from_arrays([0, 0], [1, 1], [3, 5]).with_profile(one["id"])
    plan = problem.minimize()
    assert plan.height >= 8 and all(offset % problem.alignment[k] == 0 for k, offset in enumerate(plan.offsets))


RULES_OFF = dict.fromkeys(("canonical_only", "section_inference", "check_dominance", "monotonic_floor"), False)


def test_ctrl_c_ends_a_search():
    # a shell's background job ignores SIGINT
    signal.signal(signal.SIGINT, signal.default_int_handler)
    problem, capacity = Problem.generate("synthetic", 400, 3)
    threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        # no search without its rules ends on this
        problem.solve(int(problem.lower_bound), solver="minimalloc", options=RULES_OFF)
    assert time.monotonic() - began < 20


def test_other_threads_run_meanwhile():
    problem, _ = Problem.generate("synthetic", 300, 1)
    counted = 0
    done = threading.Event()

    def work():
        problem.solve(int(problem.lower_bound), solver="exact", budget=400_000)
        done.set()

    thread = threading.Thread(target=work)
    thread.start()
    while not done.is_set():
        counted += 1
        time.sleep(0.001)
    thread.join()
    assert counted > 0


def test_what_needs_the_memory_of_a_problem_waits_for_the_slice_of_another_thread():
    problem, _ = Problem.generate("synthetic", 400, 1)
    slice = 2**15
    run = _core.Run(problem._core, "telamalloc", int(problem.lower_bound), "fit", 0, 0, {}, False)
    thread = threading.Thread(target=run.step, args=(slice,))
    thread.start()
    while run.stats()["steps"] == 0:
        time.sleep(0)
    # the validator takes a thousandth of the time of the slice
    problem.violations([0] * len(problem))
    assert run.stats()["steps"] == slice
    thread.join()


def test_threads_find_the_same_and_lose_no_bytes():
    problem = Problem.from_csv((ROOT / "examples" / "infeasible-32.csv").read_text())
    graph = Problem.from_csv(SPILLS)
    placed = problem.with_profile("arm-ethos-u65-512k")
    before = [one._core.bytes for one in (problem, graph)]
    digests = []

    def work():
        for _ in range(20):
            problem.explain(problem.lower_bound, budget=2000)
            least = placed.minimize(solver="large", budget=2000)
            assert placed.violations(least.offsets) == []
            steps = sum(1 for _ in problem.steps(problem.lower_bound, solver="greedy"))
            digests.append((least.digest, steps, graph.solve(9216, solver="cosma", goal="traffic").digest))

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as threads:
            for done in [threads.submit(work) for _ in range(4)]:
                done.result()
    finally:
        sys.setswitchinterval(interval)
    assert len(digests) == 80 and len(set(digests)) == 1
    # what two threads count at once is lost
    gc.collect()
    assert [one._core.bytes for one in (problem, graph)] == before


def test_a_search_does_not_wait_for_the_end_of_another_of_its_problem():
    problem, _ = Problem.generate("synthetic", 400, 3)
    bound = int(problem.lower_bound)
    going = problem.steps(bound, solver="minimalloc", options=RULES_OFF)
    next(going)
    ended = threading.Event()

    def work():
        # no search without its rules ends on this
        problem.solve(bound, solver="minimalloc", options=RULES_OFF, budget=10_000_000)
        ended.set()

    thread = threading.Thread(target=work)
    thread.start()
    for _ in range(5):
        next(going)
    assert problem.solve(bound, solver="greedy").height > 0
    assert not ended.is_set()
    going.close()
    thread.join()


def test_a_link_holds_the_search():
    plan = Problem.from_csv(FIVE, "five.csv").solve(12)
    link = plan.link("https://example.org/")
    assert link.startswith("https://example.org/#s1.")
    shared = arenascope.links.decode(link)
    assert shared["finalDigest"] == plan.digest and shared["source"]["name"] == "five.csv"
    assert Problem.from_csv(shared["source"]["text"]).digest == plan.problem.digest
    many, _ = Problem.generate("random", 20_000, 1)
    with pytest.raises(ValueError, match="characters"):
        many.solve(2**40, solver="greedy").link()


@pytest.mark.parametrize("has", ["bank", "reserved"])
def test_a_link_holds_the_memory_of_a_profile(has):
    one = next(profile for profile in arenascope.profiles() if profile[has] > 0)
    plan = Problem.from_csv(FIVE, "five.csv").with_profile(one["id"]).minimize()
    shared = arenascope.links.decode(plan.link())
    assert shared["profile"]["capacity"] == (one["capacity"] + one["reserved"] if one["capacity"] else 0)
    # as it was given: the page places it itself
    again = Problem.from_csv(shared["source"]["text"]).with_profile(shared["profile"]["id"]).minimize()
    assert again.digest == plan.digest == shared["finalDigest"]


FORMAT = json.loads((ROOT / "web" / "docs" / "link-format.json").read_text())


@pytest.mark.parametrize("vector", FORMAT["vectors"], ids=lambda vector: vector["name"])
def test_links_are_read_and_written_as_their_document_tells(vector):
    assert FORMAT["names"] == arenascope.links.NAMES
    filled = lambda shared: {**FORMAT["defaults"], **shared, "view": None}
    read = arenascope.links.decode("https://example.org/#" + vector["fragment"] + "&embed=1")
    assert filled(read) == filled(vector["shared"])
    assert arenascope.links.decode(arenascope.links.encode(read)) == read
    with pytest.raises(ValueError, match="cut short"):
        arenascope.links.decode(vector["fragment"][:-9])
    with pytest.raises(ValueError, match="no link"):
        arenascope.links.decode("s2." + vector["fragment"][3:])


def test_results_become_tables():
    plan = Problem.from_csv(FIVE).solve(12)
    assert plan.to_csv().splitlines()[0] == "id,lower,upper,size,offset"
    assert isinstance(plan.offsets, np.ndarray) and plan.offsets.dtype == np.int64
    pandas = pytest.importorskip("pandas")
    for one in (plan, Problem.from_csv(SPILLS).solve(9216, solver="cosma", goal="traffic")):
        table = one.to_pandas()
        assert isinstance(table, pandas.DataFrame) and list(table["offset"]) == list(one.offsets)
