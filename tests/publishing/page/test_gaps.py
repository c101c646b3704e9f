from corpus.analysis.sparsity.gaps import Gap, Near
from corpus.analysis.sparsity.plan import sparsity_plan
from corpus.analysis.sparsity.summary import sparsity_report
from corpus.publishing.page.gaps import gap_lines
from tests.corpora.full import full


def lines(*gaps, **sections):
    study = full(**sections)
    report = sparsity_report(study, sparsity_plan(study.codebook))
    if gaps:
        report = report._replace(gaps=gaps)
    return gap_lines(report)


def test_gaps_are_in_the_order_of_the_report_with_what_is_expected():
    found = lines()
    assert [line.parts for line in found[:3]] == [
        (("use", "dam dam"), ("proof", "field")),
        (("Senses", "gas"),),
        (("Depth", "rock"),),
    ]
    assert [line.expected for line in found[:3]] == ["", "1.5", "1.0"]
    assert (found[1].entries, found[1].nearest, found[1].more) == (
        "0",
        (("dot", "Depth: deep"),),
        0,
    )


def test_what_differs_of_the_nearest_entries_is_named_and_the_others_are_counted():
    near = (Near("ada", 1.0, ("surface", "senses=heat")), Near("cy", 2.0, ()))
    gap = Gap(
        kind="pair",
        axes=("depth", "senses"),
        terms=("deep", "gas"),
        expected=0.25,
        nearest=near,
        as_near=3,
    )
    (line,) = lines(gap)
    assert line.nearest == (("ada", "surface, Senses: heat"), ("cy", ""))
    assert (line.more, line.expected) == (3, "0.2")
