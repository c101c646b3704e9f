"""Adding, editing and excluding entries, as a user does it; on this corpus and on one about something else."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from corpus.curation.check.check import check_corpus
from corpus.tables.corpus_reader import load_corpus
from tests.conftest import REAL
from tests.corpora.full import ROWS, write_full
from tests.support import warm
from tests.support.changing import codes, contents, given, row, run
from tests.support.recorded_answers import COMMENT, Web, atom, crossref, offline

ARXIV = "https://export.arxiv.org/api/query?id_list=2601.00010&max_results=1"
CROSSREF = "https://api.crossref.org/works/10.5555/mire.2025.7"
TAGS = {
    "category": "rl_method",
    "is_rl": "yes",
    "reward_type": "shared",
    "credit_granularity": "message",
    "orchestration_form": "centralized",
    "scenario": "general",
    "is_core": "core",
    "one_liner": "Gives every message a credit of its own",
    "verified": "yes",
}
JUDGED = {
    "admission.rule": "trains_component",
    "admission.rule_reading": "as_written",
    "admission.evidence_level": "preprint",
    "admission.level_basis": "venue_cell",
    "admission.source": "Venue cell of the pool",
    "admission.note": "The policy is trained",
}


def add(data, *arguments, answers=None, **cells):
    """Add an entry with these cells; nothing is asked."""
    options = ("--no-input", "--data", data, *given(**cells))
    return run("add", *arguments, *options, answers=answers)


@pytest.fixture
def data(tmp_path):
    return Path(
        shutil.copytree(REAL, tmp_path / "data", ignore=shutil.ignore_patterns(".*", "traces"))
    )


@pytest.fixture
def web(monkeypatch):
    """The network: arXiv knows one work, Crossref its published version; nothing else answers."""
    known = Web({ARXIV: atom(), CROSSREF: crossref()})
    monkeypatch.setattr("corpus.curation.lookup.transport.open_address", known)
    return known


def test_an_arxiv_paper_becomes_a_row_of_both_tables(data, web):
    result = add(data, "arXiv:2601.00010v2", **TAGS)
    assert (result.exit_code, result.stdout) == (0, "wet-sensors2026\n")
    entry = row(data, "wet-sensors2026")
    assert entry["title"] == "Wet Sensors: Reading Soil & Peat"
    assert (entry["first_author"], entry["year"], entry["arxiv_id"]) == (
        "Ward, Ann",
        "2026",
        "2601.00010",
    )
    beside = row(data, "wet-sensors2026", table="bibliography")
    assert beside["authors"] == "Ward, Ann; de Witt, Christian Schroeder; Bog Sensing Team"
    assert (beside["first_public"], beside["evidence"]) == ("2026-01-30", "arXiv v1")
    assert run("fmt", "--check", "--data", data).exit_code == 0
    (finding,) = check_corpus(str(data))  # arXiv does not tell family names from given names
    assert (finding.code, finding.value) == ("C414", "de Witt, Christian Schroeder")
    assert "C414" in codes(result)
    assert "credit_granularity message 2 -> 3" in result.stderr
    assert "message-credit" in result.stderr  # a guard that the new row breaks


PROMOTIONS = """
[tables.promotions]
file = "promotions.csv"
role = "promotions"
key = ["key"]
columns = [
  { name = "key", type = "ref", references = "sensors", definition = "Entry." },
  { name = "changes", type = "text", role = "changes", definition = "Cell." },
  { name = "how", type = "text", definition = "How." },
  { name = "former", type = "text", role = "former", required = false, definition = "Before." },
]
"""
SOIL = {"depth": "deep", "senses": "gas", "seen": "2021-02"}
NAMED = {"promotions.changes": "depth", "promotions.how": "A third sensor"}


@pytest.fixture
def promoting(tmp_path):
    """A corpus whose new entries must name the cell that they change."""
    data = write_full(tmp_path, PROMOTIONS)
    (data / "promotions.csv").write_text("key,changes,how,former\n", "utf-8")
    assert run("init", "--living", data).exit_code == 0
    return data


def test_a_candidate_drops_nothing_in_silence_and_takes_no_wrong_tag(promoting, web):
    before = contents(promoting)
    result = run("add", "2601.00010", "--no-input", *given(depth="nonsense"), "--data", promoting)
    assert result.exit_code == 2
    assert "unknown term 'nonsense'" in result.stderr
    assert contents(promoting) == before
    kept = given(depth="deep", notes="wet", name="Bogs")
    result = run("add", "2601.00010", "--no-input", *kept, "--data", promoting)
    assert result.exit_code == 0
    assert "not kept: depth, notes." in result.stderr


def test_a_work_becomes_a_candidate_until_somebody_names_the_cell_that_it_changes(promoting, web):
    before = len(load_corpus(str(promoting)).pool.rows)
    result = add(promoting, "2601.00010", **SOIL)
    assert result.exit_code == 0, result.stderr
    candidate = result.stdout.strip()
    assert row(promoting, candidate, table="candidates")["arxiv_id"] == "2601.00010"
    assert len(load_corpus(str(promoting)).pool.rows) == before
    assert add(promoting, "2601.00010", **SOIL).exit_code == 2

    promoted = add(promoting, "2601.00010", **SOIL, **NAMED)
    assert promoted.exit_code == 0, promoted.stderr
    key = promoted.stdout.strip()
    found = row(promoting, key, table="promotions")
    assert (found["changes"], found["former"]) == ("depth", candidate)
    assert row(promoting, key)["name"].startswith("Wet Sensors")


def test_the_report_of_a_change_shows_the_cell_or_that_none_is_named(promoting, web, tmp_path):
    older = shutil.copytree(promoting, tmp_path / "older")
    assert add(promoting, "2601.00010", **SOIL, **NAMED).exit_code == 0
    text = " ".join(run("diff", older, promoting).stdout.split())
    assert "promotions: wet-sensors added: changes depth; how A third sensor" in text
    (promoting / "promotions.csv").write_text("key,changes,how,former\n", "utf-8")
    text = " ".join(run("diff", older, promoting).stdout.split())
    assert "no row of promotions.csv names the cell that it changes" in text


def test_the_row_of_a_table_about_every_entry_is_written_where_it_is_given(data, web):
    result = add(data, "2601.00010", **TAGS, **JUDGED)
    assert result.exit_code == 0, result.stderr
    found = row(data, "wet-sensors2026", table="admission")
    assert found["rule"] == "trains_component"
    # What the table repeats of the pool follows from the new row.
    assert found["category"] == TAGS["category"]
    # C414: the service writes a name of the pool in another way (see above).
    assert [f.code for f in check_corpus(str(data))] == ["C414"]


def test_a_row_that_the_new_entry_still_lacks_is_a_todo_until_it_is_written(data, web):
    book = data / "codebook.toml"
    text = book.read_text("utf-8")
    book.write_text(
        text.replace("[tables.admission]\n", "[tables.admission]\ncomplete = true\n"), "utf-8"
    )
    result = add(data, "2601.00010", **TAGS)
    assert "C418" in result.stderr
    listed = json.loads(run("check", "--format", "json", "--data", data).stdout)
    assert listed["todos"] == 1
    (todo,) = [found for found in listed["findings"] if found["code"] == "C418"]
    assert (todo["severity"], todo["value"]) == ("to-do", "wet-sensors2026")
    edited = run("edit", "wet-sensors2026", "--data", data, *given(**JUDGED))
    assert edited.exit_code == 0, edited.stderr
    assert row(data, "wet-sensors2026", table="admission")["category"] == TAGS["category"]
    assert "C418" not in run("check", "--data", data).stdout


def test_preprint_and_published_version_are_one_work(data, web):
    assert add(data, "2601.00010", **TAGS).exit_code == 0
    before = contents(data)
    result = add(data, "10.5555/mire.2025.7", **TAGS)
    assert (result.exit_code, codes(result)) == (1, ["C303"])
    assert "wet-sensors2026" in result.stderr
    assert contents(data) == before


@pytest.mark.parametrize(
    ("title", "code"),
    [
        (
            "HALO - hierarchical autonomous Logic-oriented orchestration for multi-agent LLM systems",
            "C304",
        ),
        ("AutoGen: Enabling Next-Gen LLM Applications via Multi-Agent Conversation", "C403"),
    ],
)
def test_the_same_title_again(data, title, code):
    before = contents(data)
    result = add(data, title=title, **TAGS)
    assert (result.exit_code, codes(result)) == (1, [code])
    assert contents(data) == before


@pytest.mark.parametrize("references", [[], ["2601.00010"]])
def test_nearly_the_same_title_is_a_warning_unless_identifiers_tell(data, web, references):
    """HALO has an arXiv identifier: another one is that of another work."""
    title = "HALO: Hierarchical Autonomous Logic-Oriented Orchestrations of Multi-Agent LLM Systems"
    told = {
        "url": "https://a.example/", "venue": "Mires", "first_public": "2026-01",
        "evidence": "its page", "affiliation": "unknown", "year": "2026",
    }  # fmt: skip
    result = add(data, *references, **TAGS, **told, title=title, first_author="Ward, Ann")
    assert result.exit_code == 0, result.stderr
    assert ("Nearly the same title: halo" in result.stderr) == (not references)
    assert ("C305" in codes(result)) == (not references)


def test_an_excluded_record_moves_into_the_pool(data, web):
    cells = {**TAGS, "title": "AutoGen", "first_author": "Wu, Qingyun", "affiliation": "unknown"}
    web.answers = {"https://export.arxiv.org/api/query?id_list=2308.08155&max_results=1": offline()}
    result = add(data, "E003", **cells)
    assert result.exit_code == 0, result.stderr
    entry = row(data, result.stdout.strip())
    assert (entry["title"], entry["arxiv_id"]) == ("AutoGen", "2308.08155")
    after = load_corpus(str(data))
    assert ("E003",) not in after.tables["exclusions"].by_key()
    assert ("E003",) not in after.tables["near_misses"].by_key()
    assert check_corpus(str(data)) == []


def test_a_withdrawn_paper_is_refused(data, web):
    web.answers = {ARXIV: atom(extra=COMMENT.format("withdrawn: the proof is wrong"))}
    result = add(data, "2601.00010", **TAGS)
    assert (result.exit_code, codes(result)) == (1, ["C708"])


def test_offline_goes_on_by_hand(data, web):
    web.answers = {ARXIV: offline()}
    cells = {**TAGS, "title": "Wet Sensors", "first_author": "Ward, Ann", "affiliation": "unknown"}
    result = add(data, "2601.00010", **cells)
    assert result.exit_code == 0, result.stderr
    assert "going on by hand" in result.stderr
    assert row(data, "ward-wet-sensors2026")["url"] == "https://arxiv.org/abs/2601.00010"
    assert row(data, "ward-wet-sensors2026", table="bibliography")["first_public"] == "2026-01"


def test_what_is_missing_is_named_and_nothing_is_written(data, web):
    before = contents(data)
    result = add(data, "2601.00010")
    assert result.exit_code == 1
    assert set(codes(result)) == {"C201"}
    assert {f"[{name}]" for name in TAGS} <= set(result.stderr.replace(":", " ").split())
    assert contents(data) == before


def test_dry_run_shows_the_rows_and_writes_nothing(data, web):
    before = contents(data)
    result = add(data, "2601.00010", "--dry-run", **TAGS)
    assert result.exit_code == 0
    assert result.stdout.splitlines()[1].startswith(
        "wet-sensors2026,Wet Sensors: Reading Soil & Peat,"
    )
    assert contents(data) == before


def test_questions_are_answered_by_number_or_term(data, web):
    answers = [
        "7",
        "1",
        "",
        "yes",
        "1",
        "message",
        "1",
        "general",
        "1",
        "A credit of its own",
        "yes",
        "",
        "",
        "y",
    ]
    result = run("add", "2601.00010", "--data", data, answers=answers)
    assert result.exit_code == 0, result.stderr
    entry = row(data, "wet-sensors2026")
    assert (entry["category"], entry["is_rl"], entry["credit_granularity"]) == (
        "rl_method",
        "yes",
        "message",
    )
    assert (entry["reward_type"], entry["verified"], entry["notes"]) == ("shared", "yes", "")
    assert "A single message between agents." in result.stderr  # the definition is at hand


def test_a_wrong_answer_is_asked_again_before_anything_is_written(data, web):
    answers = [
        "1",
        "1",
        "1",
        "6",
        "1",
        "1",
        "1",
        "=SUM(A1)",
        "1",
        "",
        "",
        "A credit of its own",
        "y",
    ]
    result = run("add", "2601.00010", "--data", data, answers=answers)
    assert result.exit_code == 0, result.stderr
    assert "C212" in codes(result)
    assert row(data, "wet-sensors2026")["one_liner"] == "A credit of its own"


@pytest.mark.parametrize(
    "answers", [[], ["1"], ["1", "1", "1", "6", "1", "1", "1", "x", "1", "", "", "n"]]
)
def test_stopping_half_way_writes_nothing(data, web, answers):
    before = contents(data)
    assert run("add", "2601.00010", "--data", data, answers=answers).exit_code == 1
    assert contents(data) == before


def test_bibtex_from_a_file_and_from_stdin(data, tmp_path):
    entry = "@misc{{x, title={{{0} peat}}, author={{Ward, Ann}}, year=2026, eprint={{{1}}}, archivePrefix={{arXiv}}}}"
    file = tmp_path / "two.bib"
    file.write_text(
        entry.format("Dry", "2602.00001")
        + "\n"
        + entry.format("Acid", "2602.00002").replace("{x", "{y")
    )
    cells = {**TAGS, "affiliation": "unknown"}
    result = add(data, "--bibtex", file, **cells)
    assert (result.exit_code, result.stdout.split()) == (
        0,
        ["ward-dry-peat2026", "ward-acid-peat2026"],
    )
    result = add(data, "--bibtex", "-", answers=[entry.format("Old", "2602.00003")], **cells)
    assert result.stdout.split() == ["ward-old-peat2026"]
    assert run("add", "--bibtex", "-", "--data", data, answers=[""]).exit_code == 2


@pytest.mark.parametrize(
    "arguments",
    [
        ["add", "--set", "colour=red", "--no-input"],
        ["add", "--set", "red", "--no-input"],
        ["add", "--set", "exclusions.stage=x", "--no-input"],
        ["add", "2601.00010", "--bibtex", "-"],
        ["edit", "hallo", "--set", "year=2026"],
        ["edit", "halo", "--set", "colour=red"],
        ["edit", "halo"],
        ["edit", "halo", "--set", "notes=\ud800"],
        ["exclude", "halo", "--no-input"],
    ],
)
def test_what_makes_no_sense_is_wrong_usage(data, arguments):
    before = contents(data)
    assert run(*arguments, "--data", data).exit_code == 2
    assert contents(data) == before


HOSTILE = [
    "=cmd|' /C calc'!A0",
    "::error file=x::boo",
    "<script>alert(1)</script>",
    "![x](http://evil.example/x.png) @everyone #1",
    "\x1b[31mred\x1b]0;title\x07",
    "a\u202eb",
    "zero\u200bwidth",
    "line\nbreak",
    "tab\there",
    "nul\x00",
    "\ufeffmark",
    '"quoted", with, commas',
    "'; DROP TABLE pool; --",
    "$(touch /tmp/owned) `id` ${HOME}",
    "\\input{/etc/passwd} % ~ ^",
    "田中さんにあげて下さい",
    "Z̮̞̠͙͔ͅḀ̗̞͈̻̗Ḷ͙͎̯̹̞͓G̻O̭̗̮",
    "👩‍👩‍👧‍👦",
    "x" * 20_000,
    "NA",
    "nan",
    "1e400",
    "<<<<<<< ours",
]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_no_text_breaks_a_file(tmp_path, text):
    """A hostile cell is kept as it is, readable again, or it is a finding and every file stays as it was."""
    data = write_full(tmp_path)
    before = contents(data)
    result = run("edit", "ada", "--set", f"notes={text}", "--data", data)
    assert result.exit_code in (0, 1)
    assert "\x1b" not in result.output
    assert not any(line.startswith("::") for line in result.output.splitlines())
    if result.exit_code:
        assert codes(result)
        assert contents(data) == before
    else:
        assert row(data, "ada")["notes"] == text
        assert run("fmt", "--check", "--data", data).exit_code == 0


def test_a_corpus_about_something_else(tmp_path):
    data = write_full(tmp_path)
    cells = {"name": "Fay senses bogs", "depth": "deep", "senses": "water; gas", "seen": "2021-02"}
    result = add(data, **cells)
    assert (result.exit_code, result.stdout) == (0, "fay-senses\n"), result.stderr
    assert row(data, "fay-senses")["senses"] == "water; gas"
    assert "Depth by what is sensed: the cell deep / gas 0 -> 1" in result.stderr
    assert run("edit", "fay-senses", "--data", data, *given(sensor="gus")).exit_code == 0
    assert row(data, "gus", table="dated")["seen"] == "2021-02"
    result = run("exclude", "gus", "--no-input", "--data", data, *given(step="text"))
    assert (result.exit_code, result.stdout) == (0, "x4\n")


def test_several_terms_are_asked_for_at_once(tmp_path):
    data = write_full(tmp_path)
    optional = [""] * 7
    answers = ["Fay", "deep", "water; 4", *optional, "2021-02", "", "y"]
    result = run("add", "--data", data, answers=answers)
    assert result.exit_code == 0, result.stderr
    assert row(data, "fay")["senses"] == "water; gas"


@pytest.mark.slow
def test_8_adds_at_once_end_with_8_rows(tmp_path):
    data = write_full(tmp_path)
    program = tmp_path / "corpus"
    program.write_text(warm.program())
    program.chmod(0o755)
    started = []
    for letter in "cfghijkl":
        cells = {"name": f"{letter * 9} of peat", "depth": "deep", "senses": "heat", "seen": "2021"}
        command = [program, "add", "--no-input", "--data", str(data), *given(**cells)]
        pipe = subprocess.PIPE
        started.append(subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True))
    said = [process.communicate() for process in started]
    assert [process.returncode for process in started] == [0] * 8, said
    after = load_corpus(str(data))
    assert len(after.pool.rows) == len(ROWS["sensors"]) + 8
    assert len(after.tables["dated"].rows) == len(ROWS["dated"]) + 8
    assert run("fmt", "--check", "--data", data).exit_code == 0


def test_a_tag_and_the_judgement_of_it_change_together(data):
    tag = {"credit_granularity": "orchestrator"}
    refused = run("edit", "halo", *given(**tag), "--data", data)
    assert refused.exit_code == 1
    assert "C406" in refused.stderr
    both = given(**tag, **{"credit_readings.unit": "orchestrator"})
    assert run("edit", "halo", *both, "--data", data).exit_code == 0
    assert row(data, "halo")["credit_granularity"] == "orchestrator"
    assert "\nhalo,orchestrator,broad," in (data / "evidence/credit.csv").read_text(
        encoding="utf-8"
    )
    nothing = run("edit", "ppo2017", "--set", "credit_readings.unit=agent", "--data", data)
    assert (nothing.exit_code, codes(nothing)[0]) == (1, "C201")  # a new row, which lacks cells


def test_a_hint_about_a_copied_tag_works_as_it_is_written(real):
    refused = run("edit", "halo", "--set", "credit_granularity=turn", "--data", real)
    assert (refused.exit_code, codes(refused)) == (1, ["C406"])
    command = re.search(r"`corpus (edit KEY [^`]*)`", refused.stderr)
    assert command is not None
    followed = run(*command[1].replace("KEY", "halo").split(), "--data", real)
    assert followed.exit_code == 0, followed.stderr


def test_a_reference_that_is_none_sends_nobody_to_the_check_of_the_corpus(real):
    refused = add(real, "nonsense")
    assert (refused.exit_code, codes(refused)) == (1, ["C709"])
    assert "`corpus check` says everything" not in refused.stderr
