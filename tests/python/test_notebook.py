"""Plans as figures, and the page in notebooks."""

import urllib.request
from pathlib import Path

import pytest

import arenascope
from arenascope import Problem, page

ROOT = Path(__file__).resolve().parents[2]
FIVE = Problem.from_csv((ROOT / "examples" / "five.csv").read_text(), "five.csv")
needs_page = pytest.mark.skipif(not (ROOT / "dist" / "index.html").is_file(), reason="the page is not built")


def test_a_plan_is_drawn_where_its_buffers_are_alive():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    problem = Problem.from_arrays([0, 2], [9, 4], [4, 4], gaps={0: [(2, 4), (5, 6)]})
    assert problem.gaps == {0: [(2, 4), (5, 6)]}
    axes = problem.minimize().plot()
    (boxes,) = axes.collections
    drawn = sorted(tuple(path.get_extents().bounds) for path in boxes.get_paths())
    # three pieces of one, the other in its gap, all at address 0
    assert drawn == [(0, 0, 2, 4), (2, 0, 2, 4), (4, 0, 1, 4), (6, 0, 3, 4)]
    assert axes.get_xlim() == (0, 9)
    fitted = FIVE.solve(12).plot()
    assert [line.get_label() for line in fitted.lines] == ["capacity"]


@needs_page
def test_the_page_is_served_from_here_and_nothing_else_is():
    where = page.address()
    assert where.startswith("http://127.0.0.1:") and page.address() == where
    with urllib.request.urlopen(where) as answer:
        assert b"<title>" in answer.read()
    wasm = next(page.folder().glob("assets/lean*.wasm")).name
    with urllib.request.urlopen(f"{where}assets/{wasm}") as answer:
        assert answer.headers["content-type"] == "application/wasm"
    for path in ("assets/", "../pyproject.toml", "%2e%2e/pyproject.toml"):
        with pytest.raises(urllib.error.HTTPError):
            urllib.request.urlopen(where + path)


def test_a_notebook_is_handed_the_search(monkeypatch):
    pytest.importorskip("anywidget")
    monkeypatch.setenv("ARENASCOPE_PAGE", "https://example.org/arenascope/")
    plan = FIVE.solve(12)
    widget = plan.show(step=3)
    assert (widget.page, widget.step, widget.height) == ("https://example.org/arenascope/", 3, 520)
    assert widget.search == plan.shared() == arenascope.links.decode(plan.link())
    assert "arenascope/open" in widget._esm
