"""Faults in Python: the operators of mutmut, and three that it does not have.

mutmut leaves out whatever is decorated, because it keeps all variants of a function in one module. Here a fault is a
changed file, so commands, properties and the values of a module have faults, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import libcst as cst
from libcst.metadata import MetadataWrapper, WhitespaceInclusivePositionProvider
from mutmut.mutation.mutators import mutation_operators

from tests.mutants.fault import Fault, offsets_of_lines

#: Wording: tests compare codes and places. A word with a space beside it is no identifier, field or pattern.
WORDING = re.compile(r"[A-Za-z]{2,}[,.:;]? [a-z]|[a-z][,.:;]? [A-Za-z]{2,}")

#: Names of codecs and of what they do with errors: any case means the same.
CODECS = frozenset(
    ("utf-8", "utf-8-sig", "ascii", "replace", "ignore", "surrogateescape", "surrogatepass", "backslashreplace")
)  # fmt: skip
#: What is raised with words alone.
WORDED = frozenset(("UsageProblem", "ValueError", "RuntimeError", "QueryProblem", "CellProblem"))


def python_faults(file: Path) -> list[Fault]:
    """Return every fault that the operators make in a module, in the order of its lines."""
    source = file.read_text("utf-8")
    wrapper = MetadataWrapper(cst.parse_module(source), unsafe_skip_copy=True)
    visitor = _Faults(file, source)
    wrapper.visit(visitor)
    return sorted(set(visitor.found), key=lambda fault: (fault.start, fault.end, fault.replacement))


class _Faults(cst.CSTVisitor):
    METADATA_DEPENDENCIES = (WhitespaceInclusivePositionProvider,)

    def __init__(self, file: Path, source: str) -> None:
        super().__init__()
        self.file = file
        self.source = source
        self.lines = offsets_of_lines(source)
        self.found: list[Fault] = []

    def on_visit(self, node: cst.CSTNode) -> bool:
        """Collect the faults of a node; return whether there are more inside."""
        if _is_left_out(node):
            return False
        if isinstance(node, cst.If) and "sys.platform" in cst.Module([]).code_for_node(node.test):
            if node.orelse is not None:
                node.orelse.visit(self)
            return False  # what other systems run
        if isinstance(node, cst.If | cst.CompIf):
            self._keep(node.test, _negated(node.test))
        if isinstance(node, cst.Match) and len(node.cases) > 1:
            for case in node.cases:
                self._keep(case, None)
        for mutated in _variants(node):
            self._keep(node, mutated)
        return True

    def _keep(self, node: cst.CSTNode, mutated: cst.CSTNode | None) -> None:
        place = self.get_metadata(WhitespaceInclusivePositionProvider, node)
        start = self.lines[place.start.line - 1] + place.start.column
        end = self.lines[place.end.line - 1] + place.end.column
        code = ""
        if mutated is not None:
            code = cst.Module([]).code_for_node(mutated)
        # Only what differs is the fault: a diff and the line are those of an argument, not of a long call.
        old = self.source[start:end]
        first = _shared(old, code)
        last = _shared(old[first:][::-1], code[first:][::-1])
        if old == code or _only_layout(old, code):
            return
        line = self.source.count("\n", 0, start + first) + 1
        piece = code[first : len(code) - last]
        self.found.append(Fault(self.file, line, start + first, end - last, piece))


def _variants(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    if isinstance(node, cst.Match):
        return  # its cases are left out by their lines, which keeps the indentation
    is_zip = (
        isinstance(node, cst.Call) and isinstance(node.func, cst.Name) and node.func.value == "zip"
    )
    for kind, operator in mutation_operators:
        # An argument of zip that is left out is `strict`, or types see it.
        if isinstance(node, kind) and not is_zip:
            yield from operator(node)
    yield from _without_call(node)
    yield from _swapped_arguments(node)


def _without_call(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """Leave out a call that is made for its effect: a directory is not synced."""
    if isinstance(node, cst.Expr) and isinstance(node.value, cst.Call):
        yield cst.Pass()


def _negated(test: cst.BaseExpression) -> cst.BaseExpression:
    """Turn a condition round."""
    if isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not):
        return test.expression
    inner = test.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])
    return cst.UnaryOperation(cst.Not(), inner)


def _swapped_arguments(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """Exchange two neighboring names in a call: row and column."""
    if not isinstance(node, cst.Call):
        return
    for at, (left, right) in enumerate(zip(node.args, node.args[1:], strict=False)):
        plain = not (left.keyword or right.keyword or left.star or right.star)
        if plain and isinstance(left.value, cst.Name) and isinstance(right.value, cst.Name):
            both = [left.with_changes(value=right.value), right.with_changes(value=left.value)]
            yield node.with_changes(args=[*node.args[:at], *both, *node.args[at + 2 :]])


def _is_left_out(node: cst.CSTNode) -> bool:
    """Whether a fault here would be one of wording, of types only, or none at all."""
    match node:
        case cst.Annotation() | cst.Import() | cst.ImportFrom() | cst.Decorator():
            return True
        case cst.SimpleStatementLine(body=[cst.Expr(value=cst.SimpleString())]):
            return True  # a docstring
        case cst.SimpleString() if node.raw_value in CODECS:
            return True
        case cst.Call(func=cst.Name(value=name)) if name in WORDED:
            return True
        case cst.SimpleString() | cst.FormattedString() | cst.ConcatenatedString():
            return bool(WORDING.search(cst.Module([]).code_for_node(node)))
        case cst.Arg(
            keyword=cst.Name(value="strict" | "help" | "hint" | "explanation" | "short_help")
        ):
            return True  # `strict` of zip: an assertion about columns of one table
        case cst.If(test=cst.Name(value="TYPE_CHECKING")) | cst.Assert():
            return True
        case cst.Call(func=cst.Name(value="cast" | "TypeVar" | "NewType")):
            return True
    return False


def _shared(left: str, right: str) -> int:
    """Return how many characters two texts have in common at their start."""
    count = 0
    for one, other in zip(left, right, strict=False):
        if one != other:
            break
        count += 1
    return count


def _only_layout(old: str, new: str) -> bool:
    return "".join(old.split()) == "".join(new.split())
