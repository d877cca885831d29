"""Links that the page opens: `s1.` and base64url(deflate(JSON)), with short names of fields (web/docs/links.md)."""

import base64
import json
import zlib
from typing import Any, Callable, Dict

from . import _core

#: Past this many characters a link breaks in too many places (mail, chat).
LIMIT = 32 * 1024
#: Unpacked; the page takes no more either.
_UNPACKED = 4 * 2**20
_PREFIX = "s1."
#: A name's place, in base 36, is its short form. The list only grows, at its end.
NAMES = (
    "source solver capacity step digest steps finalDigest kind file ended checkpoints view name text options lowering viewport tab colour pinned t0 t1 b0 b1 "
    "profile goal seed budget marks note stops what on range from to id title vendor reserved alignment alignBy bank mayCross format buffer than rule section "
    "event message ask question hint answer compare lanes choice"
).split()
#: Tables whose keys are no fields.
_TABLES = {"options", "lowering"}


def _base36(number: int) -> str:
    digits = "0123456789abcdefghijklmnopqrstuvwxyz"
    return digits[number] if number < 36 else digits[number // 36] + digits[number % 36]


_SHORT = {name: _base36(k) for k, name in enumerate(NAMES)}
_LONG = {short: name for name, short in _SHORT.items()}


def _renamed(value: Any, names: Dict[str, str], is_table: Callable[[str], bool]) -> Any:
    if isinstance(value, list):
        return [_renamed(one, names, is_table) for one in value]
    if not isinstance(value, dict):
        return value
    return {names.get(key, key): one if is_table(key) else _renamed(one, names, is_table) for key, one in value.items()}


def profile(name: str) -> Dict[str, Any]:
    """An accelerator's memory as links have it, whole, so that a page that does not know it has it too."""
    found = next(one for one in _core.profiles() if one["id"] == name)
    own = {key: found[key] for key in ("id", "title", "vendor", "reserved", "alignment", "bank")}
    whole = found["capacity"] + (found["reserved"] if found["capacity"] else 0)
    return {**own, "capacity": whole, "alignBy": found["align_by"], "mayCross": found["may_cross"]}


def encode(shared: Dict[str, Any]) -> str:
    """What stands behind the # of a link. shared: as in a saved file, without the fields that have defaults."""
    text = json.dumps(_renamed(shared, _SHORT, _TABLES.__contains__), separators=(",", ":"), ensure_ascii=False)
    return _PREFIX + base64.urlsafe_b64encode(zlib.compress(text.encode(), 9)).decode().rstrip("=")


def decode(link: str) -> Dict[str, Any]:
    """What a link holds; flags behind an & are passed over. ValueError if it is none, cut short or damaged. It is not checked any further."""
    fragment = link.split("#")[-1].split("&")[0]
    if not fragment.startswith(_PREFIX):
        raise ValueError("this is no link of version 1")
    payload = fragment[len(_PREFIX) :]
    try:
        packed = base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4))
        unpacker = zlib.decompressobj()
        text = unpacker.decompress(packed, _UNPACKED)
        if not unpacker.eof:
            raise ValueError("the link is cut short, or holds more than a link may")
        shared = json.loads(text)
    except (zlib.error, UnicodeDecodeError) as error:
        raise ValueError("the link is cut short or changed") from error
    return _renamed(shared, _LONG, lambda key: _LONG.get(key, key) in _TABLES)
