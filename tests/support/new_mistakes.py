"""Mistakes of kinds that nobody wrote a rule for, made in the files of today, each in a copy of its own.

The kinds were written down from what people do to such files, without a look at the rules: they
retype, paste, sort, copy rows, follow the wrong link, lower a bar, rewrite what was published. A
copy is compared with the corpus of today by `corpus diff`, which checks it in full. Claims are set
aside, as in :mod:`tests.support.mistakes`, which writes the table of both.
"""

import csv
import json
import random
import re
import shutil
from collections import defaultdict
from collections.abc import Callable
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from click.testing import CliRunner

from corpus.cli.main import main

DATA = Path(__file__).parents[2] / "data"
#: Makes a mistake in a copy of the data folder.
Spoil = Callable[[Path, random.Random], None]
#: What fails because a number moved, which growth does as well.
BY_CLAIMS = frozenset({"C601", "C603", "C604"})


class NewKind(NamedTuple):
    """A kind of mistake; `silent` is why nothing needs to be found, where nothing is."""

    name: str
    spoil: Spoil
    silent: str = ""


def cells(table, column, change, where=""):
    """Change one cell: of the rows with a text in it, those that `where` matches."""

    def spoil(data, rng):
        with rewritten(data / f"{table}.csv") as rows:
            header = rows[0]
            place = header.index(column)
            fitting = [row for row in rows[1:] if row[place] and re.search(where, row[place])]
            changed = [row for row in fitting if change(row[place], random.Random(1)) != row[place]]
            row = rng.choice(changed)
            row[place] = change(row[place], rng)

    return spoil


@contextmanager
def rewritten(path):
    """Give the rows of a table, and write them back in the end."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    yield rows
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)


def text(file, old, new):
    """Replace one of the places of a document that match a pattern."""

    def spoil(data, rng):
        path = data / file
        content = path.read_text("utf-8")
        found = rng.choice(list(re.finditer(old, content, re.MULTILINE)))
        path.write_text(
            content[: found.start()] + found.expand(new) + content[found.end() :], "utf-8"
        )

    return spoil


def copied_row(table, key=0):
    """Copy a row under another key."""

    def spoil(data, rng):
        with rewritten(data / f"{table}.csv") as rows:
            row = list(rng.choice(rows[1:]))
            row[key] = f"{row[key]}x" if not row[key][-1].isdigit() else f"{row[key]}9"
            rows.append(row)
            rows[1:] = sorted(rows[1:])

    return spoil


def swapped_cells(table, column):
    """Exchange the cells of two rows."""

    def spoil(data, rng):
        with rewritten(data / f"{table}.csv") as rows:
            place = rows[0].index(column)
            one = rng.choice([row for row in rows[1:] if row[place]])
            other = rng.choice([row for row in rows[1:] if row[place] not in ("", one[place])])
            one[place], other[place] = other[place], one[place]

    return spoil


def removed_row(table):
    def spoil(data, rng):
        with rewritten(data / f"{table}.csv") as rows:
            rows.remove(rng.choice(rows[1:]))

    return spoil


def removed_file(file):
    return lambda data, _: (data / file).unlink()


def other_digit(cell, rng):
    places = [n for n, letter in enumerate(cell) if letter.isdigit()]
    place = rng.choice(places)
    digit = rng.choice([d for d in "123456789" if d != cell[place]])
    return cell[:place] + digit + cell[place + 1 :]


def tenfold(cell, _):
    return f"{cell}0" if "." not in cell else str(float(cell) * 10)


def without_word(cell, rng):
    words = cell.split()
    del words[rng.randrange(len(words))]
    return " ".join(words) or cell


def negated(cell, _):
    return re.sub(r"\b(is|are|has|have|was|does)\b", r"\1 not", cell, count=1)


_READ = "read by a person in a text; nothing stored repeats it"
_PLAIN = "two spellings of one thing; a reader loses nothing"
_OWN = "a judgement of the maintainers; what it must agree with is not stored"
_SENTENCE = "of sentences only numbers are compared, where they can be told"

# One kind a row.
# fmt: off
NEW_KINDS: tuple[NewKind, ...] = (
    NewKind("exclusion: titles of two records exchanged", swapped_cells("exclusions", "screening_label")),
    NewKind("exclusion: identifiers of two records exchanged", swapped_cells("exclusions", "identifier"), "records that are pages and no papers have no identifier to compare"),
    NewKind("exclusion: reasons of two records exchanged", swapped_cells("exclusions", "exclusion_reason"), _OWN),
    NewKind("exclusion: a word of the title left out", cells("exclusions", "screening_label", without_word, r"\w+ \w+ \w+")),
    NewKind("exclusion: copied under another number", copied_row("exclusions")),
    NewKind("exclusion: removed", removed_row("exclusions")),
    NewKind("exclusion: address of a mirror", cells("exclusions", "url", lambda cell, _: cell.replace("arxiv.org/abs", "papers.example"), "arxiv")),
    NewKind("exclusion: another source than where it was found", swapped_cells("exclusions", "source"), _READ),
    NewKind("exclusion: family of queries that is not declared", cells("exclusions", "query_family", lambda cell, _: f"{cell}s")),
    NewKind("exclusion: criterion of another record", swapped_cells("evidence/exclusion_criteria", "criterion"), _OWN),
    NewKind("near miss: about a record that is not excluded", cells("evidence/near_misses", "record_id", lambda cell, _: "E999")),
    NewKind("statement: another number", text("claims.toml", r'^(statement = ".*?)\b([2-9]|[1-9]\d)\b', r"\g<1>77"), _SENTENCE),
    NewKind("statement: turned round", text("claims.toml", r'^(statement = ".*?)\b(is|are|has|have)\b', r"\1\2 not"), _SENTENCE),
    NewKind("statement: of a claim that was removed", text("claims.toml", r'^id = "(.+)"', r'id = "\g<1>-old"')),
    NewKind("claim: expects another number", text("claims.toml", r"^count = (\d+)", r"count = \g<1>9"), "a tracked number: `corpus claims` shows that it has moved"),
    NewKind("claim: over a term with a letter less", text("claims.toml", r'reward_type = "(\w+)\w"', r'reward_type = "\1"')),
    NewKind("claim: over a key that there is not", text("claims.toml", r'"kimi-k2-5"', '"kimi-k2-7"')),
    NewKind("claim: guards nothing any more", text("claims.toml", r"^(empty = true)", "\\1\ntracked = true")),
    NewKind("address: host that looks like an archive", cells("pool", "url", lambda cell, _: cell.replace("arxiv.org", "arxiv.org.papers.example"), "arxiv")),
    NewKind("address: a mirror of the preprint", cells("pool", "url", lambda cell, _: cell.replace("https://arxiv.org/abs", "https://paper-mirror.example"), "arxiv")),
    NewKind("address: of a version of the preprint", cells("pool", "url", lambda cell, _: f"{cell}v1", r"arxiv.org/abs/[\d.]+$"), _PLAIN),
    NewKind("address: with what a campaign adds", cells("pool", "url", lambda cell, _: f"{cell}?utm_source=x", r"^[^?]+$"), _PLAIN),
    NewKind("address: a part of the page", cells("pool", "url", lambda cell, _: f"{cell}#section-3", r"^[^#]+$"), _PLAIN),
    NewKind("address: of evidence without its scheme", cells("evidence/scale", "source", lambda cell, _: cell.removeprefix("https://"), "https")),
    NewKind("evidence: a digit of a number", cells("evidence/scale", "value", other_digit, r"\d"), _READ),
    NewKind("evidence: a number ten times as large", cells("evidence/envelopes", "value", tenfold, r"\d"), _READ),
    NewKind("evidence: a number with a comma", cells("evidence/scale", "value", lambda cell, _: f"{cell},000", r"^\d+$")),
    NewKind("evidence: unknown, yet with a number", cells("evidence/scale", "status", lambda cell, _: "unknown", "reported|stated"), "only claims count by status"),
    NewKind("evidence: unit of another quantity", swapped_cells("evidence/envelopes", "unit"), _READ),
    NewKind("evidence: about an entry that is not in the pool", cells("evidence/credit", "key", lambda cell, _: f"{cell}x")),
    NewKind("evidence: another unit of credit than the tag", cells("evidence/credit", "unit", lambda cell, _: "turn", "agent|role"), _READ),
    NewKind("evidence: row removed", removed_row("evidence/decisions"), "rows of evidence come and go; `corpus diff` lists them"),
    NewKind("evidence: place without the text that it is in", cells("evidence/cards", "place", lambda cell, _: "there"), _READ),
    NewKind("second reader: agrees where the pool differs", cells("audits/second_reader", "credit_granularity", lambda cell, _: "agent" if cell != "agent" else "role"), "a reader may differ: `corpus agreement` counts it"),
    NewKind("second reader: another name for the same reader", cells("audits/second_reader", "reader", lambda cell, _: "Reader 2"), "a reader may be anybody"),
    NewKind("second reader: a term that is not declared", cells("audits/second_reader", "reward_type", lambda cell, _: f"{cell}d")),
    NewKind("second reader: row of an entry removed", removed_row("audits/second_reader"), "not every entry was read twice; `corpus diff` lists the row"),
    NewKind("release: a date in the copy of the bibliography", cells("releases/v1/bibliography", "first_public", other_digit, r"\d{4}-\d")),
    NewKind("release: a tag in the copy of the pool", cells("releases/v1/pool", "reward_type", lambda cell, _: "shared" if cell != "shared" else "role")),
    NewKind("release: a file of the copy removed", removed_file("releases/v1/corrections.csv")),
    NewKind("release: number of entries in the list", text("releases.toml", "entries = 84", "entries = 85")),
    NewKind("release: day in the list", text("releases.toml", "2026-05-04", "2026-05-05")),
    NewKind("release: name of its text", text("releases.toml", "through Orchestration Traces", "by Traces")),
    NewKind("release: taken off the list", text("releases.toml", r"(?s)\[\[releases\]\].*", "")),
    NewKind("protocol: day of the search", text("protocol.toml", 'search_cutoff = "2026-04-26"', 'search_cutoff = "2026-04-20"')),
    NewKind("protocol: day in words", text("protocol.toml", 'refresh_cutoff = "2026-05-04"', 'refresh_cutoff = "4 May"')),
    NewKind("protocol: misspelt key", text("protocol.toml", "refresh_cutoff", "refresh_cutof")),
    NewKind("protocol: stage of a criterion that there is not", text("protocol.toml", r'stages = \["abstract_screen', 'stages = ["abstract_scren')),
    NewKind("protocol: criterion removed", text("protocol.toml", r'(?s)\[\[exclusion\]\]\nid = "X4".*?\n\n', "")),
    NewKind("protocol: search string of a family", text("protocol.toml", r"(search_strings = \['\"\w+)", r"\1x")),
    NewKind("protocol: text of a rule turned round", text("protocol.toml", r'^(text = "The work )trains', r"\1does not train"), _SENTENCE),
    NewKind("search: a source that the protocol does not have", text("searches.toml", 'source = "arxiv"', 'source = "dblp"')),
    NewKind("search: a first day that leaves days out", text("searches.toml", 'from = "2026-05-05"', 'from = "2026-06-05"')),
    NewKind("codebook: definition turned round", text("codebook.toml", r'^(definition = ".*?)\b(is|are) (?!not)', r"\1\2 not "), "found is a negation that comes or goes; `corpus diff` lists every changed definition"),
    NewKind("codebook: term taken out of a group", text("codebook.toml", 'terms = \\["hybrid"\\]', 'terms = ["shared"]')),
    NewKind("codebook: fewer cells count as thin", text("codebook.toml", "threshold = 2", "threshold = 1")),
    NewKind("codebook: section that nobody reads", text("codebook.toml", r"^\[deposit\]", "[deposits]")),
    NewKind("codebook: number of another name in the main finding", text("codebook.toml", r"\{([A-Z]\w+)\}", r"{\1s}")),
    NewKind("correction: evidence without content", cells("corrections", "evidence", lambda cell, _: "checked"), _READ),
    NewKind("coverage: verdict without a reason", cells("coverage", "reason", lambda cell, _: "none", r"\w")),
    NewKind("candidate: in the pool already", cells("candidates", "arxiv_id", lambda cell, _: "2508.03680", r"\d"), "nothing is counted from candidates, and `corpus add` refuses the work"),
)
# fmt: on


def outcome(base, spoiled):
    """Return the codes that a change adds, without those about claims, and whether claims tell."""
    arguments = ["diff", str(base), str(spoiled), "--data", str(spoiled), "--format", "json"]
    done = CliRunner().invoke(main, arguments, catch_exceptions=False)
    if not done.stdout.startswith("{"):
        return {"refused"}, False
    codes = {item["code"] for item in json.loads(done.stdout)["findings"]}
    return codes - BY_CLAIMS, bool(codes & BY_CLAIMS)


class Tally(NamedTuple):
    """How many mistakes of a kind were made, found without claims, and found by claims alone."""

    made: int
    found: int
    by_claims: int


def tried_anew(folder, of_each, kinds=NEW_KINDS):
    """Make mistakes of each kind in copies below a folder, and yield how many of them are found."""
    for kind in kinds:
        # A kind that is added changes no mistake of another one.
        rng = random.Random(f"20261123 {kind.name}")
        found = by_claims = 0
        for _ in range(of_each):
            spoiled = folder / "spoiled"
            shutil.rmtree(spoiled, ignore_errors=True)
            shutil.copytree(DATA, spoiled, ignore=shutil.ignore_patterns(".*", "traces"))
            kind.spoil(spoiled, rng)
            codes, is_told = outcome(DATA, spoiled)
            found += bool(codes)
            by_claims += is_told and not codes
        yield kind, Tally(of_each, found, by_claims)


def new_table(numbers):
    """Return the kinds of which one is missed, by the reason why that is right."""
    lines = ["| why not every one is found | kinds of mistakes, drawn anew |", "|---|---|"]
    missed = defaultdict(list)
    for kind, tally in numbers:
        if tally.found < tally.made:
            is_told = tally.found + tally.by_claims == tally.made
            missed["by claims alone" if is_told else kind.silent].append(kind.name)
    for reason, names in missed.items():
        lines.append(f"| {reason} | {'; '.join(names)} |")
    made, found, told = (
        sum(column) for column in zip(*(tally for _, tally in numbers), strict=True)
    )
    lines += [
        "",
        f"Found are {found} of {made} ({100 * found / made:.0f} %), {told} more by claims alone.",
    ]
    return "\n".join(lines)
