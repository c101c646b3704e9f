"""Cells that would like to be code stay text; nothing but http(s) becomes a link."""

import base64
import csv
import hashlib
import io
import re
from html.parser import HTMLParser

import pytest

from tests.corpora.minimal import write_minimal
from tests.printing.test_escape import UNSEEN, as_spaces, with_characters
from tests.support.browsing import expect, write_page
from tests.support.hostile import NAUGHTY

HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "</script><script>alert(1)</script>",
    "</noscript><svg onload=alert(1)>",
    "<!-- <script>",
    "]]> {{ 7*7 }} {% raw %}",
    "'\"><iframe src=javascript:alert(1)>",
    "javascript:alert(1)",
    "\u202egnp.exe \u2028 \u200b",
    "&lt;b&gt; &amp;",
    "x" * 5000,
]


#: Texts that a table can have in a cell; carriage returns and NUL bytes are refused before.
ONE_CELL = []
for given in NAUGHTY.values():
    for one in given:
        if not set(one) & {"\r", "\0"} and one not in ONE_CELL:
            ONE_CELL.append(one)


@pytest.fixture(scope="module")
def hostile_page(tmp_path_factory):
    folder = tmp_path_factory.mktemp("hostile")
    data = write_minimal(folder / "soil")

    def cell(text):
        return '"' + text.replace('"', '""') + '"'

    rows = ["id,name,who,year,arxiv,link,probe,measures,remark"]
    dates, rejected = ["id,authors,doi,public"], ["nr,source,label,found,stage"]
    for n, text in enumerate(HOSTILE):
        rows.append(
            f"h{n:02},{cell(text)},{cell(text)},2020,{cell(text)},{cell(text)},none,heat,{cell(text)}"
        )
        dates.append(f"h{n:02},{cell(text)},{cell(text)},2020-01")
        rejected.append(f"X{n:02},{cell(text)},{cell(text)},{cell(text)},full_text")
    for name, lines in (("sensors", rows), ("papers", dates), ("rejected", rejected)):
        (data / f"{name}.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    book = (data / "codebook.toml").read_text(encoding="utf-8")
    book = book.replace("By permittivity.", "</script><img src=x onerror=alert(2)>")
    book = book.replace(
        'title = "Soil sensors"', 'title = "<script>alert(3)</script> Soil-sensors"'
    )
    book = book.replace('id = "soil"\n', 'id = "soil"\nhomepage = "javascript:alert(4)"\n')
    (data / "codebook.toml").write_text(book, encoding="utf-8")
    return write_page(data, folder / "hostile.html")


class Seen(HTMLParser):
    """The elements and attributes that a browser would see."""

    def __init__(self, html):
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))


def test_no_cell_becomes_an_element_or_an_address(hostile_page):
    seen = Seen(hostile_page.read_text(encoding="utf-8"))
    assert [tag for tag, _ in seen.tags].count("script") == 4
    assert not {"img", "iframe", "svg", "object", "form", "b"} & {tag for tag, _ in seen.tags}
    for tag, attributes in seen.tags:
        assert not [name for name in attributes if name.startswith("on") or name == "style"], tag
        for name in ("href", "src"):
            if name in attributes:
                assert re.match(
                    r"#|https?://|data:image/svg|feed\.atom$", attributes[name] or ""
                ), attributes[name]


@pytest.mark.parametrize(
    "address",
    [
        "",
        "#entry?key=h00",
        "#entry?key=h02",
        "#entry?key=h03",
        "#map",
        "#codebook",
        "#table-rejected",
    ],
)
def test_no_cell_runs(visit, hostile_page, address):
    page = visit(hostile_page, address)  # `visit` fails on any dialog, request or console message
    assert page.locator("main img, main iframe, main svg").count() == 0
    assert page.locator("main a[href]:not([href^='#']):not([href^='http'])").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_cell_is_shown_as_it_stands(visit, hostile_page):
    page = visit(hostile_page, "#entry?key=h02")
    assert page.inner_text("#entry h2") == HOSTILE[2]
    bidi = visit(hostile_page, "#entry?key=h08")
    assert bidi.inner_text("#entry h2").startswith(
        "\\u202egnp"
    )  # signs that cannot be seen are spelt out


def test_an_address_with_markup_is_text(visit, hostile_page):
    page = visit(hostile_page, "#entries?q=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E")
    assert page.locator("#list .entry").count() >= 1
    assert page.locator("#chips img").count() == 0


def test_the_policy_allows_these_texts_and_nothing_else(real_page):
    html = real_page.read_text(encoding="utf-8")
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]+)"', html)[1].replace(
        "&#x27;", "'"
    )
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    for element, directive in (("script", "script-src"), ("style", "style-src")):
        texts = re.findall(rf"<{element}>(.*?)</{element}>", html, re.DOTALL)
        wanted = {
            base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in texts
        }
        allowed = re.search(rf"{directive} ([^;]+)", policy)[1]
        assert set(re.findall(r"'sha256-([^']+)'", allowed)) == wanted


def test_the_page_names_no_other_file(real_page):
    html = real_page.read_text(encoding="utf-8")
    style = re.search(r"<style>(.*?)</style>", html, re.DOTALL)[1]
    assert "url(" not in style
    assert "@import" not in style
    assert "innerHTML" not in html
    for tag, attributes in Seen(html).tags:
        assert "src" not in attributes, tag
        # A feed reader asks for what is linked as an alternate; a browser never does.
        is_loaded = tag == "link" and attributes["rel"] != "alternate"
        assert not is_loaded or attributes["href"].startswith("data:")


def test_the_shipped_page_is_small(real_page):
    html = real_page.read_text(encoding="utf-8")
    evidence = re.search(r'<script type="application/json" id="evidence-rows">.*?</script>', html)
    assert len((html.replace(evidence[0], "")).encode()) < 600_000


@pytest.fixture(scope="module")
def naughty_page(tmp_path_factory):
    """The title of each entry is a text that programs mistake for something else."""
    folder = tmp_path_factory.mktemp("naughty")
    data = write_minimal(folder / "soil")
    written = io.StringIO()
    rows = csv.writer(written, lineterminator="\n")
    rows.writerow(["id", "name", "who", "year", "arxiv", "link", "probe", "measures", "remark"])
    for number, text in enumerate(ONE_CELL):
        rows.writerow([f"n{number:03}", text, "A", "2020", "", "", "none", "heat", text])
    (data / "sensors.csv").write_text(written.getvalue(), encoding="utf-8", newline="")
    (data / "papers.csv").write_text("id,authors,doi,public\n", encoding="utf-8")
    return write_page(data, folder / "naughty.html")


def test_every_text_is_shown_whole(visit, naughty_page):
    """Characters that cannot be seen are shown by their code, as in every other output."""
    page = visit(naughty_page, "#entries?sort=key")
    titles = page.locator("#list .entry h3")
    while titles.count() < len(ONE_CELL):
        shown = titles.count()
        page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
        expect(titles.nth(shown)).to_be_attached()
    texts = {}
    for title, address in page.eval_on_selector_all(
        "#list .entry h3 a", "links => links.map(link => [link.innerText, link.hash])"
    ):
        number = int(address.split("key=n")[1][:3])
        texts[ONE_CELL[number]] = title
    assert list(texts) == ONE_CELL
    altered = {}
    for text, shown in texts.items():
        if as_spaces(with_characters(shown)) != as_spaces(with_characters(text)):
            altered[text] = shown
        if UNSEEN.search(shown):
            altered[text] = shown
    assert altered == {}


def test_an_entry_shows_spaces_in_a_row(visit, naughty_page):
    text = "many     in a row"
    page = visit(naughty_page, f"#entry?key=n{ONE_CELL.index(text):03}")
    assert page.inner_text("#entry h2") == text
    assert text in page.inner_text("#entry .notes")
