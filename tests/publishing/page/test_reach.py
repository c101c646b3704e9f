"""Who can use the page: by keyboard, by ear, on a phone, in the dark, on paper, without a script, with 10,000 rows."""

import re

import pytest

from tests.support.browsing import PHONE, WIDE, expect, expect_count
from tests.support.conformance import needed

PARTS = [
    "#entries",
    "#entry?key=c3",
    "#map",
    "#claims",
    "#evidence",
    "#table-decisions",
    "#table-exclusions",
    "#table-corrections",
    "#codebook",
    "#about",
]
#: The controls that the parts do not show by themselves: table, filters in force, no hit.
CONTROLS = [
    "#entries?view=table&sort=-reward_type",
    "#entries?credit_granularity=message&orchestration_form=swarm",
    "#entries?q=conterfactual+messgae&month=2026-03",
    "#entries?q=who+trains+the+orchestrator+to+stop",
    "#map?colour=category&cell=debate&cell=turn",
]


#: Cell -> the head whose column the browser draws above it, by their places on a wide page.
ABOVE = """table => {
  const heads = [...table.tHead.rows[0].cells].map(head => [head.getBoundingClientRect(), head.textContent]);
  return [...table.tBodies[0].querySelectorAll("td")].map(cell => {
    const { left, right } = cell.getBoundingClientRect(), middle = (left + right) / 2;
    return heads.find(([at]) => at.left <= middle && middle <= at.right)[1];
  });
}"""
#: Cell -> the label that a narrow page shows in front of it.
SHOWN = """table => [...table.tBodies[0].querySelectorAll("td")].map(
  cell => getComputedStyle(cell, "::before").content.replace(/^"|" ?" ?"?$|"$/g, "").trim().replace(/^none$/, ""))"""


@pytest.mark.parametrize(
    "part", ["map", "evidence-measures", "table-decisions", "table-corrections", "codebook"]
)
def test_a_narrow_page_has_the_label_of_its_column_before_each_cell(visit, real_page, part):
    wide = visit(real_page, f"#{part}", viewport={"width": 1440, "height": 900})
    heads = [table.evaluate(ABOVE) for table in wide.locator("table.plain:visible").all()]
    phone = visit(real_page, f"#{part}", viewport={"width": 390, "height": 844})
    labels = [table.evaluate(SHOWN) for table in phone.locator("table.plain:visible").all()]
    assert labels == heads
    assert any(filter(any, labels))


def test_keyboard_only(visit, real_page):
    page = visit(real_page)
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#main")).to_be_focused()
    page.keyboard.press("/")
    expect(page.locator("#q")).to_be_focused()
    page.keyboard.type("counterfactual")
    expect(page.locator("#q")).to_have_value("counterfactual")
    expect(page.locator("#count")).to_have_text(re.compile("of 84 entries"))
    page.keyboard.press("Escape")
    expect_count(page, "84 entries")
    box = page.locator('fieldset[data-facet="credit_granularity"] input').nth(1)
    box.focus()
    page.keyboard.press("Space")
    expect_count(page, "8 of 84 entries")
    expect(box).to_be_focused()  # the focus stays where the reader is
    page.locator("#list .entry h3 a").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#entry h2")).to_be_focused()  # the address changes first, the view follows
    page.locator(".parts a").nth(1).focus()
    page.keyboard.press("Enter")
    expect(page.locator("#map h2").first).to_be_focused()
    page.locator(
        '[data-crosstab="reward_by_credit"] td[data-row="hybrid"][data-column="orchestrator"] a'
    ).focus()
    page.keyboard.press("Enter")
    expect(page.locator("#map-cell li")).to_have_count(1)


def test_who_comes_back_to_the_list_finds_the_place_that_was_left(visit, real_page):
    page = visit(real_page)
    page.evaluate("document.querySelector('button.more').click()")
    link = page.locator("#list .entry h3 a").nth(60)
    link.scroll_into_view_if_needed()
    title, place = link.inner_text(), page.evaluate("scrollY")
    link.click()
    expect(page.locator("#entry h2")).to_be_focused()
    assert page.evaluate("scrollY") < place
    page.go_back()
    expect(link).to_be_focused()
    assert page.evaluate("scrollY") == place
    assert page.evaluate("document.activeElement.textContent") == title
    page.check('fieldset[data-facet="category"] >> text="RL method"')
    expect(page.locator("#chips")).to_contain_text("RL method")
    assert page.evaluate("scrollY") < place  # another list begins at its beginning


def test_every_control_can_be_reached_and_seen_by_tab(visit, real_page):
    page = visit(real_page)
    seen = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        seen.add(page.evaluate("document.activeElement.id || document.activeElement.tagName"))
        assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"
    assert {"q", "sort", "INPUT", "SUMMARY", "A"} <= seen


@pytest.mark.parametrize("address", [*PARTS, "#entries?view=table"])
def test_no_part_is_wider_than_a_phone(visit, real_page, address):
    page = visit(real_page, address, viewport=PHONE)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert page.is_visible(".view:not([hidden]) h2") or address == "#entries"


def test_filters_on_a_phone_open_on_demand(visit, real_page):
    page = visit(real_page, viewport=PHONE)
    assert not page.is_visible('fieldset[data-facet="category"]')
    page.click("text=Filters")
    page.check('fieldset[data-facet="category"] >> text="Survey"')
    expect_count(page, "5 of 84 entries")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


#: Narrow, only what is laid out otherwise there is looked at again; dark, only the colours are.
NARROW = ["#entries", "#map", "#evidence", *CONTROLS]
DARK = ["#entry?key=c3", "#map", "#claims", *CONTROLS[1:]]
# Of what is right, axe describes one element of a rule and not ten thousand: that is half of its time.
ALL = {"resultTypes": ["violations"]}
# Parts that are not shown have nine of ten elements: each is looked at where its turn is, and axe walks through all
# that it is given, also through what it is told to leave out.
TAKE_OUT = """() => {
  window.parked = [...document.querySelectorAll(".view[hidden]")].map(view => [document.createComment(""), view]);
  for (const [place, view] of parked) view.replaceWith(place);
}"""
PUT_BACK = "() => { for (const [place, view] of parked) place.replaceWith(view); }"
COLOURS = {**ALL, "runOnly": ["color-contrast"]}
LAYOUT = {**ALL, "rules": {"color-contrast": {"enabled": False}}}
# Rows of tables, claims that hold, excluded records and entries of a list are each made alike.
FEWER = """() => {
  const alike = ".plain tr:nth-child(n+8), li.holds:nth-child(n+6), .record:nth-child(n+6), #list .entry:nth-child(n+12)";
  for (const item of document.querySelectorAll(alike)) item.remove();
}"""


@pytest.mark.parametrize(
    ("scheme", "size", "addresses", "options"),
    [
        ("light", WIDE, [*PARTS, *CONTROLS], ALL),
        ("dark", WIDE, DARK, COLOURS),
        ("dark", PHONE, NARROW, LAYOUT),
    ],
    ids=["light", "dark", "phone"],
)
def test_no_part_and_no_control_has_a_finding_of_axe(
    visit, real_page, scheme, size, addresses, options
):
    axe = needed("axe_playwright_python.sync_playwright").Axe()
    page = visit(real_page, color_scheme=scheme, viewport=size, bypass_csp=True)
    found = []
    for address in addresses:
        page.goto(page.url.split("#")[0] + address)
        if "messgae" in address:
            expect(page.locator(".near-hits a").first).to_be_visible()
        page.evaluate(FEWER)
        page.evaluate(TAKE_OUT)
        for violation in axe.run(page, options=options).response["violations"]:
            nodes = [node["html"][:200] for node in violation["nodes"]]
            found.append((address, violation["id"], nodes[:3]))
        page.evaluate(PUT_BACK)
    assert found == []


def test_dark_mode_is_dark(visit, real_page):
    page = visit(real_page, color_scheme="dark")
    red, green, blue = page.evaluate(
        "getComputedStyle(document.documentElement).backgroundColor.match(/\\d+/g).map(Number)"
    )
    assert max(red, green, blue) < 60


def test_paper_shows_all_of_the_selection_and_no_controls(visit, real_page):
    page = visit(real_page)
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(page.locator("#list .entry")).to_have_count(84)
    assert not page.is_visible("#filters")
    assert not page.is_visible("#q")


def test_without_a_script_it_is_plain_tables(visit, real_page):
    page = visit(real_page, java_script_enabled=False, viewport={"width": 1280, "height": 900})
    widths = [table.bounding_box()["width"] for table in page.locator(".scroll > table").all()[:80]]
    assert max(widths) < 1280
    assert page.locator("#entries table tbody tr").count() == 84
    for part in (
        "#map",
        "#evidence",
        "#table-exclusions",
        "#table-corrections",
        "#codebook",
        "#about",
    ):
        assert page.locator(part).is_visible(), part
    together = page.locator("#gap-reward_by_credit-agent td").all_text_contents()
    assert any("hybrid 6" in cell for cell in together)
    assert page.locator("#table-exclusions .record").count() == 32
    assert not page.is_visible("#filters")
    assert not page.is_visible("#toolbar")
    page.goto(page.url.split("#")[0] + "#entry?key=c3")  # a link to an entry leads to its row
    expect(page.locator("tr:target")).to_have_count(1)
