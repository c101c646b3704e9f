"""`corpus screen`: keys, two readers, conflicts, other programs; nothing is ever lost."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from corpus.cli.main import main
from tests.corpora.full import FILES, write_full
from tests.support.searched import table_rows, write_searched

TITLES = ("Alder carr", "Blanket bog", "Cotton grass", "Dry heath")
POOL = FILES["sensors.csv"].count("\n") - 1


@pytest.fixture
def data(tmp_path, monkeypatch):
    """Four candidates that nobody has decided about."""
    monkeypatch.chdir(tmp_path)
    data = write_searched(tmp_path, "format = 1\n")
    with (data / "candidates.csv").open("a", encoding="utf-8") as table:
        for number, title in enumerate(TITLES):
            table.write(
                f'c-{number},{title},"Ward, Ann",2025,Mires,,,,peat,2026-01-01,Wet \x41bstract.\n'
            )
    with (data / "search_log.csv").open("a", encoding="utf-8") as table:
        table.write("peat-1,2026-01-01,peat,arXiv,peat,,,9,6,4,tool\n")
    return data


def run(*arguments, keys="", code=0):
    result = CliRunner().invoke(
        main, ["screen", *map(str, arguments)], input=keys, catch_exceptions=False
    )
    assert result.exit_code == code, result.output
    return result


def screen(keys, reader="Ann", *options):
    """Press keys as a reader."""
    return run("--reader", reader, *options, keys=keys)


def replace(data, old, new):
    """Write another text into the table of candidates, once."""
    table = data / "candidates.csv"
    text = table.read_text("utf-8")
    assert old in text
    table.write_text(text.replace(old, new, 1), "utf-8")


def decided(data, reader="Ann"):
    return {
        row["candidate"]: row["decision"]
        for row in table_rows(data, "screening")
        if row["reader"] == reader
    }


@pytest.mark.parametrize(
    ("keys", "outcome"),
    [
        ("ie12m", ["include", "exclude title X2", "maybe"]),  # the input ends in the middle
        ("ibmq", ["maybe"]),
        ("siq", ["", "include"]),
        ("e0iq", ["include"]),  # thought over
    ],
)
def test_keys_decide_and_each_decision_is_on_disk(data, keys, outcome):
    screen(keys)
    rows = {row["candidate"]: row for row in table_rows(data, "screening")}
    for number, wanted in enumerate(outcome):
        row = rows.get(f"c-{number}", {})
        told = [row.get(name, "") for name in ("decision", "stage", "reason")]
        assert " ".join(filter(None, told)) == wanted
    assert len(rows) == len(list(filter(None, outcome)))


def test_a_card_shows_what_a_reader_needs(data):
    replace(data, "Dry heath", "A fir found by its messages")
    shown = screen("sssq").stdout
    for text in (*TITLES[:3], "Wet Abstract.", "Ward, Ann", "peat", "X1", "4 of 4"):
        assert text in shown


def test_a_note_goes_with_the_next_decision(data):
    screen("nunder water, surely\niiq")
    first, second = table_rows(data, "screening")
    assert (first["note"], second["note"]) == ("under water, surely", "")


def test_readers_are_blind_to_each_other(data):
    screen("iiiiq")
    shown = screen("q", "Bo").stdout
    assert "1 of 4" in shown
    assert "Ann" not in shown.replace("Ward, Ann", "")


def test_conflicts_are_resolved_by_a_third_look(data):
    run("--reader", "Ann", keys="iime11"[:3] + "q")
    screen("ie11iq", "Bo")
    shown = run("--resolve", keys="e11iq")
    assert "1 of 2" in shown.stdout
    assert "Bo: exclude" in shown.stdout
    assert decided(data, "resolved") == {"c-1": "exclude", "c-2": "include"}
    assert "1 of" not in run("--resolve", keys="q").stdout


def test_agreed_exclusions_move_into_the_log_and_nothing_else(data):
    screen("ie11")
    before = len(table_rows(data, "dropped"))
    run("--apply")
    assert [row["title"] for row in table_rows(data, "candidates")] == ["Alder carr", *TITLES[2:]]
    log = table_rows(data, "dropped")
    assert len(log) == before + 1
    assert log[-1]["label"] == "Blanket bog"
    run("--apply")
    assert len(table_rows(data, "dropped")) == before + 1


def boxes(data):
    lines = [line.rsplit(None, 1) for line in run("--status").stdout.splitlines()]
    rows = [words for words in lines if len(words) == 2 and words[1].isdecimal()]
    return {name.strip().partition(":")[0]: int(number) for name, number in rows}


def test_the_boxes_add_up_at_every_step(data):
    log = FILES["dropped.csv"].count("\n") - 1

    def check():
        found = boxes(data)
        assert found["Known or repeated"] + found["Found by searches"] == 6
        ways = [
            found[f"Found {way}"] for way in ("by searches", "in lists of others", "in other ways")
        ]
        rows = found["Excluded, in the log"] + found["Retained, in the pool"]
        assert sum(ways) == rows + found["Not decided yet"]
        parts = ("undecided", "readers differ, or maybe", "to include", "to exclude")
        assert sum(found[part] for part in parts) == found["Not decided yet"]
        return found

    assert check()["undecided"] == 4
    screen("ie11m")
    assert check()["to exclude"] == 1
    run("--apply")
    found = check()
    assert (found["Excluded, in the log"], found["Retained, in the pool"]) == (log + 1, POOL)


def test_decisions_come_back_as_they_went(data):
    screen("ie12")
    run("--reader", "Ann", "--export", "out.csv")
    before = decided(data)
    (data / "screening.csv").write_text(
        (data / "screening.csv").read_text("utf-8").splitlines(True)[0]
    )
    run("--reader", "Ann", "--import", "out.csv")
    assert decided(data) == before


def test_what_rayyan_writes_into_its_notes_is_read(data):
    Path("rayyan.csv").write_text(
        'key,title,notes\n1,Alder carr,"RAYYAN-INCLUSION: {""Ann""=>""Included""}"\n'
        '2,Blanket bog,"RAYYAN-INCLUSION: {""Ann""=>""Excluded""} | RAYYAN-EXCLUSION-REASONS: dry"\n3,Cotton grass,\n',
        "utf-8",
    )
    result = run("--reader", "Ann", "--import", "rayyan.csv")
    assert "2 decisions of Ann read" in result.stderr
    assert decided(data) == {"c-0": "include", "c-1": "exclude"}
    assert table_rows(data, "screening")[1]["reason"] == "dry"


def test_only_the_decisions_of_the_named_reader_are_taken(data):
    """Else agreement would compare a reader with oneself."""
    Path("rayyan.csv").write_text(
        'key,title,notes\n1,Alder carr,"RAYYAN-INCLUSION: {""Bo""=>""Included"", ""Ann""=>""Excluded""}"\n'
        '2,Blanket bog,"RAYYAN-INCLUSION: {""Bo""=>""Included""}"\n',
        "utf-8",
    )
    run("--reader", "ann", "--import", "rayyan.csv")
    assert decided(data, "ann") == {"c-0": "exclude"}
    refused = run("--reader", "Cy", "--import", "rayyan.csv", code=1)
    assert "S207" in refused.stderr
    assert "Ann, Bo" in refused.stderr
    Path("sheet.csv").write_text("key,reader,decision\nc-0,Bo,include\nc-0,Cy,exclude\n", "utf-8")
    run("--reader", "Cy", "--import", "sheet.csv")
    assert decided(data, "Cy") == {"c-0": "exclude"}


@pytest.mark.parametrize(("cells", "code"), [
    ("stage,reason,notes\nc-0,exclude,title,=1+1,\n", "C212"),
    ("stage,reason,notes\nc-0,exclude,title,none,\n", "C213"),
    ("note\nc-0,include,@sum\n", "C212"),
    ("note\nc-1,include,\nc-0,perhaps not,\n", "S201"),
])  # fmt: skip
def test_what_is_wrong_is_not_imported(data, cells, code):
    screen("iq")
    Path("decisions.csv").write_text(f"key,decision,{cells}")
    before = (data / "screening.csv").read_bytes()
    assert code in run("--reader", "Bo", "--import", "decisions.csv", code=1).stderr
    assert (data / "screening.csv").read_bytes() == before


def test_a_note_that_the_check_would_refuse_is_not_written_and_the_card_stays_open(data):
    result = screen("n=1+1\nieq")
    assert "C212" in result.stderr
    assert decided(data) == {}


def test_a_hostile_abstract_is_shown_as_text(data):
    replace(data, "Wet Abstract.", "::error::boo \u202e x")
    shown = screen("q")
    assert "\u202e" not in shown.output


def test_agreement_of_two_readers_is_reported(data):
    screen("iie11m")
    screen("ie11e11m", "Bo")
    run("--resolve", keys="iq")
    result = CliRunner().invoke(main, ["agreement", "--format", "json"])
    tables = {item["table"]: item for item in json.loads(result.stdout)}
    assert tables["screening"]["readers"] == ["Ann", "Bo"]
    (field,) = tables["screening"]["fields"]
    assert (field["units"], field["agreed"]) == (4, 3)


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("--reader", ""),
        ("--reader", "resolved"),
        ("--reader", "=cmd()"),
        ("--reader", "a\x1b[0m"),
        ("--status", "--apply"),
        ("--apply", "--set", "bogus=1"),
        ("--apply", "--set", "bogus"),
    ],
)
def test_wrong_arguments_are_refused(data, arguments):
    run(*arguments, code=2)


def test_a_corpus_without_candidates_is_told_how_to_declare_them(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_full(tmp_path)
    assert "corpus init --living" in run("--reader", "Ann", code=2).stderr


def test_a_tenth_reason_can_be_chosen(data):
    with (data / "protocol.toml").open("a", encoding="utf-8") as protocol:
        for number in range(3, 12):
            protocol.write(f'[[exclusion]]\nid = "X{number}"\ntext = "Reason {number}."\n')
    # The first stage, and the number of the reason with Enter; then one that there is not.
    screen("e110\ne199\n0\nq")
    found = table_rows(data, "screening")
    assert [(row["decision"], row["reason"]) for row in found] == [("exclude", "X10")]


def add(*arguments, code=0):
    result = CliRunner().invoke(main, ["add", *arguments], catch_exceptions=False)
    assert result.exit_code == code, result.output
    return result


@pytest.mark.parametrize("required", ["true", "false"])
def test_included_candidates_become_entries_at_once_and_missing_tags_stay_open(data, required):
    book = data / "codebook.toml"
    column = 'name = "senses", type = "term",'
    assert column in book.read_text("utf-8")
    text = book.read_text("utf-8").replace(column, f"{column} required = {required},", 1)
    book.write_text(text, "utf-8")
    screen("iise12")
    keys = add("--include", "--set", "depth=deep").stdout.split()
    rows = {row["sensor"]: row for row in table_rows(data, "sensors")}
    assert [rows[key]["name"] for key in keys] == [*TITLES[:2]]
    assert {(row["authors"], row["year"], row["venue"]) for row in map(rows.get, keys)} == {
        ("Ward, Ann", "2025", "Mires")
    }
    assert [(rows[key]["depth"], rows[key]["senses"]) for key in keys] == [("deep", "TODO")] * 2
    assert [row["title"] for row in table_rows(data, "candidates")] == [*TITLES[2:]]
    checked = CliRunner().invoke(main, ["check", "--format", "json"])
    found = json.loads(checked.stdout)["findings"]
    open_ = [one["value"] for one in found if one["code"] == "C223" and "sensors" in one["file"]]
    assert sorted(open_) == sorted(keys)
    assert {one["code"] for one in found if one["severity"] == "error"} == {"C601"}  # more sensors
    counted = CliRunner().invoke(main, ["stats", "--format", "json"])
    assert counted.exit_code == 0
    edited = CliRunner().invoke(main, ["edit", keys[0], "--set", "senses=water"])
    assert edited.exit_code == 0, edited.output


def test_a_candidate_that_the_pool_has_stops_all(data):
    replace(data, 'Dry heath,"Ward, Ann",2025', 'Rain above Ada\'s antenna,"Ward, Ann",2021')
    before = (data / "sensors.csv").read_bytes()
    assert "C304" in add("c-0", "c-3", code=1).stderr
    assert (data / "sensors.csv").read_bytes() == before
