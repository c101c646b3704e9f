"""The viewer in a browser: step, search, zoom, collapse, compare.

After every test, `visit` checks that the page requested nothing and wrote nothing to the console.
"""

import re

from tests.support.browsing import expect
from tests.support.made_traces import event, pair
from tests.support.trace_commands import EXAMPLES
from tests.traces.view.test_viewer import HOSTILE, embedded, hostile_trace


def selected(page):
    return page.locator("#rows tr[aria-current]")


def expect_step(page, step):
    expect(selected(page).locator("button")).to_have_text(str(step))


def agents(page):
    names: list[str] = page.locator(".agent .who").all_inner_texts()
    return names


def point_of(file, page, name):
    """Where an event is on the canvas while the whole run is in view and no agent is collapsed."""
    data = embedded(file.read_text(encoding="utf-8"))["runs"][0]
    place = data["ids"].index(name)
    box = page.locator("canvas.swimlane").bounding_box()
    share = (data["x"][place] + 0.9) / (data["width"] + 1.8)
    return box["x"] + share * box["width"], box["y"] + 42 + data["lane"][place] * 30 + 15


def picture_of(page):
    """The pixels of the swimlane, once the next frame is drawn."""
    pixels: str = page.evaluate(
        "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() =>"
        " done(document.querySelector('canvas.swimlane').toDataURL()))))"
    )
    return pixels


def test_the_page_opens_with_its_facts_lanes_and_events_without_a_network(visit, report_page):
    page = visit(report_page, offline=True)
    expect(page.locator("#rows tr")).to_have_count(28)
    assert "7 agents, 28 events" in page.inner_text("#facts")
    assert agents(page) == ["board", "director", "heat", "gas", "wood", "power", "grid", "solar"]
    expect(page.locator("#legend li")).to_have_count(8)
    page.click("#next")
    expect_step(page, 1)


def test_keys_step_through_events_go_to_other_agents_and_stay_with_one(visit, report_page):
    page = visit(report_page)
    page.focus(".swimlane")
    page.keyboard.press("ArrowRight")
    expect_step(page, 1)
    page.keyboard.press("ArrowRight")
    expect_step(page, 2)
    expect(page.locator("#announced")).to_have_text(
        re.compile("^Step 2 of 28, decision, by director")
    )
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect_step(page, 1)
    page.keyboard.press("End")
    expect_step(page, 28)
    page.keyboard.press("ArrowRight")
    expect_step(page, 28)
    page.keyboard.press("Home")
    expect_step(page, 1)
    page.keyboard.press("ArrowDown")
    expect(selected(page).locator("td").nth(2)).to_have_text("director")
    page.keyboard.press("Shift+ArrowRight")
    expect_step(page, 3)
    page.keyboard.press("Shift+ArrowLeft")
    expect_step(page, 2)
    page.keyboard.press("ArrowUp")
    expect(selected(page).locator("td").nth(2)).to_have_text("board")
    # Keys in the list move its focus.
    page.locator("#rows button").first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect_step(page, 3)
    expect(selected(page).locator("button")).to_be_focused()


def test_details_have_every_key_the_place_in_the_file_and_links(visit, viewer):
    trace = pair()
    event(trace, "ask").update(
        {"content_ref": "two\nlines", "x_tokens": 1250, "x_kinds": {"input": 7}}
    )
    page = visit(viewer(trace))
    page.click("#rows tr >> text=tool call")
    details = page.locator("#details")
    expect(details.locator("h3")).to_have_text("tool call shop")
    expect(details).to_contain_text("two\nlines")
    expect(details).to_contain_text("1,250")
    expect(details).to_contain_text("x_kinds")
    expect(details).to_contain_text("/events/3")
    expect(details).to_contain_text("run-0.json:1")


def test_a_long_content_scrolls_in_a_box_within_reach_of_the_keyboard(visit, viewer):
    trace = pair()
    event(trace, "ask")["content_ref"] = "word " * 2_000
    page = visit(viewer(trace))
    page.click("#rows tr >> text=tool call")
    box = page.get_by_role("group", name="Content")
    box.focus()
    expect(box).to_be_focused()
    assert box.evaluate("box => box.scrollHeight > box.clientHeight")
    expect(box).to_contain_text("6,000 more characters")
    # They lead to causes and effects.
    page.click(".links button >> text=tool result")
    expect(page.locator("#details h3")).to_have_text("tool result shop")
    page.click(".links button >> text=tool call")
    expect(page.locator("#details h3")).to_have_text("tool call shop")


def test_details_name_decisions_waste_and_untrusted_content(visit, report_page, viewer):
    page = visit(report_page)
    page.click("#rows tr >> text=to wood")
    remarks = page.locator(".remarks li")
    expect(remarks.filter(has_text="O1")).to_have_count(1)
    expect(remarks.filter(has_text="Wasted")).to_have_count(1)
    page = visit(viewer(EXAMPLES / "centralized_injection.json"))
    page.select_option("#filter", "untrusted")
    expect(page.locator("#rows tr")).to_have_count(3)
    page.locator("#rows tr").last.click()
    expect(page.locator(".remarks li.untrusted")).to_contain_text("step 10, return")


def test_a_click_on_a_mark_selects_its_event(visit, report_page):
    page = visit(report_page)
    page.mouse.click(*point_of(report_page, page, "hire-grid"))
    expect(page.locator("#details")).to_contain_text("hire-grid")
    page.mouse.move(*point_of(report_page, page, "hire-heat"))
    expect(page.locator("#tip")).to_contain_text("spawn to heat")


def test_mouse_and_keys_zoom_and_pan_and_fit_restores_the_picture(visit, report_page):
    page = visit(report_page)
    whole = picture_of(page)
    page.click("#in")
    near = picture_of(page)
    assert near != whole
    box = page.locator("canvas.swimlane").bounding_box()
    page.mouse.move(box["x"] + 500, box["y"] + 100)
    page.mouse.down()
    page.mouse.move(box["x"] + 300, box["y"] + 100)
    page.mouse.up()
    assert picture_of(page) != near
    expect(selected(page)).to_have_count(0)  # who drags does not select
    page.click("#fit")
    page.mouse.move(2, 2)
    assert picture_of(page) == whole
    page.mouse.move(box["x"] + 500, box["y"] + 100)
    page.keyboard.down("Control")
    page.mouse.wheel(0, -300)
    page.keyboard.up("Control")
    page.mouse.move(2, 2)
    assert picture_of(page) != whole
    page.locator("canvas.swimlane").focus()
    page.keyboard.press("0")
    pictures = [picture_of(page)]
    for key in "++-0":
        page.keyboard.press(key)
        pictures.append(picture_of(page))
    whole, near, nearer, back, again = pictures
    assert len({whole, near, nearer}) == 3
    assert back not in (whole, nearer)
    assert again == whole


def test_each_highlight_can_be_switched_off(visit, report_page, viewer):
    names = {
        report_page: ("critical", "decisions", "wasted"),
        viewer(EXAMPLES / "centralized_injection.json"): ("untrusted",),
    }
    for file, of_file in names.items():
        page = visit(file)
        with_all = picture_of(page)
        for name in of_file:
            page.uncheck(f"#highlights input[name={name}]")
            assert picture_of(page) != with_all, name
            page.check(f"#highlights input[name={name}]")
            assert picture_of(page) == with_all, name


def test_search_and_filters_count_list_and_step_through_matches(visit, report_page):
    page = visit(report_page)
    page.fill("#q", "solar archive")
    expect(page.locator("#count")).to_have_text("2 of 28")
    expect(page.locator("#rows tr")).to_have_count(2)
    page.click("#next")
    expect_step(page, 15)
    page.click("#next")
    expect_step(page, 17)
    page.fill("#q", "no such thing")
    expect(page.locator("#none")).to_be_visible()
    page.click("#next")
    page.fill("#q", "")
    expect(page.locator("#count")).to_have_text("28 events")
    expect_step(page, 17)
    # Filters by decision, by type and by failure.
    page.select_option("#filter", "label:O4")
    expect(page.locator("#rows tr")).to_have_count(3)
    page.select_option("#filter", "type:spawn")
    expect(page.locator("#rows tr")).to_have_count(6)
    page.select_option("#filter", "failed")
    expect(page.locator("#none")).to_be_visible()


def test_agents_collapse_by_click_key_and_button(visit, report_page):
    page = visit(report_page)
    page.click(".agent >> text=heat")
    expect(page.locator(".agent")).to_have_count(6)
    heat = page.locator(".agent", has_text="heat")
    expect(heat).to_have_attribute("aria-expanded", "false")
    expect(heat).to_contain_text("+2")
    page.keyboard.press("Tab")
    page.focus(".agent[tabindex='0']")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".agent")).to_have_count(8)
    page.keyboard.press("ArrowDown")
    expect(page.locator(".agent", has_text="gas")).to_be_focused()
    page.keyboard.press("Enter")
    expect(selected(page).locator("td").nth(2)).to_have_text("gas")
    page.click("#collapse")
    expect(page.locator(".agent")).to_have_count(2)
    # An event of a collapsed agent is drawn with the agent above it.
    page.click("#rows tr >> text=to grid")
    expect(page.locator(".agent.current")).to_contain_text("director")
    page.click("#expand")
    expect(page.locator(".agent")).to_have_count(8)


def shifted():
    """The same run until the second spawn, then with another tool and one event more."""
    trace = pair()
    trace["trace_id"] = "other"
    event(trace, "ask")["tool"] = "market"
    trace["events"].append({"id": "late", "t": 7, "type": "return", "agent": "lead", "to": "user"})
    trace["edges"].append({"src": "tea", "dst": "late", "type": "causal"})
    return trace


def test_two_runs_are_side_by_side_with_what_differs(visit, viewer):
    page = visit(viewer(pair(), shifted()))
    expect(page.locator(".pane")).to_have_count(2)
    expect(page.locator("#comparison")).to_contain_text("tool shop | market")
    page.click("#diverge")
    expect(page.locator("#details h3")).to_have_text(["tool call shop", "tool call market"])
    expect(page.locator("#details .differs")).to_have_text(["shop", "market"])
    page.click("#previous")
    expect(page.locator("#details .differs")).to_have_count(0)
    steps = page.locator("#details .event-head + .event-step").all_inner_texts()
    assert [text.split(" of ")[0] for text in steps] == ["Step 3", "Step 3"]
    # A run that is longer has steps of its own.
    page.locator(".swimlane").nth(1).focus()
    page.keyboard.press("End")
    expect(page.locator("#range")).to_have_text("1–9 of 9")
    expect_step(page, 9)
    expect(page.locator("#details")).to_contain_text("no such step")


def test_several_runs_are_chosen_one_at_a_time_or_in_pairs(visit, viewer):
    page = visit(viewer(pair(), shifted(), pair()))
    expect(page.locator(".pane")).to_have_count(1)
    page.select_option("#shown", "1")
    expect(page.locator("#count")).to_have_text("9 events")
    page.select_option("#shown", "0|2")
    expect(page.locator(".pane")).to_have_count(2)
    comparison = page.locator("#comparison")
    expect(comparison).to_contain_text("The same 8 events")
    assert comparison.inner_text().strip().endswith("in the same order.")


def test_no_hostile_text_runs(visit, viewer):
    page = visit(viewer(hostile_trace()))  # `visit` fails on any dialog, request or message
    page.focus(".swimlane")
    for _ in range(20):
        page.keyboard.press("ArrowRight")
    expect_step(page, 18)
    assert page.locator("main img, main iframe, main script, main a[href]").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.fill("#q", HOSTILE[2])
    expect(page.locator("#rows tr")).to_have_count(1)
    page.locator("#rows tr").click()
    expect(page.locator("#details h3")).to_contain_text(HOSTILE[2])
    assert (
        page.evaluate(
            "getComputedStyle(document.querySelector('#rows td:nth-child(3)')).unicodeBidi"
        )
        == "isolate"
    )


def test_a_run_opens_at_the_mistake_that_people_marked(visit, viewer):
    trace = pair()
    for name in ("ask", "bob-done"):
        event(trace, name)["x_mistake"] = True
    page = visit(viewer(trace))
    expect(page.locator("#details .remarks")).to_contain_text("decisive mistake")
    first = selected(page).locator("button").inner_text()
    page.keyboard.press("m")
    expect(selected(page).locator("button")).not_to_have_text(first)
    page.keyboard.press("m")
    expect_step(page, first)
    page.keyboard.press("/")
    page.keyboard.type("mm")
    expect(page.locator("#q")).to_have_value("mm")
