"""Plans as figures, and the page in notebooks."""

import json
import shutil
import subprocess
import urllib.request
from pathlib import Path

import arenascope
import pytest
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


#: A notebook's side of the widget, with a page that says what it is told to say.
NOTEBOOK = """
const state = { page: 'https://example.org/', search: { solver: 'exact' }, step: 3, height: 520 }
const changed = {}
const said = []
const model = {
  get: (name) => state[name],
  on: (name, what) => (changed[name.replace('change:', '')] = what),
  save_changes() {},
  set(name, value) {
    const other = state[name] !== value
    state[name] = value
    if (other) changed[name]?.()
  },
}
const contentWindow = { postMessage: (message) => said.push(message) }
globalThis.document = { createElement: () => ({ style: {}, contentWindow }) }
let hear
globalThis.addEventListener = (_, what) => (hear = what)
const { default: widget } = await import('data:text/javascript,' + encodeURIComponent(SCRIPT))
widget.render({ model, el: { append() {} } })
const page = (data) => hear({ source: contentWindow, data })
page({ type: 'arenascope/ready' })
page({ type: 'arenascope/step', step: 9 })
page({ type: 'arenascope/step', step: 3 })
model.set('step', 5)
page({ type: 'arenascope/step', step: 5 })
hear({ source: {}, data: { type: 'arenascope/step', step: 1 } })
page({ type: 'arenascope/error', message: 'no' })
console.log(JSON.stringify([said, state.step, state.error]))
"""


@pytest.mark.skipif(shutil.which("node") is None, reason="the widget is JavaScript")
def test_the_widget_follows_the_page_and_does_not_lead_it_back():
    code = f"const SCRIPT = {json.dumps(page._SCRIPT)}\n{NOTEBOOK}"
    done = subprocess.run(["node", "--input-type=module", "-e", code], capture_output=True, text=True, check=True)
    said, step, error = json.loads(done.stdout)
    opened = {"type": "arenascope/open", "search": {"solver": "exact"}, "step": 3}
    assert (said, step, error) == ([opened, {"type": "arenascope/seek", "step": 5}], 5, "no")
