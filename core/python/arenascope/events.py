"""Events as typed objects: a class for each kind of the manifest (core/include/asc/events.def), with its arguments as attributes."""

import keyword
from dataclasses import dataclass, field, make_dataclass
from typing import Dict, List, Optional, Tuple, Type

from . import _core


@dataclass(frozen=True)
class Event:
    """Of any kind. step counts from 1 (0: what is open before the first), line is of the solver's pseudocode (0: none), depth the buffers placed after it."""

    step: int
    line: int
    depth: int
    #: buffers (or operators) that it names beside its arguments; what they are, `meaning` says
    listed: Tuple[int, ...] = field(repr=False)

    kind = ""
    meaning = ""
    is_step = False


#: what an index is where there is none
_NONE = 2**32 - 1
_INDICES = {"BUFFER", "SECTION", "OPERATOR"}


def _class_of(name: str, args: List[Tuple[str, str]], is_step: bool, meaning: str) -> Type[Event]:
    types = {"FLAG": bool}
    # an argument that is a word of Python's gets an underscore: from_
    fields = [(arg + "_" if keyword.iskeyword(arg) else arg, Optional[int] if kind in _INDICES else types.get(kind, int)) for arg, kind in args]
    title = "".join(part.capitalize() for part in name.split("_"))
    # the listed buffers have no default in the base class, so that arguments may follow
    return make_dataclass(
        title,
        fields,
        bases=(Event,),
        frozen=True,
        namespace={"kind": name, "meaning": meaning, "is_step": is_step, "__doc__": meaning, "_args": tuple(args)},
    )


_CLASSES = [_class_of(name, args, is_step, meaning) for name, args, is_step, meaning in _core.event_kinds()]
#: by name: EVENTS["place"]
EVENTS: Dict[str, Type[Event]] = {one.kind: one for one in _CLASSES}


def typed(raw) -> Event:
    """Of what the library's log says: (kind, step, line, depth, arguments, list)."""
    kind, step, line, depth, values, listed = raw
    of = _CLASSES[kind]
    args = []
    for (_, sort), value in zip(of._args, values):
        if sort in _INDICES:
            args.append(None if value == _NONE else value)
        else:
            args.append(bool(value) if sort == "FLAG" else value)
    return of(step, line, depth, tuple(listed), *args)
