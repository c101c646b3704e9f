"""After a merge the generated files are made anew on main, and nothing else is touched."""

from .hub import add_paper, failures


def grow(hub):
    folder = hub.clone()
    add_paper(folder, "fenland2026")
    hub.commit(folder, "fenland", "refs/heads/main")


def test_nothing_is_pushed_where_every_file_is_current(hub):
    before = hub.head("main")
    assert failures(hub.rebuild()[1]) == {}
    assert hub.head("main") == before


def test_an_edited_figure_is_replaced(hub):
    """With its checksum in the manifest, too: the figure is drawn again, not compared."""
    folder = hub.clone()
    figure = folder / "figures/probes.svg"
    whole = figure.read_bytes()
    figure.write_bytes(whole.replace(b"</svg>", b"<script>alert(1)</script></svg>"))
    hub.commit(folder, "edit", "refs/heads/main")
    assert failures(hub.rebuild()[1]) == {}
    assert (hub.clone() / "figures/probes.svg").read_bytes() == whole


def test_a_branch_that_has_moved_on_is_left_to_the_next_run(hub):
    grow(hub)
    old = hub.head("main")
    folder = hub.clone()
    add_paper(folder, "turf2026")
    hub.commit(folder, "turf", "refs/heads/main")
    newer = hub.head("main")
    _, steps = hub.rebuild(old)
    assert failures(steps) == {}
    assert hub.head("main") == newer
    assert failures(hub.rebuild()[1]) == {}
    assert hub.head("main") != newer


def test_a_push_that_is_refused_fails(hub):
    grow(hub)
    before = hub.head("main")
    refuse = hub.repository / "hooks/pre-receive"
    refuse.write_text("#!/bin/sh\nexit 1\n")
    refuse.chmod(0o755)
    assert list(failures(hub.rebuild()[1])) == ["Push what has changed"]
    assert hub.head("main") == before


def test_another_branch_is_not_rebuilt(hub):
    hub.pull_request(7, "paper", lambda folder: add_paper(folder, "fens2026"))
    assert hub.run("rebuild.yml", "rebuild", "paper", {})[1] == {}


def test_data_that_cannot_be_read_change_no_file(hub):
    folder = hub.clone()
    pool = folder / "data/sensors.csv"
    pool.write_text(pool.read_text("utf-8").replace(",optical,", ",sonar,"), "utf-8")
    hub.commit(folder, "broken", "refs/heads/main")
    before = hub.head("main")
    assert list(failures(hub.rebuild()[1])) == ["Make the generated files"]
    assert hub.head("main") == before
