import csv
import io

import pytest
from markdown_it import MarkdownIt

from corpus.model.filters import parse_filters
from corpus.printing.typeset import epoch_of, typeset
from corpus.publishing.appendix.appendix import PARTS, appendix_text, chosen_cards, make_appendix
from corpus.tables.corpus_reader import load_corpus
from tests.conftest import REAL
from tests.corpora.full import full
from tests.support.conformance import needed
from tests.support.golden import golden
from tests.support.hostile import HOSTILE, hostile_pool
from tests.support.latex_machine import need_latex, widest_overfull


def compiled(folder):
    appendix = make_appendix(load_corpus(str(folder)), PARTS)
    return typeset(appendix_text(appendix, "latex", standalone=True), epoch_of(appendix.cutoff))


def words(text):
    """Return a text without blanks and hyphens, which line breaks add and take away, apostrophes as typed."""
    return "".join(text.split()).replace("-", "").replace("’", "'")


def pdf_text(pdf):
    return "\n".join(
        page.extract_text() for page in needed("pypdf").PdfReader(io.BytesIO(pdf)).pages
    )


@pytest.mark.slow
def test_the_real_appendix_compiles_with_every_title_and_no_bad_box():
    need_latex()
    made = compiled(REAL)
    assert widest_overfull(made.log) <= 2
    assert "undefined" not in made.log
    assert "Missing character" not in made.log
    printed = words(pdf_text(made.pdf))
    rows = list(csv.DictReader((REAL / "pool.csv").read_text(encoding="utf-8").splitlines()))
    assert [row["title"] for row in rows if words(row["title"]) not in printed] == []
    assert len(rows) == 84


@pytest.mark.slow
def test_hostile_cells_compile_and_print_as_text(real):
    need_latex()
    hostile_pool(real)
    made = compiled(real)
    assert widest_overfull(made.log) <= 2
    printed = words(pdf_text(made.pdf))
    assert "root:" not in printed
    for text in (
        r"\input{/etc/passwd}",
        r"\end{document}",
        "<script>alert(1)</script>",
        "[U+591AU+667AU+80FD",
    ):
        assert words(text) in printed
    assert printed.count("x") >= 5000


def test_html_is_valid_and_runs_nothing(real):
    hostile_pool(real)
    appendix = make_appendix(load_corpus(str(real)), PARTS)
    page = "".join(appendix_text(appendix, "html"))
    tree = needed("html5lib").HTMLParser(strict=True, namespaceHTMLElements=False).parse(page)
    assert tree.findall(".//script") == []
    links = [link.get("href") for link in tree.findall(".//a")]
    assert len(links) > 84
    assert all(link.startswith(("https://", "http://")) for link in links)
    shown = "".join(tree.itertext())
    assert all(text in shown for text in HOSTILE if text.isprintable())


def test_markdown_stays_text(real):
    hostile_pool(real)
    appendix = make_appendix(load_corpus(str(real)), PARTS)
    text = "".join(appendix_text(appendix, "markdown"))
    page = MarkdownIt("gfm-like", {"linkify": False}).render(text)
    assert "<script" not in page
    assert "javascript:" not in "".join(part for part in page.split('"')[1::2])
    assert "<img" not in page
    assert not any(line.startswith("::") for line in text.splitlines())
    tree = needed("html5lib").HTMLParser(namespaceHTMLElements=False).parse(page)
    links = [row.find("td/a") for row in tree.findall(".//tbody/tr")]
    assert len([link for link in links if link is not None]) > 84


@pytest.mark.parametrize("sink", ["latex", "markdown", "html"])
def test_the_small_corpus_in_print(sink, minimal):
    appendix = make_appendix(load_corpus(str(minimal)), PARTS, origin=("Made by a test",))
    golden(f"soil_appendix.{sink}", "".join(appendix_text(appendix, sink)))


def test_a_long_cell_is_continued_so_that_the_page_can_break(minimal):
    path = minimal / "sensors.csv"
    path.write_text(path.read_text().replace("Temperatures of till", "z" * 1500), encoding="utf-8")
    appendix = make_appendix(load_corpus(str(minimal)), ["table"])
    found = [line.count("z") for line in "".join(appendix_text(appendix, "latex")).splitlines()]
    assert (sum(found), max(found)) == (1501, 600)  # one more stands in \\footnotesize


def test_a_part_that_has_nothing_to_show_is_left_out_unless_it_is_asked_for(minimal):
    corpus = load_corpus(str(minimal))
    ids = [part.id for part in make_appendix(corpus, ["all"]).parts]
    assert ids == ["table", "statistics", "definitions", "protocol", "exclusions"]
    [part] = make_appendix(corpus, ["ledger"]).parts
    assert part.id == "ledger"


def test_the_cards_of_an_evidence_table_are_printed_in_its_order_unless_others_are_chosen():
    card = {"lines": [], "parts": {"table": "uses", "show": ["use"]}}
    study = full(card=card)
    assert [found.key for found in chosen_cards(study)] == ["dot", "ada", "bob"]
    deep = tuple(parse_filters(("depth=surface",), study.pool.spec, study.codebook))
    assert [found.key for found in chosen_cards(study, deep)] == ["bob", "ada"]


def test_what_all_parts_leave_out_is_printed_with_its_part():
    study = full(appendix={"leave_out": ["depth_by_senses"]})

    def sheets(name):
        parts = make_appendix(study, [name]).parts
        return [sheet.id for part in parts if part.id == "statistics" for sheet in part.sheets]

    assert sheets("all") == ["coverage"]
    assert sheets("statistics") == ["coverage", "depth_by_senses"]
