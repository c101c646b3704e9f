"""The program knows kinds of columns, not the taxonomy of the survey that it was first written for."""

import ast
import re
from pathlib import Path

import corpus
from corpus.tables.documents import read_codebook
from tests.conftest import REAL

PACKAGE = Path(corpus.__file__).parent
#: Terms and labels that are plain English words as well, with what the program means by them.
ORDINARY = {
    "NA": "the term that an import makes of 'not applicable'",
    "not applicable": "a label in print",
    "approximate": "a search hit by another word",
    "yes": "a truth value in files",
    "no": "a truth value in files",
    "–": "a dash for an empty cell",
    "category": "what people call the column that groups",
    "code": "the code of a finding, a code element",
    "figure": "a part of what a corpus declares and draws",
    "message": "a field of an answer, of a finding",
    "limit": "a parameter of a service",
    "token": "where the next page of a service starts",
    "stated": "what a sentence says beside what its claim expects",
    "reported": "what a review counted, an identifier that is named as left out",
    "preprint": "a version before its publication",
    "overlap": "works that two lists share",
    "near": "a reading of evidence, a distance of titles",
    "strict": "a reading of evidence, a parser that is strict",
    "broad": "a reading of evidence",
    "reading": "a reading of evidence",
    "role": "the role of a column",
    "shared": "tags in common",
    "full text": "a usual screening stage",
    "title and abstract": "a usual screening stage",
    "turns": "what a pool becomes by a change",
    "unknown": "a name or a value that is not known",
    "web": "a website",
    "msg": "the message of a JSON error",
}


def taxonomy():
    """Every term, label, group and axis that the codebook of this survey declares."""
    book = read_codebook(str(REAL))
    names = {column.name for column in book.pool.axes} | {column.label for column in book.pool.axes}
    for vocabulary in book.vocabularies.values():
        names |= {name for term in vocabulary.terms for name in (term.id, term.label)}
        names |= {name for group in vocabulary.groups for name in (group.id, group.label)}
    return names


def sources():
    """The program's own text files; traces have a fixed model of their own, which shares words with the survey."""
    for path in sorted(PACKAGE.rglob("*")):
        below = path.relative_to(PACKAGE)
        traces = "traces" in below.parts
        if (
            path.suffix in (".py", ".j2", ".js", ".toml", ".csv")
            and below.parts[0] != "_data"
            and not traces
        ):
            yield path


def literals(path):
    """The quoted texts of a file; docstrings, whose examples show the shipped corpus, are left out."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        yield from (
            match[2] for match in re.finditer(r"""(["'`])((?:(?!\1)[^\\\n]|\\.)*)\1""", text)
        )
        return
    tree = ast.parse(text)
    documentation = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and id(node) not in documentation
        ):
            yield node.value


def test_no_term_label_or_axis_of_this_survey_is_a_literal_of_the_program():
    names = taxonomy() - set(ORDINARY)
    found = [
        (str(path.relative_to(PACKAGE)), text)
        for path in sources()
        for text in literals(path)
        if text in names
    ]
    assert found == []


def test_no_literal_has_a_distinctive_name_of_this_survey():
    distinctive = [
        name
        for name in taxonomy() - set(ORDINARY)
        if "_" in name or re.search(r"[a-z][A-Z]|[0-9]", name)
    ]
    pattern = re.compile(
        r"(?<![A-Za-z0-9_])(" + "|".join(map(re.escape, distinctive)) + r")(?![A-Za-z0-9_])"
    )
    found = [
        (str(p.relative_to(PACKAGE)), t)
        for p in sources()
        for t in literals(p)
        if pattern.search(t)
    ]
    assert found == []


def test_no_title_or_key_of_the_pool_is_named():
    rows = (REAL / "pool.csv").read_text(encoding="utf-8").splitlines()[1:]
    keys = {
        row.split(",", 1)[0]
        for row in rows
        if "-" in row.split(",", 1)[0] or row.split(",", 1)[0][-1].isdigit()
    }
    assert len(keys) > 40
    found = [
        (str(path.relative_to(PACKAGE)), text)
        for path in sources()
        for text in literals(path)
        if text in keys
    ]
    assert found == []
