"""Where works come from: every box of the identification adds up, and a bad number is located."""

import csv
import json
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner

from corpus.analysis.counting.identification import Identification, identification
from corpus.cli.main import main
from corpus.curation.screening.decisions import screening_flow
from corpus.model.finding import CorpusError, UsageProblem
from corpus.publishing.appendix.parts import protocol_part
from corpus.publishing.figures.figure import figure_plans
from corpus.publishing.figures.kinds.flow import Flow
from corpus.tables.corpus_reader import load_corpus
from corpus.tables.location import shipped_data
from tests.support.drawn import texts
from tests.support.searched import write_searched

LOG = """\
a-1,2026-11-01,a,arXiv,q,,,30,30,4,corpus 1
b-1,2026-11-01,b,DBLP,q,,,9,9,0,corpus 1
a-2,2026-11-02,a,arXiv,q,,,30,25,2,corpus 1
"""


def searched(folder, log=LOG):
    data = write_searched(folder, "format = 1\n")
    with (data / "search_log.csv").open("a", encoding="utf-8") as file:
        file.write(log)
    return data


def test_runs_are_summed_by_source(tmp_path):
    found = identification(load_corpus(str(searched(tmp_path))))
    assert found.sources == [("DBLP", 1, 9, 0), ("arXiv", 2, 55, 6)]
    assert (found.records, found.duplicates, found.new) == (64, 58, 6)


@pytest.mark.parametrize("cell", ["many", "-1", "1.5", "９", "1" * 40])
def test_a_number_that_is_none_is_refused_with_its_line(tmp_path, cell):
    log = LOG + f"a-3,2026-11-03,a,arXiv,q,,,1,{cell},0,corpus 1\n"
    study = load_corpus(str(searched(tmp_path, log)))
    with pytest.raises(UsageProblem, match=r"search_log\.csv:5: records"):
        identification(study)


def test_a_work_that_was_found_and_is_nowhere_is_a_finding():
    study = load_corpus(str(shipped_data()))
    log = study.tables["search_log"]
    run = ("a-1", "2026-11-01", "a", "arXiv", "q", "", "", "900", "900", "900", "corpus 1")
    study = study.with_tables({**study.tables, "search_log": log.with_rows([run])})
    with pytest.raises(CorpusError) as caught:
        figure_plans(study.codebook)["screening"].data(study)
    assert [finding.code for finding in caught.value.findings] == ["C801"]


def test_the_figure_has_a_box_for_each_way():
    ways = Identification((), 12, 12, 116, (("in", 12), ("out", 30)))
    data = Flow(116, (), 116, (("all", 116),), ways)
    words = " ".join(texts(data.draw(7.16, "Flow").figure())).replace("\u00a0", " ")
    for box in (
        "Identified from lists of others (n = 42)", "in (n = 12)", "out (n = 30)", "Identified in other ways (n = 116)",
        "Records to screen (n = 128)", "Awaiting assessment (n = 12)",
    ):  # fmt: skip
        assert box in words
    assert "New from searches" not in words
    boxes = [row[0] for row in data.frame()[1]]
    assert boxes[:7] == [
        "Found in lists of others", "Found in other ways", "Not decided yet",
        "Identified from lists of others", "verdict", "verdict", "audited",
    ]  # fmt: skip


def test_the_flow_of_the_shipped_corpus_adds_up_with_its_files():
    """The files are counted as text here, and by the reader of the corpus there."""
    folder = Path(shipped_data())
    rows = {}
    for name in ("pool", "exclusions", "candidates", "coverage"):
        with (folder / f"{name}.csv").open(encoding="utf-8", newline="") as file:
            rows[name] = list(csv.DictReader(file))
    verdicts = Counter(row["verdict"] for row in rows["coverage"])
    study = load_corpus(str(folder))
    frame = figure_plans(study.codebook)["screening"].data(study).frame()[1]
    boxes = Counter()
    by_verdict = {}
    for box, _, item, records in frame:
        boxes[box] += records
        if box == "verdict":
            by_verdict[item] = records
    assert len(rows["coverage"]) == boxes["verdict"]
    assert sorted(by_verdict.values()) == sorted(verdicts.values())
    assert by_verdict["To read"] == verdicts["to_read"]
    assert boxes["Not decided yet"] == len(rows["candidates"])
    screened = len(rows["pool"]) + len(rows["exclusions"])
    assert boxes["audited"] == screened == boxes["excluded"] + boxes["retained"]
    in_scope = by_verdict["Candidate"] + boxes["Found in other ways"]
    assert in_scope == screened + boxes["Not decided yet"]
    assert boxes["group"] == boxes["retained"] == len(rows["pool"])


REPORTED = """
[[stages]]
id = "{stage}"
[[reported]]
stage = "identified"
of = "Scopus"
records = 700
source = "figure 2 of the review"
[[reported]]
stage = "identified"
of = "Web of Science"
records = 386
source = "figure 2 of the review"
[[reported]]
stage = "duplicates"
records = 316
source = "figure 2 of the review"
[[reported]]
stage = "{stage}"
records = {excluded}
source = "figure 2 of the review"
"""


def reviewed(folder, excluded, more="", stage="text"):
    """Write a corpus whose review screened 770 records, of which so many have no row."""
    data = searched(folder, "")
    text = (data / "protocol.toml").read_text("utf-8").partition("[[stages]]")[0]
    reported = REPORTED.format(excluded=excluded, stage=stage)
    (data / "protocol.toml").write_text(f"{text}{reported}{more}", "utf-8")
    return data


def codes(data):
    result = CliRunner().invoke(main, ["check", "--data", str(data), "--format", "json"])
    return [finding["code"] for finding in json.loads(result.stdout)["findings"]]


def box(stage, records):
    return f'[[reported]]\nstage = "{stage}"\nrecords = {records}\nsource = "its text"\n'


@pytest.mark.parametrize(
    ("excluded", "more", "found"),
    [
        (762, "", []),  # all but the eight rows of pool and log
        (761, "", ["C450"]),  # one record is nowhere
        (762, box("screened", 771), ["C450"]),
        (762, box("included", 5), []),
        (762, box("included", 4), ["C450"]),  # the log has three rows for four records
        (762, box("included", 9), ["C450"]),
        (762, box("screenned", 770), ["C441"]),
        (762, box("included", -1), ["C441", "C450"]),
    ],
)
def test_what_a_review_reported_adds_up_with_the_rows(tmp_path, excluded, more, found):
    told = codes(reviewed(tmp_path, excluded, more))
    assert sorted({"C441", "C450"} & set(told)) == found


@pytest.mark.parametrize(("new", "found"), [(4, []), (400, ["C450"])])
def test_what_searches_found_must_be_somewhere(tmp_path, new, found):
    told = codes(searched(tmp_path, LOG.replace(",4,corpus", f",{new},corpus")))
    assert ["C450"] * ("C450" in told) == found


def test_the_flow_begins_with_the_review_that_came_before(tmp_path):
    study = load_corpus(str(reviewed(tmp_path, 762)))
    found = identification(study)
    assert (found.screened_before, found.otherwise, found.audited) == (770, 0, 770)
    flow = screening_flow(study)
    assert [*flow.values()][:4] == [700, 386, 316, 770]
    (table,) = [sheet for sheet in protocol_part(study).sheets if sheet.id == "identified"]
    rows = [tuple(cell.text for cell in row) for block in table.blocks for row in block.rows]
    assert [row[2] for row in rows[:4]] == ["700", "386", "316", "770"]


def test_each_release_has_its_flow():
    study = load_corpus(str(shipped_data()))
    (sheet,) = [sheet for sheet in protocol_part(study).sheets if sheet.id == "versions"]
    heads = [field.head for field in sheet.fields]
    assert (heads[:2], heads[-1]) == (["Records", "v1"], "now")
    rows = [[cell.text for cell in row] for block in sheet.blocks for row in block.rows]
    first = {row[0]: row[1] for row in rows}
    assert (first["Included"], first["Not decided yet"]) == ("84", "")
