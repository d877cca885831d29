"""The page itself, in notebooks and offline: served from this package, or from wherever $ARENASCOPE_PAGE says that it is."""

from __future__ import annotations

import os
import threading
from functools import lru_cache, partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Dict, Optional

_TYPES = {".js": "text/javascript", ".mjs": "text/javascript", ".wasm": "application/wasm", ".webmanifest": "application/manifest+json"}


def folder() -> Path:
    """The built page: in the wheel, or of the checkout."""
    here = Path(__file__).resolve().parent
    for place in (here / "page", *(parent / "dist" for parent in (*here.parents[2:3], Path.cwd()))):
        if (place / "index.html").is_file():
            return place
    raise RuntimeError("the page is not in this package: build it (./build.sh web), or name its address in ARENASCOPE_PAGE")


class _Files(SimpleHTTPRequestHandler):
    extensions_map = {**SimpleHTTPRequestHandler.extensions_map, **_TYPES}

    def log_message(self, *args: Any) -> None:
        pass

    def list_directory(self, path):
        self.send_error(404)


@lru_cache(maxsize=1)
def _served() -> str:
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Files, directory=str(folder())))
    threading.Thread(target=server.serve_forever, name="arenascope page", daemon=True).start()
    return f"http://127.0.0.1:{server.server_address[1]}/"


def address() -> str:
    """Where the page is. The first call without ARENASCOPE_PAGE serves it on this machine until the process ends; nothing else is served.
    Where the notebook's browser is elsewhere, set ARENASCOPE_PAGE to a page that it reaches."""
    return os.environ.get("ARENASCOPE_PAGE") or _served()


_SCRIPT = """
function render({ model, el }) {
  const frame = document.createElement('iframe')
  frame.style.cssText = `border:0;width:100%;height:${model.get('height')}px`
  frame.title = 'Arenascope'
  const page = model.get('page')
  const say = (asked) => frame.contentWindow?.postMessage(asked, new URL(page).origin)
  const open = () => say({ type: 'arenascope/open', search: model.get('search'), step: model.get('step') })
  let ready = false
  // what the page says of itself is not asked of it again: it may be somewhere else by then
  let told = -1
  const hear = ({ source, data }) => {
    if (source !== frame.contentWindow) return
    if (data.type === 'arenascope/ready') {
      ready = true
      open()
    } else if (data.type === 'arenascope/step') {
      told = data.step
      model.set('step', told)
    } else if (data.type === 'arenascope/result') model.set('result', data)
    else if (data.type === 'arenascope/error') model.set('error', data.message)
    else return
    model.save_changes()
  }
  addEventListener('message', hear)
  model.on('change:search', () => ready && open())
  model.on('change:step', () => {
    const step = model.get('step')
    if (!ready || step === told) return
    told = step
    say({ type: 'arenascope/seek', step })
  })
  frame.src = `${page}#&embed=1`
  el.append(frame)
  return () => removeEventListener('message', hear)
}
export default { render }
"""


@lru_cache(maxsize=1)
def _widget_class():
    import anywidget
    import traitlets

    class Arena(anywidget.AnyWidget):
        """The page in a notebook. step may be set, and follows the page; result and error are what it says of the search."""

        _esm = _SCRIPT
        page = traitlets.Unicode().tag(sync=True)
        search = traitlets.Dict().tag(sync=True)
        step = traitlets.Int().tag(sync=True)
        height = traitlets.Int(520).tag(sync=True)
        result = traitlets.Dict().tag(sync=True)
        error = traitlets.Unicode().tag(sync=True)

    return Arena


def show(search: Dict[str, Any], step: Optional[int] = None, height: int = 520):
    """A widget with a search (web/docs/links.md) at a step, by default its own; needs anywidget. Problems may be of any length."""
    return _widget_class()(page=address(), search=search, step=search.get("step", 0) if step is None else step, height=height)
