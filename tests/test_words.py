"""What the project writes is plain English: words of its old dialect do not come back.

Readers meet these texts in help, messages, hints, docstrings, comments, templates, pages and guides.
"""

import ast
import io
import re
import tokenize
from pathlib import Path

ROOT = Path(__file__).parents[1]
#: What is not written -> what is written instead.
INSTEAD = {
    r"h(old|olds|eld)( \S+){1,5} against": "check against, compare with",
    r"mend(s|ed|ing)?": "fix",
    r"(say|says|said|saying)": "show, report, print",
    r"(stand|stands|standing) (in|at|on|twice|once|there|beside)": "is, appears",
    r"doubled": "duplicate, repeated",
    r"signs": "characters",
    r"blanks?(?! lines?\b)": "whitespace, empty",
    r"lacking": "missing",
    r"(un)?sound": "valid",
    r"(?<!there )(is|are|was) no(?= )(?! (longer|more|wider))": "is not a; unknown",
    r"given out in": "assigned in",
    r"one (row|line|object|cell|file|paper) an?|once a (clone|run|day)": "per",
    r"(go|goes|went) away|let(s)? go of": "is removed, drop",
    r"at hand": "available",
    r"(room|wing|house)s?": "package, module, space",
    r"(artefact|licence)s?": "artifact, license",
}
OLD_WORDS = re.compile("|".join(rf"\b(?:{words})\b" for words in INSTEAD), re.IGNORECASE)
#: Where such a word is meant -> why.
ALLOWED = {
    ("corpus/curation/importing/readers/markdown.py", "licence"): "a heading in lists of others",
    ("corpus/analysis/evidence/tables.py", "lacking"): "a key of the codebook",
    ("docs/codebook-format.md", "lacking"): "a key of the codebook",
    ("data/codebook.toml", "lacking"): "a key of the codebook",
    ("data/codebook.toml", "said"): "what agents say to each other",
    ("corpus/analysis/agreement/agreement.py", "lacking"): "a field of the JSON report",
    ("corpus/publishing/manuscript/statements.py", "lacking"): "a word that manuscripts use",
    ("corpus/printing/escape.py", "say"): "a quotation in an example",
    ("corpus/tables/writing/writer.py", "say"): "a quotation in an example",
    ("corpus/traces/frames.py", "says"): "an event of an example trace",
}


def python_texts(path):
    """Every string of more than a word, and every comment."""
    source = path.read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
            yield node.value
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.string


def texts(path):
    if path.suffix == ".py":
        yield from python_texts(path)
    else:
        # What commands print in a guide is tested where it is printed.
        yield re.sub(r"```.*?```", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)


def written():
    # The changelog keeps the words of its time.
    found = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]
    found += (ROOT / "data").glob("*.toml")
    for ending in ("py", "j2", "js", "css", "html"):
        found += (ROOT / "corpus").rglob(f"*.{ending}")
    return [path for path in sorted(found) if "_data" not in path.parts]


def test_no_text_has_a_word_of_the_old_dialect():
    found = []
    met = set()
    for path in written():
        name = path.relative_to(ROOT).as_posix()
        for text in texts(path):
            line = " ".join(text.split())
            for match in OLD_WORDS.finditer(line):
                place = (name, match[0].lower())
                met.add(place)
                if place not in ALLOWED:
                    found.append(f"{name}: {line[max(match.start() - 40, 0) : match.end() + 20]}")
    assert found == []
    assert met == ALLOWED.keys(), "allowed, but not there"
