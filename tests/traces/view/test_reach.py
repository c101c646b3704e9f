"""Who can use the viewer: by keyboard, by ear, on a phone, in the dark, with 5,077 events."""

import json

import pytest

from tests.support.browsing import PHONE, expect
from tests.support.conformance import needed
from tests.support.large_traces import swarm
from tests.support.trace_commands import EXAMPLES
from tests.traces.view.conftest import write_viewer

MEDIUM_PHONE = {"width": 390, "height": 844}


@pytest.fixture(scope="module")
def large_page(tmp_path_factory):
    folder = tmp_path_factory.mktemp("large")
    run = folder / "large.json"
    run.write_text(json.dumps(swarm(300, 8)), encoding="utf-8")
    return write_viewer(folder / "large.html", run)


def test_5000_events_of_300_agents_are_few_elements(visit, large_page):
    page = visit(large_page)
    expect(page.locator("#count")).to_have_text("5,077 events")
    assert page.evaluate("document.querySelectorAll('*').length") < 1_500
    assert page.locator("#rows tr").count() == 50
    assert page.locator(".agent").count() < 60
    page.focus(".swimlane")
    page.keyboard.press("End")
    expect(page.locator("#rows tr[aria-current] button")).to_have_text("5,077")
    expect(page.locator("#range")).to_have_text("5,051–5,077 of 5,077")
    expect(page.locator(".agent.current")).to_be_visible()
    page.fill("#q", '"searcher-0-3"')
    expect(page.locator("#count")).not_to_have_text("5,077 events")
    expect(page.locator("#rows tr").first).to_contain_text("searcher-0-3")


def test_every_event_and_name_of_a_large_run_is_reached(visit, large_page):
    page = visit(large_page)
    expect(page.locator("#page-back")).to_be_disabled()
    page.click("#page-on")
    expect(page.locator("#rows tr button").first).to_have_text("51")
    page.click("#page-back")
    expect(page.locator("#rows tr button").first).to_have_text("1")
    page.focus(".agent[tabindex='0']")
    page.keyboard.press("End")
    focused = page.locator(".agent:focus")
    expect(focused).to_have_attribute("data-row", "300")
    expect(focused).to_be_in_viewport()


def test_every_control_can_be_reached_and_seen_by_tab(visit, report_page):
    page = visit(report_page)
    page.click("#next")
    seen = set()
    page.keyboard.press("Home")
    page.evaluate("document.activeElement.blur()")
    for _ in range(40):
        page.keyboard.press("Tab")
        place = page.evaluate(
            "(() => { const at = document.activeElement;"
            " return at.id || at.name || at.getAttribute('role') || at.tagName })()"
        )
        if place == "BODY":  # after the last control, before the first
            continue
        seen.add(place)
        ring = page.evaluate(
            "(() => { const at = document.activeElement; const pane = at.closest('.pane');"
            " const own = getComputedStyle(at).outlineStyle;"
            " return own !== 'none' ? own : pane ? getComputedStyle(pane).outlineStyle : 'none' })()"
        )
        assert ring != "none", place
    wanted = {"q", "filter", "previous", "next", "in", "out", "fit", "collapse", "expand"}
    assert wanted | {"critical", "treeitem", "application", "SUMMARY"} <= seen


def axe(page):
    Axe = needed("axe_playwright_python.sync_playwright").Axe

    violations = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    found = []
    for violation in violations:
        nodes = [node["html"][:160] for node in violation["nodes"]]
        found.append((violation["id"], nodes[:3]))
    return found


def test_axe_finds_nothing(visit, report_page):
    page = visit(report_page, bypass_csp=True)
    assert axe(page) == []
    page.click("#rows tr >> text=to wood")
    page.click("summary >> text=Keys")
    assert axe(page) == []
    page.emulate_media(color_scheme="dark")
    assert axe(page) == []
    page.emulate_media(color_scheme="light")
    page.set_viewport_size(MEDIUM_PHONE)
    assert axe(page) == []


def test_axe_finds_nothing_in_a_comparison(visit, viewer):
    file = viewer(EXAMPLES / "centralized_injection.json", EXAMPLES / "centralized_suppliers.json")
    page = visit(file, bypass_csp=True)
    page.click("#diverge")
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert axe(page) == []


def test_the_page_fits_a_phone(visit, report_page, viewer):
    both = viewer(EXAMPLES / "centralized_injection.json", EXAMPLES / "centralized_suppliers.json")
    for file, clicks in ((report_page, ["#next"]), (both, ["#diverge"])):
        page = visit(file, viewport=PHONE)
        for place in clicks:
            page.click(place)
        for size in (PHONE, MEDIUM_PHONE):
            page.set_viewport_size(size)
            assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]


def test_dark_mode_is_dark(visit, report_page):
    page = visit(report_page, color_scheme="dark")
    channels = page.evaluate(
        "getComputedStyle(document.documentElement).backgroundColor.match(/\\d+/g).map(Number)"
    )
    assert max(channels[:3]) < 60


def test_without_a_script_the_page_names_another_way(visit, report_page):
    page = visit(report_page, java_script_enabled=False)
    expect(page.locator(".notice")).to_be_visible()
    expect(page.locator("h1")).to_be_visible()
    assert not page.is_visible("#viewer")
