"""What a reader does: search, filter, click in charts, share the view, read one entry."""

import csv
import io
import re
import tomllib
from pathlib import Path

import pytest
import rispy
from click.testing import CliRunner

from corpus.cli.main import main
from corpus.model.filters import parse_filter
from corpus.tables.corpus_reader import load_corpus
from tests.conftest import REAL
from tests.support.browsing import (
    expect,
    expect_copied,
    expect_count,
    expect_keys,
    keys,
    write_page,
)


@pytest.fixture(scope="module")
def shipped():
    return load_corpus(str(REAL))


def matching(shipped, *where):
    book = shipped.codebook
    filters = [parse_filter(text, book.pool, book) for text in where]
    return {
        r["key"] for r in shipped.pool.records() if all(f.keeps(r[f.column.name]) for f in filters)
    }


def test_everything_is_listed_newest_first(visit, real_page, shipped):
    page = visit(real_page)
    expect_count(page, "84 entries")
    while not page.is_hidden("button.more"):
        page.evaluate("document.querySelector('button.more').click()")
    assert set(keys(page)) == set(shipped.pool.column("key"))
    newest = max(
        shipped.tables["bibliography"].records(), key=lambda record: record["first_public"]
    )
    assert keys(page)[0] == newest["key"]


def test_search_needs_every_word_and_ignores_accents(visit, real_page):
    page = visit(real_page)
    page.fill("#q", "balunovic prompt")
    expect_keys(
        page, ["agentdojo2024"]
    )  # a co-author with an accent, known from the bibliography only
    expect_count(page, "1 of 84 entries")
    expect(page.locator("#announced")).to_have_text("1 of 84 entries")
    expect(page).to_have_url(re.compile(r"q=balunovic\+prompt"))
    page.fill("#q", "no such words here")
    expect_count(page, "0 of 84 entries")
    expect(page.locator("text=Show all entries")).to_be_visible()


def test_found_words_are_marked(visit, real_page):
    page = visit(real_page, "#entries?q=counterfactual+MESSAGE")
    marks = page.eval_on_selector_all(
        "#list mark", "marks => marks.map(mark => mark.textContent.toLowerCase())"
    )
    assert set(marks) == {"counterfactual", "message"}


def test_evidence_filters_must_match_one_and_the_same_row(visit, real_page, shipped):
    rows = list(shipped.tables["decisions"].records())
    together = {r["key"] for r in rows if r["decision"] == "O1" and r["grade"] == "design_only"}
    apart = {r["key"] for r in rows if r["decision"] == "O1"} & {
        r["key"] for r in rows if r["grade"] == "design_only"
    }
    page = visit(real_page, "#entries?decisions.decision=O1&decisions.grade=design_only")
    expect_keys(page, together)
    assert together <= apart


def test_any_two_axes_make_a_map_with_a_third_as_colour(visit, real_page, shipped):
    page = visit(real_page, "#map?rows=decisions.decision&columns=decisions.grade")
    rows = shipped.tables["decisions"].records()
    wanted = {
        row["key"] for row in rows if (row["decision"], row["grade"]) == ("O1", "design_only")
    }
    cell = page.locator('#map-table td[data-row="O1"][data-column="design_only"]')
    assert cell.inner_text() == str(len(wanted))
    page.select_option("#map-colour", "category")
    expect(cell.locator(".colour-bar .swatch").first).to_be_visible()
    expect(page).to_have_url(re.compile("colour=category"))
    page.click("text=Swap")
    expect(page.locator("#map-rows")).to_have_value("decisions.grade")


def test_an_empty_cell_tells_why(visit, real_page, shipped):
    impossible = shipped.codebook.impossible[0]
    rows, columns = impossible.cells
    terms = "&cell=".join(terms[0] for terms in impossible.cells.values())
    page = visit(real_page, f"#map?rows={rows}&columns={columns}&cell={terms}")
    expect(page.locator("#map-cell .reason")).to_contain_text(impossible.reason)
    page.goto(page.url.split("#")[0] + "#map?cell=process&cell=message")
    told = page.locator("#map-cell")
    expect(told).to_contain_text("a gap of the pool")
    expect(told.locator(".nearest-entries li").first).to_be_visible()
    expect(told).to_contain_text("Open directions")


def test_an_address_is_the_whole_state(visit, real_page):
    page = visit(real_page)
    page.check('fieldset[data-facet="reward_type"] >> text="orchestration"')
    page.fill("#q", "sub-agents")
    page.select_option("#sort", "title")
    expect(page).to_have_url(re.compile("sort=title"))
    other = visit(real_page, page.evaluate("location.hash"))
    assert keys(other) == keys(page)
    assert other.input_value("#q") == "sub-agents"
    assert other.is_checked('fieldset[data-facet="reward_type"] >> text="orchestration"')
    assert other.input_value("#sort") == "title"


@pytest.mark.parametrize(
    "address", ["#nowhere", "#entries?reward_type=%3Cscript%3E&nonsense=1", "#%E0%A4%A", "#?="]
)
def test_an_unknown_address_shows_the_list(visit, real_page, address):
    page = visit(real_page, address)
    expect_count(page, "84 entries")
    assert page.is_visible("#list .entry")


def test_one_entry_in_full(visit, real_page):
    page = visit(real_page, "#entries?credit_granularity=message")
    page.click("#list .entry h3 a >> nth=0")
    expect(page.locator("#entry h2")).to_be_focused()
    heading = page.inner_text("#entry h2")
    text = page.inner_text("#entry")
    assert heading in page.title()
    for part in (
        "Readings of credit",
        "Anchors of the decisions",
        "BibTeX",
        "A single message between agents.",
    ):
        assert part in text
    page.click("text=Next")
    expect(page.locator("#entry h2")).not_to_have_text(heading)
    page.click("text=Back to the list")
    expect(page.locator("#list")).to_be_visible()
    expect_count(page, "2 of 84 entries")


def test_corrections_of_an_entry_are_shown_with_it(visit, real_page):
    page = visit(real_page, "#entry?key=sage2026")
    expect(page.locator("#entry .related-to-entry")).to_contain_text("Anonymous")


def test_the_exclusion_log_can_be_searched_and_shared(visit, real_page):
    page = visit(real_page, "#table-exclusions")
    titles = "#table-exclusions .record:visible .title"
    assert page.locator(titles).count() == 32
    for query in ("autogen", "E003", "https://arxiv.org/abs/2308.08155v2"):
        page.fill("#search-table-exclusions", query)
        expect(page.locator(titles, has_text="AutoGen")).to_have_count(1)
    expect(page.locator("#table-exclusions [role=status]")).to_have_text("1 of 32 records")
    kept = page.locator(titles).all_inner_texts()
    other = visit(real_page, page.evaluate("location.hash"))
    assert other.locator(titles).all_inner_texts() == kept


def test_a_search_also_shows_considered_and_excluded_records(visit, real_page):
    page = visit(real_page, "#entries?q=autogen")
    expect_keys(page, [])
    page.click(".excluded-too a >> nth=0")
    expect(page.locator("#table-exclusions .record.arrived .title")).to_contain_text("AutoGen")


@pytest.mark.parametrize(("query", "found"), [
    ("2505.13516", ["halo"]), ("arXiv:2505.13516v2", ["halo"]), ("https://arxiv.org/abs/2505.13516v1", ["halo"]),
    ("10.48550/arXiv.2505.13516", ["halo"]), ("puppet", ["puppeteer"]), ("uppeteer", []),
])  # fmt: skip
def test_identifiers_in_any_form_and_beginnings_of_words_are_found(visit, real_page, query, found):
    page = visit(real_page)
    page.fill("#q", query)
    expect_keys(page, found)


def test_the_right_thing_is_first_for_the_questions_of_readers(visit, real_page):
    text = (Path(__file__).parents[2] / "analysis/counting/questions.toml").read_text("utf-8")
    questions = [pair for part in tomllib.loads(text).values() for pair in part.items()]
    page, missed = visit(real_page), []
    kinds = {"entry?key=": "entry ", "claim-": "claim ", "record-exclusions-": "excluded "}
    for question, wanted in questions:
        page.fill("#q", question)
        hit = page.locator(".hit:visible").first
        place = re.split("[#&]", hit.get_attribute("href"))[1]
        if hit.evaluate("hit => hit.closest('p, li').className") == "term-hit":
            place = "term " + place.rpartition("=")[2]
        for address, kind in kinds.items():
            place = re.sub(f"^{re.escape(address)}", kind, place)
        if not place.startswith(tuple(wanted)):
            missed.append((question, place))
    assert len(missed) <= 1, missed
    expect(page.locator(".ignored-words")).to_contain_text("papers")


def test_enter_opens_a_hit_and_arrows_move_through_them(visit, real_page):
    page = visit(real_page, viewport={"width": 1440, "height": 900})
    page.fill("#q", "puppeteer")
    entry = page.locator("#list .entry h3 a").first
    assert entry.bounding_box()["y"] < 900
    page.keyboard.press("ArrowDown")
    expect(page.locator(".hit:visible").first).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(page.locator(".hit:visible").nth(1)).to_be_focused()
    for _ in range(2):
        page.keyboard.press("ArrowUp")
    expect(page.locator("#q")).to_be_focused()
    page.fill("#q", "Kimi K2.6")
    page.keyboard.press("Enter")
    expect(page.locator("#entry h2")).to_contain_text("Kimi K2.6")


def test_a_group_of_filters_is_one_stop_of_the_keyboard(visit, real_page):
    page = visit(real_page)
    boxes = page.locator('fieldset[data-facet="reward_type"] input')
    boxes.first.focus()
    page.keyboard.press("ArrowDown")
    expect(boxes.nth(1)).to_be_focused()
    page.keyboard.press("Tab")
    assert page.evaluate("!document.activeElement.closest('[data-facet=reward_type]')")


@pytest.mark.parametrize(("address", "button", "copied"), [
    ("#entries?credit_granularity=message", "#copy-all", ["c3", "debate-as-reward"]),
    ("#entry?key=c3", "#entry >> text=Copy BibTeX", ["c3"]),
])  # fmt: skip
def test_bibtex_of_a_selection_and_of_an_entry(visit, real_page, address, button, copied):
    page = visit(real_page, address, permissions=["clipboard-read", "clipboard-write"])
    page.click(button)
    expect_copied(page)
    text = page.evaluate("navigator.clipboard.readText()")
    assert sorted(re.findall(r"^@\w+\{(.*),$", text, re.M)) == copied


def test_questions_of_the_codebook_lead_to_their_answers(visit, real_page):
    page = visit(real_page)
    addresses = page.eval_on_selector_all(
        "#ask a", "links => links.map(link => link.getAttribute('href'))"
    )
    assert len(addresses) >= 4
    for address in addresses:
        page.goto(real_page.as_uri() + address)
        if address.startswith("#entries"):
            assert keys(page)
            assert page.locator("#chips .chip").count() >= 1, address
        else:
            assert page.is_visible(f'[id="{address[1:]}"]'), address


def test_claims_show_the_entries_behind_them(visit, real_page, shipped):
    page = visit(real_page, "#claims")
    assert page.locator("#claims .claims > li").count() == len(
        shipped.documents["claims"]["claims"]
    )
    page.evaluate(
        "for (const part of document.querySelectorAll('#claims details')) part.open = true"
    )
    claim = page.locator("#claims li").filter(has=page.locator("a.listing")).first
    number = re.match(r"Observed (\d+)", claim.locator(".observed").inner_text())[1]
    claim.locator("a.listing").click()
    expect_count(page, f"{number} of 84 entries")


def test_an_axis_may_be_named_like_a_part_of_the_address(visit, minimal, tmp_path):
    book, rows = minimal / "codebook.toml", minimal / "sensors.csv"
    text = (
        book.read_text(encoding="utf-8")
        .replace('rows = "probe"', 'rows = "month"')
        .replace("{ probe =", "{ month =")
    )
    text = text.replace(
        'name = "probe", type = "term"', 'name = "month", type = "term", vocabulary = "probe"'
    )
    book.write_text(text, encoding="utf-8")
    rows.write_text(
        rows.read_text(encoding="utf-8").replace(",probe,", ",month,"), encoding="utf-8"
    )
    page = visit(
        write_page(minimal, tmp_path / "page.html"), "#entries?axis.month=optical&month=2021-02"
    )
    expect_keys(page, ["fen"])
    assert page.locator("#chips .chip").count() == 2


def test_a_corpus_with_nothing_in_it(visit, minimal, tmp_path):
    for name in ("sensors", "papers", "rejected"):
        header = (minimal / f"{name}.csv").read_text(encoding="utf-8").split("\n")[0]
        (minimal / f"{name}.csv").write_text(header + "\n", encoding="utf-8")
    page = visit(write_page(minimal, tmp_path / "page.html"))
    expect_count(page, "0 sensors")
    page.goto(page.url + "#map")
    expect(page.locator('[data-crosstab="probe_by_measure"]')).to_be_visible()


def test_authors_and_further_columns_of_the_pool_itself_are_shown(visit, tmp_path):
    rows = ['"Ward, Ann; Moor, Bo",peat,12', '"Fen, Cy",,7', '"Fen, Cy",clay,8', '"Fen, Cy",peat,9']
    source = tmp_path / "own.csv"
    table = [f"Work {n} on bogs,{row},2020-0{n}" for n, row in enumerate(rows, 1)]
    source.write_text(
        "\n".join(["Title,Authors,Site type,Sample size,Date", *table]), encoding="utf-8"
    )
    result = CliRunner().invoke(
        main, ["init", str(tmp_path / "own"), "--from", str(source), "--title", "Bogs"]
    )
    assert result.exit_code == 0, result.output
    page = visit(
        write_page(tmp_path / "own" / "data", tmp_path / "own.html"), "#entries?sort=oldest"
    )
    expect(page.locator("#list .entry .by").first).to_contain_text("Ward et al.")
    expect(page.locator("#list .entry .by").nth(1)).to_contain_text("Fen, Cy · 2020-02")
    expect(page.locator(".eyebrow")).to_have_count(0)  # the title stands there once
    expect(page.get_by_role("button", name="February 2020: 1 entry (1 not given)")).to_be_visible()
    page.click("#list .entry h3 a >> nth=0")
    expect(page.locator(".people")).to_have_text("Ward, Ann · Moor, Bo")
    expect(page.locator(".about-entry")).to_contain_text("Sample size12")


def saved(page, ending):
    """The file that a download button gives."""
    with page.expect_download() as download:
        page.click(f"[data-ending={ending}]")
    assert download.value.suggested_filename == f"selection.{ending}"
    return Path(download.value.path()).read_text("utf-8-sig")


def test_a_selection_can_be_saved_as_csv_ris_and_bibtex(visit, real_page):
    page = visit(real_page, "#entries?credit_granularity=message")
    expect(page.locator("#list .entry")).to_have_count(2)
    wanted = set(keys(page))
    rows = list(csv.DictReader(io.StringIO(saved(page, "csv"), newline="")))
    assert {row["key"] for row in rows} == wanted
    assert {row["credit_granularity"] for row in rows} == {"message"}
    works = rispy.loads(saved(page, "ris"))
    assert {work["id"] for work in works} == wanted
    assert all("credit_granularity: message" in work["keywords"] for work in works)
    assert all(work["authors"] and work["year"] for work in works)
    assert all(f"{{{key}," in saved(page, "bib") for key in wanted)


def test_a_saved_cell_is_no_formula_and_starts_no_field(visit, minimal, tmp_path):
    table = minimal / "sensors.csv"
    lines = table.read_text("utf-8").splitlines()
    name = lines[1].split(",")[1]
    table.write_text(
        "\n".join(lines).replace(name, "\uff1dHYPERLINK(1)  ER  - x", 1) + "\n", "utf-8"
    )
    page = visit(write_page(minimal, tmp_path / "page.html"))
    assert "\"'\uff1dHYPERLINK" in saved(page, "csv")
    assert len(rispy.loads(saved(page, "ris"))) == len(lines) - 1


def test_an_entry_names_the_most_similar_ones_with_what_is_shared(visit, real_page, shipped):
    page = visit(real_page, "#entry?key=c3")
    expect(page.locator(".similar li")).to_have_count(5)
    addresses = page.locator(".similar a").evaluate_all("(all) => all.map((a) => a.href)")
    found = [address.split("key=")[1].split("&")[0] for address in addresses]
    assert "c3" not in found
    rows = {row["key"]: row for row in shipped.pool.records()}
    axes = [axis.name for axis in shipped.codebook.pool.axes]
    alike = [sum(rows[key][axis] == rows["c3"][axis] != "NA" for axis in axes) for key in found]
    assert min(alike) >= 3
    page.locator(".similar a").first.click()
    expect(page.locator("#entry h2")).to_have_text(rows[found[0]]["title"])


def test_an_empty_cell_names_the_nearest_entries(visit, real_page, shipped):
    page = visit(real_page, "#entries?credit_granularity=message&orchestration_form=swarm")
    near = page.locator(".nearest-entries li")
    expect(near).to_have_count(5)
    swarm = {row["key"] for row in shipped.pool.records() if row["orchestration_form"] == "swarm"}
    message = {
        row["key"] for row in shipped.pool.records() if row["credit_granularity"] == "message"
    }
    for address in page.locator(".nearest-entries a").evaluate_all(
        "(all) => all.map((a) => a.href)"
    ):
        key = address.split("key=")[1].split("&")[0]
        assert (key in swarm) != (key in message)
    page.goto(page.url.split("#")[0] + "#entries?q=nosuchword")
    expect(page.locator(".nothing")).to_be_visible()
    assert page.locator(".nearest-entries").count() == 0


def test_rows_that_are_printed_once_are_searched_filtered_and_shown_with_their_entry(
    visit, real_page, shipped
):
    readings = shipped.tables["credit_readings"]
    row = next(iter(readings.records()))
    page = visit(real_page, f"#entry?key={row['key']}")
    shown = page.text_content("#entry .related-to-entry")
    vocabulary = shipped.codebook.vocabulary_of(readings.spec.column("reading"))
    assert row["evidence"] in shown
    assert vocabulary.term(row["reading"]).label in shown
    page.goto(page.url.split("#")[0] + f"#entries?credit_readings.reading={row['reading']}")
    wanted = {r["key"] for r in readings.records() if r["reading"] == row["reading"]}
    expect_keys(page, wanted)
    phrase = " ".join(row["evidence"].split()[:4])
    page.goto(page.url.split("#")[0] + f'#entries?q="{phrase}"')
    expect(page.locator("#list .entry h3 a").first).to_be_visible()
    assert row["key"] in keys(page)


def test_a_typing_error_names_near_words_and_finds_nothing_by_itself(visit, real_page):
    page = visit(real_page, "#entries?q=conterfactual+messgae")
    near = page.locator(".near-hits")
    expect(near.locator("p a")).to_have_text("counterfactual message")
    expect(page.locator("#announced")).to_have_text(re.compile("near: counterfactual message"))
    expect_keys(page, [])
    expect_count(page, "0 of 84 entries")
    expect(page.locator(".downloads")).to_be_hidden()
    assert near.locator("li a").count() >= 1
    near.locator("p a").click()
    expect(page.locator("#q")).to_have_value("counterfactual message")
    expect(page.locator("#list .entry").first).to_be_visible()
    expect(near).to_have_count(0)


def test_nothing_is_near_a_search_that_is_no_typing_error(visit, real_page):
    page = visit(real_page)
    for query in (
        "nosuchwordatall",  # too far from any word
        "agt",  # too short to be meant otherwise
        '"reward modle"',  # a quotation is meant as it is
        "2505.13511",  # an identifier is right or wrong
        "autogen",  # an excluded record has it
    ):
        page.fill("#q", query)
        expect(page.locator("#chips")).to_contain_text(query.strip('"'))
        expect(page.locator(".near-hits")).to_have_count(1)
        # Until after the pause in which the reader may go on typing.
        page.evaluate("new Promise((done) => setTimeout(done, 400))")
        assert page.locator(".near-hits > *").count() == 0, query


def test_the_table_is_sorted_by_its_heads_and_the_address_remembers_it(visit, real_page, shipped):
    page = visit(real_page, "#entries?is_rl=yes")
    page.click("#as-table")
    head = page.locator('.sortable th[data-sort="reward_type"]')
    head.locator("button").focus()
    page.keyboard.press("Enter")
    expect(head).to_have_attribute("aria-sort", "ascending")
    expect(head.locator("button")).to_be_focused()
    page.keyboard.press("Enter")
    expect(head).to_have_attribute("aria-sort", "descending")
    expect(page.locator(".sortable [aria-sort]")).to_have_count(1)
    order = shipped.codebook.vocabulary_of(shipped.codebook.pool.column("reward_type")).ids
    rows = [row for row in shipped.pool.records() if row["is_rl"] == "yes"]
    # What does not apply comes last in both directions; what is equal stays as the pool has it.
    rows.sort(key=lambda row: (row["reward_type"] == "NA", -order.index(row["reward_type"])))
    wanted = [row["title"] for row in rows][:40]
    assert page.locator(".sortable tbody th").all_inner_texts()[:40] == wanted
    other = visit(real_page, page.evaluate("location.hash"))
    expect(other.locator('.sortable th[data-sort="reward_type"]')).to_have_attribute(
        "aria-sort", "descending"
    )
    assert other.locator(".sortable tbody th").all_inner_texts()[:40] == wanted
    other.locator(".sortable tbody th a").first.click()
    expect(other.locator("#entry h2")).to_have_text(wanted[0])
    other.go_back()
    expect(other.locator(".sortable tbody th a").first).to_be_focused()


def test_the_table_has_the_newest_first_and_the_menu_shows_its_order(visit, minimal_page):
    page = visit(minimal_page, "#entries?view=table")
    dates = page.locator(".sortable tbody tr > :nth-child(3)").all_inner_texts()
    assert dates == ["2021-02-03", "2020-03", "2019"]  # a year alone has its place
    page.click('.sortable th[data-sort="date"] button')
    expect(page.locator("#sort")).to_have_value("oldest")
    page.click('.sortable th[data-sort="measures"] button')
    expect(page.locator("#sort option:checked")).to_have_text("Measures ↑")
    assert page.locator(".sortable tbody th").all_inner_texts() == [
        "Light in the fen", "A capacitive probe for clay", "Temperatures of till"
    ]  # fmt: skip


def test_an_unknown_order_is_newest_first(visit, minimal_page):
    page = visit(minimal_page)
    for sort in ("constructor", "-", "--date", "nosuchcolumn"):
        page.goto(page.url.split("#")[0] + f"#entries?view=table&sort={sort}")
        expect(page.locator('.sortable th[data-sort="date"]')).to_have_attribute(
            "aria-sort", "descending"
        )
        page.click('.sortable th[data-sort="title"] button')
        expect(page.locator("#sort")).to_have_value("title")


def test_the_introduction_makes_room_and_stays_as_the_reader_left_it(visit, real_page):
    page = visit(real_page)
    lede = page.locator("#intro .lede").first
    expect(lede).to_be_visible()
    page.goto(page.url.split("#")[0] + "#claims")
    expect(lede).to_be_hidden()
    page.goto(page.url.split("#")[0] + "#entries")
    expect(lede).to_be_visible()
    page.focus("#intro summary")
    page.keyboard.press("Enter")
    expect(lede).to_be_hidden()
    page.reload()
    expect_count(page, "84 entries")
    expect(lede).to_be_hidden()


def test_labels_that_are_paths_are_a_tree_of_filters_of_any_depth(visit, minimal, tmp_path):
    book = minimal / "codebook.toml"
    text = book.read_text("utf-8")
    for term, label in (
        ("moisture", "water › ground › moisture"),
        ("salt", "water › ground › salt"),
        ("heat", "water"),
    ):
        text = text.replace(f'id = "{term}", ', f'id = "{term}", label = "{label}", ')
    book.write_text(text, "utf-8")
    page = visit(write_page(minimal, tmp_path / "page.html"))
    boxes = page.locator('fieldset[data-facet="measures"]')
    shown = boxes.locator("> ul").inner_text().split()
    # An entry with two terms below a node is counted once by the node.
    assert " ".join(shown) == "water 3 in general 1 ground 2 moisture 2 salt 1"
    boxes.get_by_label("ground").check()
    expect_keys(page, ["clay", "fen"])
    expect(page.locator("#chips .chip")).to_contain_text("Measures: water › ground")
    assert boxes.get_by_label("water").evaluate("(box) => box.indeterminate")
    boxes.get_by_label("moisture").uncheck()
    expect_keys(page, ["clay"])
    expect(page.locator("#chips .chip")).to_contain_text("Measures: water › ground › salt")
    boxes.get_by_label("water").check()
    expect_keys(page, ["clay", "fen", "till"])
    expect(page.locator("#chips .chip")).to_have_count(1)


def test_what_was_found_since_the_cutoff_is_listed_by_month_and_by_day(visit, tmp_path):
    page = visit(write_page("data", tmp_path / "page.html"), "#since")
    study = load_corpus("data")
    works = page.locator("#since-list li")
    expect(works).to_have_count(len(study.tables["candidates"].rows))
    month = page.locator("#since-list h3", has_text="June 2026").first
    arxiv = study.tables["candidates"].column("arxiv_id")
    assert int(month.locator(".n").inner_text()) == sum(cell.startswith("2606") for cell in arxiv)
    page.click("text=By day of adding")
    days = page.locator("#since-list h3 .n").all_inner_texts()
    expect(page.locator("#since-list h3").first).to_contain_text(
        max(study.tables["candidates"].column("found_on"))
    )
    assert sum(map(int, days)) == len(study.tables["candidates"].rows)
    expect(page.locator("#release-v1")).to_contain_text("Corrections")


def test_several_addresses_in_a_cell_are_apart(visit, real_page):
    page = visit(real_page, "#entry?key=kimi-k2-6")
    page.evaluate(
        "for (const part of document.querySelectorAll('#entry details')) part.open = true"
    )
    several = page.locator("#entry :is(dd, td):has(a + a)")
    assert several.count() >= 1
    for cell in several.all():
        assert cell.inner_text() == ", ".join(cell.locator("a").all_inner_texts())


def test_what_an_address_has_and_the_page_has_not_is_named_and_ignored(visit, real_page):
    page = visit(real_page, "#entries?credit=agent&credit_granularity=turn&sort=nothing")
    expect_count(page, "5 of 84 entries")
    note = page.locator("#ignored")
    expect(note).to_contain_text("credit=agent, sort=nothing")
    page.fill("#q", "replay")
    expect(note).to_be_hidden()


def test_the_documented_address_works(visit, real_page):
    text = (Path(__file__).parents[3] / "docs/page.md").read_text("utf-8")
    page = visit(real_page, re.search(r"`(#entries\?[^`]+)`", text)[1])
    expect(page.locator("#ignored")).to_be_hidden()
    assert page.locator("#q").input_value() == "replay"


def test_titles_and_names_from_right_to_left_keep_their_order(visit, minimal, tmp_path):
    arabic, hebrew = "تعلم الآلة: C++ (2021)!", "כהן"
    table = minimal / "sensors.csv"
    text = table.read_text("utf-8").replace("A capacitive probe for clay", arabic)
    table.write_text(text.replace("Loam, Ann", hebrew), "utf-8")
    file = write_page(minimal, tmp_path / "page.html")
    direction = "(element) => element.closest('bdi, [dir=auto]') && getComputedStyle(element.closest('bdi, [dir=auto]')).direction"
    for address, place in (
        ("#entries?sort=key", "#list h3 bdi"),
        ("#entries?view=table", ".sortable th bdi"),
        ("#entry?key=clay", "#entry h2"),
    ):
        title = visit(file, address).locator(place).filter(has_text=arabic).first
        assert title.evaluate(direction) == "rtl", address
    expect(visit(file, "#entries").locator("#list .by bdi", has_text=hebrew)).to_have_count(1)


def test_what_lies_before_the_months_is_as_high_as_its_number(visit, real_page):
    page = visit(real_page)
    heights = {}
    for bar in page.locator(".months li:not(.cut) button:enabled").all():
        number = int(re.search(r": (\d+)", bar.get_attribute("aria-label"))[1])
        heights.setdefault(number, bar.locator(".ghost").bounding_box()["height"])
    for number, height in heights.items():
        assert height / max(heights.values()) == pytest.approx(number / max(heights), abs=0.02)
