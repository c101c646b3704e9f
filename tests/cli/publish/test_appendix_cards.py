"""The cards of an appendix: three formats, own templates, hostile cells."""

import io
from html.parser import HTMLParser

import pytest
from markdown_it import MarkdownIt

from tests.support.conformance import needed
from tests.support.hostile import HOSTILE, hostile_pool
from tests.support.latex_machine import need_latex


class _Elements(HTMLParser):
    """The names of all elements, and every address in them."""

    def __init__(self):
        super().__init__()
        self.names: set[str] = set()
        self.addresses: list[str] = []

    def handle_starttag(self, tag, attrs):
        self.names.add(tag)
        self.addresses += [value for name, value in attrs if name in ("href", "src")]


def elements(page):
    parser = _Elements()
    parser.feed(page)
    return parser


@pytest.mark.parametrize(
    ("format_", "template", "printed"),
    [
        ("latex", "<% for card in cards %><< card.key >>: << card.lines[0].text >>\n<% endfor %>", "fen: optical"),
        ("markdown", "{% for card in cards %}{{ card.title }}\n{% endfor %}", "Light in the fen"),
        ("html", "{% for card in cards %}<p>{{ card.people }}</p>{% endfor %}", "<p>Bo Moor</p>"),
    ],
)  # fmt: skip
def test_an_own_template_is_filled(run, minimal, format_, template, printed):
    path = minimal.parent / "card.template"
    path.write_text(template, encoding="utf-8")
    result = run(
        "render-appendix", "--part", "cards", "--where", "probe=optical", "--format", format_,
        "--template", path, "--data", minimal,
    )  # fmt: skip
    assert printed in result.output


def test_a_mistake_in_a_template_is_a_finding(run, minimal):
    path = minimal.parent / "card.md"
    path.write_text("\n{% for card in cards %}{{ card.nothing }}{% endfor %}", encoding="utf-8")
    arguments = ("render-appendix", "--part", "cards", "--format", "markdown", "--template", path)
    result = run(*arguments, "--data", minimal)
    assert (result.exit_code, "R112" in result.output) == (1, True)


def test_the_part_has_the_cards_of_the_chosen_entries_and_all_leaves_it_out(run, minimal):
    arguments = ("render-appendix", "--format", "html", "--data", minimal, "--part")
    chosen = run(*arguments, "cards", "--where", "probe=optical").output
    assert 'id="cards-fen"' in chosen
    assert 'id="cards-clay"' not in chosen
    assert 'id="cards"' not in run(*arguments, "all").output


def test_hostile_cells_stay_text_in_every_format(run, real):
    hostile_pool(real)
    arguments = ("render-appendix", "--part", "cards", "--data", real)
    page = run(*arguments, "--format", "html").output
    found = elements(page)
    assert not found.names & {"script", "img", "iframe", "svg"}
    assert all(address.startswith(("http", "#")) for address in found.addresses)
    markdown = run(*arguments, "--format", "markdown").output
    shown = elements(MarkdownIt("gfm-like", {"linkify": False}).render(markdown))
    assert not shown.names & {"script", "img", "iframe"}
    assert not any(line.startswith("::") for line in markdown.splitlines())
    latex = run(*arguments, "--format", "latex").output
    assert "\\write18" not in latex
    assert "\\input{" not in latex
    keys = [line.split(",")[0] for line in (real / "pool.csv").read_text("utf-8").splitlines()]
    for key in keys[1 : len(HOSTILE) + 1]:
        text = run("show", key, "--data", real).output
        assert "\u202e" not in text
        assert not any(line.startswith("::") for line in text.splitlines())


@pytest.mark.slow
def test_two_cards_fit_on_a_page(run, real):
    """Every card fits on half a page, in the compiled document."""
    need_latex()
    path = real / "cards.pdf"
    run("render-appendix", "--part", "cards", "--format", "pdf", "-o", path, "--data", real)
    pages = needed("pypdf").PdfReader(io.BytesIO(path.read_bytes())).pages
    starts = [page.extract_text().count("Neighbours") for page in pages]
    assert sum(starts) == 84
    # The first page has the title of the document as well.
    assert starts[0] >= 1
    assert all(number >= 2 for number in starts[1:-1])


@pytest.mark.slow
def test_hostile_cards_compile(run, real):
    need_latex()
    hostile_pool(real)
    path = real / "cards.pdf"
    arguments = ("render-appendix", "--part", "cards", "--format", "pdf", "-o", path)
    assert run(*arguments, "--data", real).exit_code == 0
    assert not path.with_name("owned").exists()
