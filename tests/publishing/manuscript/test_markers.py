import pytest

from corpus.model.finding import CorpusError
from corpus.publishing.manuscript.markers import renew

NAMES = {"PoolSize": "84", "table-x": "| a |\n| --- |\n"}


@pytest.mark.parametrize(
    ("sink", "before", "after"),
    [
        (
            "md",
            "a <!-- corpus: PoolSize -->83<!-- /corpus --> b",
            "a <!-- corpus: PoolSize -->84<!-- /corpus --> b",
        ),
        (
            "html",
            "<b><!--corpus:PoolSize--><!--/corpus--></b>",
            "<b><!--corpus:PoolSize-->84<!--/corpus--></b>",
        ),
        (
            "md",
            "<!-- corpus: table-x -->\nold\n<!-- /corpus -->\nend",
            "<!-- corpus: table-x -->\n| a |\n| --- |\n<!-- /corpus -->\nend",
        ),
        ("tex", "a\n% corpus: PoolSize\n% /corpus\nb", "a\n% corpus: PoolSize\n84\n% /corpus\nb"),
        ("tex", "% corpus: PoolSize\nx\ny\n% /corpus", "% corpus: PoolSize\n84\n% /corpus"),
        ("md", "```\n<!-- corpus: Nothing -->\n```\n", "```\n<!-- corpus: Nothing -->\n```\n"),
        ("md", "no markers", "no markers"),
    ],
)
def test_only_text_between_markers_changes(sink, before, after):
    renewed, stale = renew(before, sink, NAMES, "a")
    assert renewed == after
    assert bool(stale) == (before != after)
    assert renew(renewed, sink, NAMES, "a") == (after, [])


def test_a_stale_region_is_reported_with_line_and_both_values():
    _, [finding] = renew("a\n\nb <!-- corpus: PoolSize -->83<!-- /corpus -->", "md", NAMES, "a.md")
    assert (finding.code, finding.line, finding.value) == ("R123", 3, "83")
    assert "'84'" in finding.message


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("\n<!-- corpus: PoolSiz -->x<!-- /corpus -->", "R121", 2),
        ("\n\n<!-- corpus: PoolSize -->x", "R122", 3),
        ("<!-- corpus: PoolSize -->\n<!-- corpus: PoolSize -->x<!-- /corpus -->", "R122", 1),
    ],
)
def test_faults_replace_nothing(text, code, line):
    with pytest.raises(CorpusError) as caught:
        renew(text, "md", NAMES, "a.md")
    assert [(finding.code, finding.line) for finding in caught.value.findings] == [(code, line)]


@pytest.mark.parametrize(("sink", "text", "warned"), [
    ("md", "we kept\n<!-- corpus: PoolSize -->84<!-- /corpus --> **of**", [("R124", 2)]),
    ("md", "> <!-- corpus: PoolSize -->84<!-- /corpus --> papers", [("R124", 1)]),
    ("md", "- item\n  <!-- corpus: PoolSize -->84<!-- /corpus -->", [("R124", 2)]),
    ("md", "a <!-- Corpus: PoolSize -->84<!-- / corpus -->", [("R125", 1), ("R125", 1)]),
    ("md", "```\n<!-- Corpus: -->\n```\n", []),
    ("tex", "a\n%% corpus: PoolSize\n", [("R125", 2)]), ("tex", "% Corpus: PoolSize\n% a corpus\n", [("R125", 1)]),
    ("html", "<p><!-- corpus : PoolSize --></p>", [("R125", 1)]), ("html", "<!-- corpora -->", []),
])  # fmt: skip
def test_what_a_marker_breaks_and_what_is_nearly_one_is_a_warning(sink, text, warned):
    renewed, found = renew(text, sink, NAMES, "a")
    assert renewed == text
    assert [(finding.code, finding.line) for finding in found] == warned
    assert {finding.severity for finding in found} <= {"warning"}
