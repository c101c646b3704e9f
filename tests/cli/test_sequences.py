"""Any sequence of changes leaves the files that a plain dictionary of rows says they must hold."""

import csv
import io
import json
import shutil
import tempfile
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from corpus.cli.main import main
from tests.corpora.minimal import FILES, write_minimal

TITLES = {
    "bog": "Listening to bogs at night", "carr": "Willow roots and what they drink", "dune": "Why some sand sings",
    "esker": "Gravel ridges under ploughs", "loess": "Dust of the last ice age", "moor": "Peat cutters and their spades",
}  # fmt: skip
KEYS = st.sampled_from([*TITLES, "clay", "fen", "till"])
CELLS = {"probe": ("dielectric", "optical", "none"), "measures": ("heat", "moisture; salt", "salt"),
         "year": ("2019", "2021", "20x1"), "remark": ("", "wet", "dry, cold")}  # fmt: skip
CHANGES = st.sampled_from([(column, cell) for column, cells in CELLS.items() for cell in cells])
Rows = dict[str, dict[str, str]]


def read(text):
    header, *rows = csv.reader(io.StringIO(text), strict=True)
    return header, {row[0]: dict(zip(header, row, strict=True)) for row in rows}


def sound(row):
    """What the codebook asks of the cells that are changed here; a preprint is not older than its year tells."""
    dated = row["year"].isdigit() and (not row["arxiv"] or abs(int(row["year"]) - 2020) <= 1)
    # Salt cannot be seen, as the codebook declares (C311).
    possible = row["probe"] != "optical" or "salt" not in row["measures"]
    return dated and possible and (row["probe"] != "none" or row["measures"] == "heat")


class Curation(RuleBasedStateMachine):
    """Add, exclude, edit, format, compare and merge against `tables`: table -> key -> cells."""

    @initialize()
    def start(self):
        self.root = Path(tempfile.mkdtemp())
        self.data = write_minimal(self.root / "soil")
        shutil.copytree(self.data, self.root / "start")
        self.headers, self.tables = {}, {}
        for name in ("sensors", "papers", "rejected"):
            self.headers[name], self.tables[name] = read(FILES[f"{name}.csv"])
        self.first = {name: dict(rows) for name, rows in self.tables.items()}

    def teardown(self):
        if hasattr(self, "root"):
            shutil.rmtree(self.root)

    def run(self, *arguments):
        return CliRunner().invoke(
            main, [*arguments, "--data", str(self.data)], catch_exceptions=False
        )

    def text(self, name, rows):
        buffer = io.StringIO()
        writer = csv.writer(buffer, lineterminator="\n")
        writer.writerows(
            [
                self.headers[name],
                *([row[c] for c in self.headers[name]] for _, row in sorted(rows.items())),
            ]
        )
        return buffer.getvalue()

    @rule(
        key=KEYS, probe=st.sampled_from(CELLS["probe"]), measures=st.sampled_from(CELLS["measures"])
    )
    def add(self, key, probe, measures):
        title = TITLES.get(key, "An entry under a key that is taken")
        row = dict.fromkeys(self.headers["sensors"], "") | {
            "id": key, "name": title, "who": "Mire, Al", "year": "2021", "probe": probe, "measures": measures,
        }  # fmt: skip
        paper = {"id": key, "authors": "Mire, Al", "doi": "", "public": "2021-03"}
        logged = any(record["label"] == title for record in self.tables["rejected"].values())
        fine = key not in self.tables["sensors"] and not logged and sound(row)
        cells = {**row, **paper}
        done = self.run(
            "add", "--no-input", *(f"--set={name}={cell}" for name, cell in cells.items() if cell)
        )
        assert done.exit_code == (0 if fine else 1), done.output
        if fine:
            assert done.stdout.strip() == key
            self.tables["sensors"][key] = row
            self.tables["papers"][key] = paper

    @rule(key=KEYS, change=CHANGES)
    def edit(self, key, change):
        column, cell = change
        done = self.run("edit", key, "--set", f"{column}={cell}")
        if key not in self.tables["sensors"]:
            assert done.exit_code == 2
            return
        row = {**self.tables["sensors"][key], column: cell}
        year = (
            row["arxiv"] and column == "year"
        )  # an identifier of another year is a warning, not a refusal
        assert done.exit_code == (0 if sound(row) or (year and cell.isdigit()) else 1), done.output
        if done.exit_code == 0:
            self.tables["sensors"][key] = row

    @rule(key=KEYS)
    def exclude(self, key):
        if key not in self.tables["sensors"]:
            return
        row = self.tables["sensors"][key]
        given = ("--set=source=library", "--set=found=LIB-" + key, "--set=stage=abstract")
        done = self.run("exclude", key, "--no-input", "--cascade", *given)
        assert done.exit_code == 0, done.output
        number = f"X{max(int(name[1:]) for name in self.tables['rejected']) + 1}"
        assert done.stdout.strip() == number
        self.tables["rejected"][number] = dict(
            zip(
                self.headers["rejected"],
                (number, "library", row["name"], "LIB-" + key, "abstract"),
                strict=True,
            )
        )
        del self.tables["sensors"][key], self.tables["papers"][key]

    @rule(name=st.sampled_from(["sensors", "papers", "rejected"]), how=st.integers(0, 3))
    def fmt(self, name, how):
        file = self.data / f"{name}.csv"
        text = file.read_text("utf-8")
        head, *lines = text.splitlines(keepends=True)
        file.write_bytes([
            (head + "".join(reversed(lines))).encode(), text.replace("\n", "\r\n").encode(), text.encode("utf-8-sig"),
            text.replace("\n", "\n\n")[:-2].encode(),
        ][how])  # fmt: skip
        assert self.run("fmt").exit_code == 0

    @rule()
    def diff(self):
        done = CliRunner().invoke(
            main, ["diff", str(self.root / "start"), str(self.data), "--format", "json"]
        )
        assert done.exit_code == 0, done.output
        report = json.loads(done.stdout)
        said = {
            found["key"]: kind
            for kind in ("added", "removed", "changed")
            for found in report[kind]
            if found["table"] == "sensors"
        }
        old, new = self.first["sensors"], self.tables["sensors"]
        changed = {key: "changed" for key in old.keys() & new.keys() if old[key] != new[key]}
        gone = dict.fromkeys(old.keys() - new.keys(), "removed")
        assert said == {**changed, **gone, **dict.fromkeys(new.keys() - old.keys(), "added")}

    @precondition(lambda self: self.tables["sensors"])
    @rule(ours=st.tuples(KEYS, CHANGES), theirs=st.tuples(KEYS, CHANGES), dropped=KEYS)
    def merge(self, ours, theirs, dropped):
        """Both sides edit a cell, and ours removes a row that theirs leaves alone; nothing is kept of it."""
        base = self.tables["sensors"]
        sides = []
        for key, (column, cell) in (ours, theirs):
            sides.append(
                {k: ({**row, column: cell} if k == key else row) for k, row in base.items()}
            )
        if dropped not in (ours[0], theirs[0]):
            sides[0].pop(dropped, None)
        clash = (
            ours[0] == theirs[0]
            and ours[0] in base
            and ours[1][0] == theirs[1][0]
            and ours[1] != theirs[1]
        )
        was = base.get(ours[0], {}).get(ours[1][0])
        clash = clash and was not in (ours[1][1], theirs[1][1])
        files = [self.root / name for name in ("base.csv", "ours.csv", "theirs.csv")]
        for file, rows in zip(files, [base, *sides], strict=True):
            file.write_text(self.text("sensors", rows), "utf-8")
        done = self.run("merge-driver", *map(str, files), str(self.data / "sensors.csv"))
        assert done.exit_code == (1 if clash else 0), done.output
        if clash:
            assert "<<<<<<< ours" in files[1].read_text("utf-8")
            return
        merged = {
            key: {
                c: sides[1][key][c] if sides[1][key][c] != base[key][c] else cell
                for c, cell in row.items()
            }
            for key, row in sides[0].items()
        }
        assert files[1].read_text("utf-8") == self.text("sensors", merged)

    @invariant()
    def the_files_hold_what_the_dictionary_holds(self):
        if not hasattr(self, "tables"):
            return
        for name, rows in self.tables.items():
            assert (self.data / f"{name}.csv").read_text("utf-8") == self.text(name, rows)
        assert {path.name for path in self.data.iterdir()} == set(FILES) | {"codebook.toml"}


TestCuration = pytest.mark.slow(Curation.TestCase)
Curation.TestCase.settings = settings(
    max_examples=15, stateful_step_count=15, deadline=None, derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)  # fmt: skip
