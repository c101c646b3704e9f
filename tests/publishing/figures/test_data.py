import pytest

from corpus.analysis.sparsity.cells import APART, EMPTY, FILLED, IMPOSSIBLE
from corpus.model.finding import CorpusError
from corpus.publishing.figures.data import figure_data
from corpus.publishing.figures.kinds.flow import UNCODED
from corpus.publishing.figures.parser import figure_plans
from corpus.tables.corpus_reader import load_corpus
from corpus.tables.location import shipped_data
from tests.corpora.soils import codebook_data, soils


@pytest.fixture(scope="module")
def shipped():
    corpus = load_corpus(shipped_data())
    return {name: figure_data(corpus, plan) for name, plan in figure_plans(corpus.codebook).items()}


def draw(rows=None, /, **figure):
    corpus = soils(rows, figures={"it": figure})
    return figure_data(corpus, figure_plans(corpus.codebook)["it"])


SEEN = {"kind": "timeline", "table": "dated", "date": "seen", "group": "depth", "window": ["2020-10", "2021-02"]}


def test_the_timeline_of_the_survey(shipped):
    found = shipped["timeline"]
    assert (len(found.months), found.months[0], found.months[-1]) == (18, "2024-12", "2026-05")
    assert found.entries == {"inside": 59, "before": 25, "after": 0, "undated": 0}
    assert found.empty() == ("2025-12", "2026-05")
    assert [found.of_month(month) for month in found.months] == [2, 3, 4, 3, 3, 5, 1, 3, 3, 3, 6, 4, 0, 3, 7, 2, 7, 0]
    assert {group.id: found.of_group(group.id) for group in found.groups} == {
        "rl_method": 38, "benchmark": 7, "classical_marl": 0, "industry": 6, "survey": 5, "framework": 3,
    }  # fmt: skip
    assert len(found.milestones) == 6


def test_months_are_counted_and_the_rest_is_said():
    found = draw(**SEEN)
    assert [found.of_month(month) for month in found.months] == [0, 2, 0, 1, 0]
    assert found.entries == {"inside": 3, "before": 1, "after": 0, "undated": 1}  # 2020 alone overlaps the window
    assert found.total == 5


def test_a_year_alone_that_lies_outside_the_window_is_no_unknown():
    early = draw(
        {"dated": [("ada", "1994"), ("bob", "2030"), ("cy", ""), ("dot", "2021-01"), ("eve", "2021-03")]}, **SEEN
    )
    assert early.entries == {"inside": 1, "before": 1, "after": 2, "undated": 1}


def test_entries_without_a_row_in_the_date_table_are_undated():
    assert draw({"dated": []}, **SEEN).entries["undated"] == 5


def test_milestones_stand_in_order_of_time_with_their_short_names():
    shown = {"labels": {"bob": "B."}, "milestones": [{"axis": "depth", "terms": ["surface", "shallow", "deep"]}]}
    found = draw(**SEEN, **shown)
    assert [(item.month, item.label) for item in found.milestones] == [
        ("2020-11", "ada"), ("2020-11", "B."), ("2021-01", "cy"),  # dot is of 2019, before the window
    ]  # fmt: skip
    assert draw(**SEEN, milestones=[{"axis": "depth", "terms": ["shallow"]}]).milestones == (("2021-01", "cy", "cy"),)


def test_the_rows_behind_a_timeline_say_what_they_count():
    found = draw(**SEEN, milestones=[{"axis": "depth", "terms": ["shallow"]}]).frame()
    assert found.header == ("part", "month", "item", "entries", "label")
    assert [row for row in found.rows if row[3]] == [
        ("month", "2020-11", "surface", 2, ""), ("month", "2021-01", "shallow", 1, ""),
        ("before", "", "deep", 1, ""), ("undated", "", "none", 1, ""), ("milestone", "2021-01", "cy", 1, "cy"),
    ]  # fmt: skip
    assert len(found.rows) == 5 * 5 + 3 * 5 + 1


def test_the_edges_of_the_window_belong_to_it():
    dated = [("ada", "2020-10"), ("bob", "2021-02"), ("cy", "2020-09"), ("dot", "2021-03"), ("eve", "2021")]
    found = draw({"dated": dated}, **SEEN)
    assert found.entries == {"inside": 2, "before": 1, "after": 1, "undated": 1}
    assert [found.of_month(month) for month in found.months] == [1, 0, 0, 0, 1]
    assert found.empty() == ("2020-11", "2020-12", "2021-01")
    assert {group: n for (part, group), n in found.outside.items() if n} == {"shallow": 1, "deep": 1, "none": 1}


def test_several_entries_may_lie_outside():
    found = draw(
        {"dated": [("ada", "2019-01"), ("bob", "2019-02"), ("cy", "2022"), ("dot", "2023"), ("eve", "2019")]}, **SEEN
    )
    assert {place: n for place, n in found.outside.items() if n} == {
        ("before", "surface"): 2, ("before", "none"): 1, ("after", "shallow"): 1, ("after", "deep"): 1,
    }  # fmt: skip


def test_a_date_that_cannot_be_read_is_a_finding_at_its_line():
    with pytest.raises(CorpusError) as caught:
        draw({"dated": [("ada", "May 2020"), ("bob", "2020-13")]}, **SEEN)
    assert [(f.code, f.line, f.value) for f in caught.value.findings] == [
        ("C804", 2, "May 2020"), ("C804", 3, "2020-13"),
    ]  # fmt: skip


def test_a_short_name_for_no_entry_is_a_finding():
    with pytest.raises(CorpusError) as caught:
        draw(**SEEN, labels={"adda": "A"})
    assert [(f.code, f.value) for f in caught.value.findings] == [("C803", "adda")]


def test_the_heatmaps_hold_every_cell(shipped):
    found = shipped["reward_by_credit"]
    assert len(found.tiles) == len(found.rows) * len(found.columns) == 90
    assert found.tiles["shared", "message"] == (1, "filled")
    assert found.tiles["tool", "token"] == (0, EMPTY)
    assert found.tiles["individual", "team"][1] == IMPOSSIBLE
    assert found.tiles["NA", "orchestrator"] == (1, APART)
    assert (found.total, sum(found.row_totals.values()), sum(found.column_totals.values())) == (84, 84, 84)


def test_bars_count_entries_and_their_parts(shipped):
    found = shipped["categories"]
    assert list(found.entries.values()) == [42, 18, 10, 6, 5, 3]
    assert found.parts["rl_method", "yes"] == 36
    multi = draw(kind="bars", axis="senses")
    assert multi.entries == {"water": 3, "salt": 1, "heat": 2, "gas": 0}
    assert multi.total == 5
    assert multi.frame().rows[-1] == ("gas", 0)


def test_the_ladder_reads_broad_and_strict(shipped):
    rungs = {rung.id: rung for rung in shipped["credit_units"].rungs}
    assert list(rungs) == ["team", "orchestrator", "role", "agent", "turn", "message", "tool", "token"]
    assert [(rungs[u].broad, rungs[u].strict, rungs[u].near) for u in ("message", "orchestrator")] == [
        (2, 1, 0), (8, 4, 1),
    ]  # fmt: skip
    assert shipped["credit_units"].absent_entries == 36


@pytest.mark.parametrize(("absent", "units", "label", "entries"), [
    ("none", ["surface", "shallow", "deep", "rock"], "none", 1), ("surface", ["shallow", "deep", "rock", "none"], "surface", 2),
    ("", ["surface", "shallow", "deep", "rock", "none"], "", 0),
])  # fmt: skip
def test_the_ladder_leaves_the_term_for_not_applicable_out(absent, units, label, entries):
    vocabularies = codebook_data()["vocabularies"]
    vocabularies["depth"]["not_applicable"] = absent
    corpus = soils(vocabularies=vocabularies, figures={"it": {"kind": "ladder", "axis": "depth"}})
    found = figure_data(corpus, figure_plans(corpus.codebook)["it"])
    assert [rung.id for rung in found.rungs] == units
    assert (found.absent, found.absent_entries) == (label, entries)


def test_the_grid_leaves_no_cell_out(shipped):
    found = shipped["decisions"]
    assert found.cells["O5", "dedicated_signal"] == ()
    assert len(found.cells["O5", "trained_action_space"]) == 4
    assert ("O5", "dedicated_signal", "", "") in found.frame().rows


def test_the_flow_adds_up(shipped):
    found = shipped["screening"]
    assert (found.audited, found.retained) == (116, 84)
    assert [stage.excluded for stage in found.stages] == [16, 9, 6, 1]
    assert all(sum(n for _, n in stage.reasons) == stage.excluded for stage in found.stages)
    assert found.stages[-1].left == sum(n for _, n in found.groups) == 84


def test_a_flow_that_does_not_add_up_is_a_finding():
    steps = {"kind": "flow", "group": "depth"}
    assert draw(**steps, audited=8).audited == 8
    for figure, code in (({**steps, "audited": 9}, "C801"), ({**steps, "group": "senses"}, "C001")):
        with pytest.raises(CorpusError) as caught:  # an entry of two groups counts twice
            draw(**figure)
        assert [f.code for f in caught.value.findings] == [code]


def test_entries_of_no_group_are_drawn_as_such():
    rows = [("ada", "Ada", "deep", "water"), ("bob", "Bob", "", "heat"), ("cy", "Cy", "", "heat")]
    others = {"judged": [], "uses": [], "ranges": []}
    found = draw({"sensors": rows, "dropped": [], **others}, kind="flow", group="depth")
    assert (found.retained, found.groups[-1]) == (3, ("not given", 2))
    dated = draw({"sensors": rows, "dated": [("bob", "2020-11"), ("ada", "2020-11")], **others}, **SEEN)
    assert (dated.of_month("2020-11"), dated.of_group(""), dated.outside["undated", ""]) == (2, 1, 1)
    assert dated.groups[-1] == ("", "not given")


def test_the_rows_behind_a_flow():
    found = draw(kind="flow", group="depth")
    assert [(stage.label, stage.reached, stage.excluded, stage.left) for stage in found.stages] == [
        ("title", 8, 2, 6), ("text", 6, 1, 5),
    ]  # fmt: skip
    assert found.frame() == (
        ("box", "stage", "item", "records"),
        (
            ("audited", "", "", 8), ("reached", "title", "", 8), ("excluded", "title", "", 2), ("reached", "text", "", 6),
            ("excluded", "text", "", 1), ("retained", "", "", 5), ("group", "", "surface", 2), ("group", "", "shallow", 1),
            ("group", "", "deep", 1), ("group", "", "rock", 0), ("group", "", "none", 1),
        ),
    )  # fmt: skip


def test_a_record_of_no_known_stage_leaves_too_many():
    with pytest.raises(CorpusError) as caught:
        draw({"dropped": [("x1", "title"), ("x2", "other")]}, kind="flow", group="depth")
    assert [(f.code, f.file) for f in caught.value.findings] == [("C801", "dropped.csv")]


def test_every_excluded_record_has_a_reason_or_is_drawn_as_not_coded():
    data = codebook_data()
    column = {"name": "record", "type": "ref", "references": "dropped", "definition": "Record."}
    why = {"name": "why", "type": "term", "vocabulary": "proof", "definition": "Why."}
    data["tables"]["whys"] = {"file": "whys.csv", "key": ["record"], "columns": [column, why]}
    steps = {"it": {"kind": "flow", "group": "depth", "reasons": "whys", "reason": "why"}}

    def flow(*rows, **others):
        corpus = soils({"whys": list(rows), **others}, tables=data["tables"], figures=steps)
        return figure_data(corpus, figure_plans(corpus.codebook)["it"])

    rows = [("x1", "lab"), ("x2", "lab"), ("x3", "field")]
    assert [stage.reasons for stage in flow(*rows).stages] == [(("lab", 2),), (("field", 1),)]
    assert flow(*rows[:1], rows[2]).stages[0].reasons == (("lab", 1), (UNCODED, 1))
    log = [("x1", "title"), ("x2", "title"), ("x3", "title")]
    assert flow(*rows, dropped=log).stages[0].reasons == (("lab", 2), ("field", 1))  # most first, then by label
    assert flow(*rows[1:], dropped=log[1:]).stages[0].reasons == (("field", 1), ("lab", 1))
    with pytest.raises(CorpusError) as caught:
        flow(*rows, ("x1", "field"))  # one record, two reasons
    assert [f.code for f in caught.value.findings] == ["C801"]


REACH = {"kind": "ranges", "table": "ranges", "value": "value", "unit": "unit", "quantity": "of", "boundary": "limit"}


def test_ranges_stand_by_unit_each_with_its_boundary(shipped):
    found = draw(**REACH)
    assert [(mark.unit, mark.value, mark.boundary) for mark in found.marks] == [
        ("m", 3.0, "on sand"), ("m", 40.0, "in clay"), ("days", 1500.0, "as sold"),
    ]  # fmt: skip
    assert all(mark.boundary for mark in shipped["envelopes"].marks)
    assert found.units == ("m", "days")
    assert found.frame().header == ("name", "quantity", "value", "unit", "kind", "boundary")
    assert found.frame().rows[0] == ("ada", "reach", 3.0, "m", "", "on sand")
    assert {mark.value for mark in shipped["envelopes"].marks} >= {16, 100, 300, 1500, 4000, 20000, 100000}


@pytest.mark.parametrize("value", ["0", "-3", "many", "inf", "nan", "1e999"])
def test_what_has_no_place_on_a_logarithmic_axis_is_a_finding(value):
    with pytest.raises(CorpusError) as caught:
        draw({"ranges": [("r", "ada", "reach", value, "m", "")]}, **REACH)
    assert [(f.code, f.line, f.value) for f in caught.value.findings] == [("C802", 2, value)]


def test_small_numbers_have_a_place_and_every_wrong_one_is_told():
    rows = [
        ("a", "ada", "reach", "0.5", "m", ""),
        ("b", "ada", "reach", "0", "m", ""),
        ("c", "bob", "reach", "x", "m", ""),
    ]
    assert [mark.value for mark in draw({"ranges": rows[:1]}, **REACH).marks] == [0.5]
    with pytest.raises(CorpusError) as caught:
        draw({"ranges": rows}, **REACH)
    assert [(f.line, f.column, f.value) for f in caught.value.findings] == [(3, "value", "0"), (4, "value", "x")]


def test_kinds_of_numbers_are_drawn_as_declared_where_they_occur():
    data = codebook_data()
    data["tables"]["ranges"]["columns"].append(
        {"name": "seen", "type": "term", "vocabulary": "proof", "definition": "How."}
    )
    rows = [("a", "ada", "reach", "3", "m", "", "lab"), ("b", "bob", "reach", "2", "m", "", "lab")]
    corpus = soils({"ranges": rows}, tables=data["tables"], figures={"it": {**REACH, "bound": "seen"}})
    found = figure_data(corpus, figure_plans(corpus.codebook)["it"])
    assert [(mark.name, mark.kind) for mark in found.marks] == [("bob", "lab"), ("ada", "lab")]
    assert found.kinds == ("lab",)
    assert draw(**REACH).kinds == ()


def test_units_stand_by_their_largest_number():
    rows = [
        ("a", "ada", "reach", "0.2", "m", ""),
        ("b", "bob", "life", "0.9", "s", ""),
        ("c", "cy", "life", "0.1", "s", ""),
    ]
    found = draw({"ranges": rows}, **REACH)
    assert [(mark.unit, mark.value) for mark in found.marks] == [("m", 0.2), ("s", 0.1), ("s", 0.9)]


def test_the_rows_behind_a_heatmap():
    found = draw(kind="heatmap", rows="depth", columns="senses")
    header, rows = found.frame()
    assert header == ("row", "column", "entries", "status")
    assert len(rows) == 5 * 4
    assert [row for row in rows if row[2]] == [
        ("surface", "water", 2, FILLED), ("surface", "heat", 1, FILLED), ("shallow", "salt", 1, FILLED),
        ("deep", "heat", 1, FILLED), ("none", "water", 1, APART),
    ]  # fmt: skip
    assert ("rock", "water", 0, IMPOSSIBLE) in rows
    assert ("rock", "heat", 0, EMPTY) in rows
    assert (found.row_name, found.column_name, found.row_absent, found.column_absent) == ("Depth", "Senses", "none", "")
    assert (found.row_totals["surface"], found.column_totals["water"], found.total) == (2, 3, 5)
    assert (found.rows[0].id, [label.label for label in found.columns]) == (
        "surface", ["water", "salt", "heat", "gas"],
    )  # fmt: skip


def test_the_rows_behind_bars():
    found = draw(kind="bars", axis="depth", split="senses")
    assert found.frame().header == ("term", "part", "entries")
    assert found.frame().rows[:3] == (("surface", "water", 2), ("surface", "salt", 0), ("surface", "heat", 1))
    assert (found.split_name, [label.id for label in found.split]) == ("Senses", ["water", "salt", "heat", "gas"])
    assert (found.entries, found.total, found.absent) == (
        {"surface": 2, "shallow": 1, "deep": 1, "rock": 0, "none": 1}, 5, "none",
    )  # fmt: skip
    whole = draw(kind="bars", axis="depth")
    assert whole.frame() == (("term", "entries"), tuple(found.entries.items()))
    assert (whole.split, whole.split_name, whole.parts) == ((), "", {})


def test_the_rows_behind_a_ladder():
    found = draw(kind="ladder", axis="depth")
    assert found.frame() == (
        ("unit", "broad", "strict", "near", "weaker", "unjudged"),
        (("surface", 2, 1, 0, 1, 0), ("shallow", 1, 0, 1, 0, 0), ("deep", 1, 0, 0, 0, 1), ("rock", 0, 0, 0, 0, 0)),
    )
    assert (found.axis, found.names, found.absent, found.absent_entries) == (
        "Depth", ("well", "nearly", "hardly"), "none", 1,
    )  # fmt: skip


def test_the_rows_behind_a_grid():
    found = draw(kind="grid", table="uses", rows="use", columns="proof", labels={"dot": "D."})
    assert found.frame() == (
        ("row", "grade", "key", "name"),
        (
            ("farm", "field", "ada", "ada"), ("farm", "lab", "bob", "bob"),
            ("dam", "field", "", ""), ("dam", "lab", "dot", "D."),
        ),
    )  # fmt: skip
    assert [label.id for label in (*found.rows, *found.grades)] == ["farm", "dam", "field", "lab"]
