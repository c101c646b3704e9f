"""Sheets of `corpus audit plan` on the full made-up corpus, and a second reader who fills them."""

import csv
import json

from click.testing import CliRunner

from corpus.cli.main import main
from tests.corpora.full import FILES

#: The pool's own tags, as a careful reader would find them.
POOL = {row["sensor"]: row for row in csv.DictReader(FILES["sensors.csv"].splitlines())}


def run(*arguments, code=0):
    result = CliRunner().invoke(main, ["audit", *map(str, arguments)], catch_exceptions=False)
    assert result.exit_code == code, result.output
    return result


def report(*arguments):
    return json.loads(run("report", *arguments, "--format", "json").stdout)["audits"][0]


def codes(*arguments):
    printed = run("report", *arguments, code=1).stderr
    return {word for word in printed.split() if word.startswith("A1") and len(word) == 4}


def rows_of(sheet):
    return list(csv.DictReader(sheet.read_text("utf-8").splitlines()))


def write(sheet, rows):
    with sheet.open("w", encoding="utf-8", newline="") as handle:
        writer = csv.DictWriter(handle, rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def fill(sheet, **other):
    """Fill a sheet with the pool's tags, or for one entry with others."""
    rows = rows_of(sheet)
    for row in rows:
        row["senses"], row["depth"] = POOL[row["key"]]["senses"], POOL[row["key"]]["depth"]
    rows[0].update(other)
    write(sheet, rows)
