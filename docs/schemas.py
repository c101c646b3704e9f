"""JSON Schemas of the TOML documents of a corpus, made by watching their readers.

Every document is read through :class:`corpus.model.documents.section.Section`, key by key. Here its
methods also write down which keys a section is asked for, of which type, and which must be given,
while `corpus check` reads the corpora of the repository. What the description of a key is comes
from the tables of the pages on formats.
"""

from __future__ import annotations

import functools
import json
import re
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from typing import Any

from click.testing import CliRunner

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from corpus.cli.main import main
from corpus.model.documents.section import Section
from corpus.tables.documents import parsed_codebook
from tests.corpora.full import write_full
from tests.corpora.minimal import write_minimal

FOLDER = Path(__file__).resolve().parent
DOCUMENTS = ("codebook", "claims", "protocol", "searches", "releases")
#: Where keys are explained: rows of tables that begin with the key in code.
PAGES = {"codebook-format.md": "codebook", "claims-format.md": "claims", "searching.md": "searches"}
#: Headings that are not the place of the keys below them.
PLACES = {
    ("claims", "Guards and tracked claims"): "claims",
    ("claims", "What the sentence states"): "claims",
    ("claims", "Which rows"): "claims",
    ("claims", "What they must yield (exactly one of these)"): "claims",
    ("searches", "searches.toml"): "searches",
}

_TEXT = {"type": "string"}
_TEXTS = {"type": "array", "items": _TEXT}
#: Method of a section -> the schema of the value that it reads.
_TYPES: dict[str, dict[str, Any]] = {
    "text": _TEXT,
    "scalar": {"type": ["string", "number"]},
    "flag": {"type": "boolean"},
    "number": {"type": "number"},
    "whole": {"type": "integer"},
    "strings": _TEXTS,
    "some_strings": {**_TEXTS, "minItems": 1},
    "texts": {"type": "object", "additionalProperties": _TEXT},
    "section": {"type": "object"},
    "sections": {"type": "array"},
    "raw": {},
}
#: These have a default for a value that is not given.
_ALWAYS_OPTIONAL = ("texts", "sections", "raw")

Pattern = tuple[str, ...]


class Watch:
    """What sections were asked for, by the place of the section: its keys, and `*` for any name.

    Attributes
    ----------
    asked : dict
        Place -> key -> schemas of what was read there.
    needed : dict
        Place -> key -> number of sections that must have it.
    seen : dict
        Place -> number of sections.
    closed : set
        Places whose sections may have no other key.
    """

    def __init__(self) -> None:
        self.asked: dict[Pattern, dict[str, list[dict[str, Any]]]] = defaultdict(
            lambda: defaultdict(list)
        )
        self.needed: dict[Pattern, dict[str, int]] = defaultdict(lambda: defaultdict(int))
        self.seen: dict[Pattern, int] = defaultdict(int)
        self.closed: set[Pattern] = set()
        self.is_inside = False
        # Checks run in threads; what one of them notes is no answer to another.
        self.lock = RLock()

    @contextmanager
    def inside(self) -> Iterator[None]:
        """Note nothing meanwhile."""
        before, self.is_inside = self.is_inside, True
        yield
        self.is_inside = before

    def place(self, section: Section) -> Pattern:
        """Return where a section is: its document, then keys, `*` and `[]`."""
        if not hasattr(section, "pattern"):
            keys = ("[]" if isinstance(part, int) else part for part in section.path)
            section.pattern = (Path(section.file).stem, *keys)
            for end in range(1, len(section.pattern)):
                key = section.pattern[end]
                if key != "[]":
                    is_item = section.pattern[end + 1 : end + 2] == ("[]",)
                    kind = _TYPES["sections" if is_item else "section"]
                    schemas = self.asked[section.pattern[:end]][key]
                    if kind not in schemas:
                        schemas.append(kind)
        if not hasattr(section, "counted"):
            section.counted = set()
            self.seen[section.pattern] += 1
        return section.pattern

    def note(self, section: Section, key: str, schema: dict[str, Any], is_needed: bool) -> None:
        """Write down that a section was asked for a key."""
        place = self.place(section)
        if self.is_inside:
            return  # a method of the section asks for it, which has been noted itself
        if key in getattr(section, "iterated", ()):
            key = "*"
        if schema not in self.asked[place][key]:
            self.asked[place][key].append(schema)
        if is_needed and key not in section.counted | getattr(section, "looked_for", set()):
            section.counted.add(key)
            self.needed[place][key] += 1

    def schema(self, place: Pattern) -> dict[str, Any]:
        """Return the schema of the sections of a place."""
        found: dict[str, Any] = {"type": "object"}
        for key, schemas in sorted(self.asked[place].items()):
            value = self._value((*place, key), schemas)
            if key == "*":
                found["additionalProperties"] = value
                continue
            names = [part for part in place[1:] if part not in ("*", "[]")]
            meaning = DESCRIPTIONS.get((place[0], ".".join(names), key))
            if meaning:
                value = {"description": meaning, **value}
            found.setdefault("properties", {})[key] = value
        required = [
            key
            for key, number in sorted(self.needed[place].items())
            if number == self.seen[place] and key != "*"
        ]
        if required:
            found["required"] = required
        if place in self.closed and "*" not in self.asked[place]:
            found["additionalProperties"] = False
        return found

    def _value(self, place: Pattern, schemas: list[dict[str, Any]]) -> dict[str, Any]:
        kinds = []
        for schema in schemas:
            if schema == _TYPES["section"]:
                kinds.append(self.schema(place))
            elif schema == _TYPES["sections"]:
                kinds.append({"type": "array", "items": self.schema((*place, "[]"))})
            else:
                kinds.append(schema)
        # What is also read without a type may be anything, but a section or an array of them.
        sections = [kind for kind in kinds if "properties" in kind.get("items", kind)]
        if {} in kinds:
            kinds = sections or [{}]
        if not kinds:
            return {}  # only allowed so far
        return kinds[0] if len(kinds) == 1 else {"anyOf": kinds}


def watched(watch: Watch) -> Callable[[], None]:
    """Make sections tell `watch` what they are asked for; return what ends it."""
    originals: dict[str, Any] = {}

    def replace(name: str, make: Callable[[Any], Any]) -> None:
        originals[name] = getattr(Section, name)
        method = make(originals[name])

        def locked(*given: Any, **named: Any) -> Any:
            with watch.lock:
                return method(*given, **named)

        setattr(Section, name, functools.wraps(originals[name])(locked))

    def reading(name: str, schema: dict[str, Any]) -> Callable[[Any], Any]:
        def make(original: Any) -> Any:
            def method(self: Section, key: str, *given: Any, **named: Any) -> Any:
                default = given[0] if given else named.get("default", named.get("required", True))
                is_needed = name not in _ALWAYS_OPTIONAL and default in (None, True)
                if name == "flag":
                    is_needed = False
                watch.note(self, key, schema, is_needed)
                with watch.inside():
                    return original(self, key, *given, **named)

            return method

        return make

    def one_of(original: Any) -> Any:
        def method(self: Section, key: str, known: Any, default: str | None = None) -> str:
            names = list(known)
            watch.note(self, key, _TEXT, default is None)
            with watch.inside():
                return str(original(self, key, names, default))

        return method

    def iterate(original: Any) -> Any:
        def method(self: Section) -> Iterator[str]:
            self.iterated = set(self._data)
            watch.place(self)
            return iter(original(self))

        return method

    def child(original: Any) -> Any:
        def method(self: Section, data: Any, *inside: str | int) -> Section:
            found: Section = original(self, data, *inside)
            place = watch.place(self)
            for part in inside:
                is_name = part in getattr(self, "iterated", ())
                place = (*place, "[]" if isinstance(part, int) else "*" if is_name else part)
            found.pattern = place
            watch.place(found)
            return found

        return method

    def has(original: Any) -> Any:
        def method(self: Section, key: str) -> bool:
            if not watch.is_inside:  # what the reader looks for first need not be given
                self.looked_for = {key, *getattr(self, "looked_for", ())}
            return bool(original(self, key))

        return method

    def children(original: Any) -> Any:
        def method(self: Section) -> dict[str, Section]:
            self.iterated = set(self._data)
            for name in self.iterated:
                watch.note(self, name, _TYPES["section"], False)
            with watch.inside():
                return dict(original(self))

        return method

    def finish(original: Any) -> Any:
        def method(self: Section, is_open: bool = False) -> None:
            if not is_open:
                watch.closed.add(watch.place(self))
            original(self, is_open)

        return method

    def allow(original: Any) -> Any:
        def method(self: Section, keys: Any) -> None:
            names = list(keys)
            for name in names:
                watch.asked[watch.place(self)][name]  # a key without a known type
            original(self, names)

        return method

    for name, schema in _TYPES.items():
        replace(name, reading(name, schema))
    for name, make in {
        "one_of": one_of,
        "has": has,
        "__iter__": iterate,
        "_child": child,
        "children": children,
        "finish": finish,
        "allow": allow,
    }.items():
        replace(name, make)

    def end() -> None:
        for name, original in originals.items():
            setattr(Section, name, original)

    return end


def descriptions() -> dict[tuple[str, str, str], str]:
    """Return what the pages on formats tell: document, dotted place and key -> the meaning."""
    found: dict[tuple[str, str, str], str] = {}
    for name, document in PAGES.items():
        page = (FOLDER / name).read_text(encoding="utf-8")
        for part in re.split(r"^##+ ", page, flags=re.MULTILINE):
            heading = part.partition("\n")[0]
            place = PLACES.get((document, heading), heading)
            for keys, meaning in re.findall(r"^\| (`[^|]+`) \| (.+) \|$", part, re.MULTILINE):
                for key in re.findall(r"`([a-z_]+)`", keys):
                    found.setdefault((document, place, key), meaning.split(" | ")[-1].strip())
    return found


DESCRIPTIONS = descriptions()


def schemas(folders: list[Path]) -> dict[str, str]:
    """Return the schema of each document, as text, made while these corpora are checked."""
    watch = Watch()
    end = watched(watch)
    # What this process has read before would not be read again.
    parsed_codebook.cache_clear()
    try:
        for folder in folders:
            for command in ("check", "claims", "retrieve --check", "figures --list"):
                name, *options = command.split()
                CliRunner().invoke(main, [name, "--data", str(folder), *options])
    finally:
        end()
    made = {}
    for name in DOCUMENTS:
        schema = {
            "$schema": "http://json-schema.org/draft-07/schema#",
            "title": f"{name}.toml of a corpus",
            **watch.schema((name,)),
        }
        made[f"{name}.schema.json"] = json.dumps(schema, indent=1, ensure_ascii=False) + "\n"
    return made


def made_up(folder: Path) -> list[Path]:
    """Write the corpora of the tests below a folder; between them they have every section."""
    return [write_minimal(folder / "minimal"), write_full(folder / "full")]
