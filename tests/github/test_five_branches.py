"""Five people each add a paper by two rows: their branches pass, merge, and need no further edit.

In scratch repositories, with plain git and the steps of the workflows.
"""

from functools import partial

from .hub import add_paper, failures

#: Between the rows clay, fen and till: two pairs of neighbours, and one paper alone.
PAPERS = {
    "bog2026": "A bog in the dark",
    "fenland2026": "Salt in the fenland",
    "fens2026": "Peat by permittivity",
    "turf2026": "Turf and its water",
    "vale2026": "What a vale holds",
}
GENERATED = ("figures/", "reports/", "data/datapackage.json", "README.md")


def test_five_branches_pass_alone_merge_and_pass_together(hub):
    for number, (key, title) in enumerate(PAPERS.items(), 1):
        hub.pull_request(number, key, partial(add_paper, key=key, title=title))
        assert hub.changed("main", key) == ["data/papers.csv", "data/sensors.csv"]
        runner, steps = hub.check(key)
        assert failures(steps) == {}
        assert "::notice title=generated files::" in steps["Generated files"][1]
        assert title in runner.summary

    by_rows = []
    for number, key in enumerate(PAPERS, 1):
        if hub.merge(key):
            continue
        by_rows.append(key)
        runner, steps = hub.label(number, key)
        assert failures(steps) == {}
        assert hub.merge(key)
    # git alone merges all but the second of two neighbours.
    assert by_rows == ["fens2026", "vale2026"]

    merged = hub.head("main")
    assert failures(hub.check("main")[1]) == {}
    assert failures(hub.rebuild()[1]) == {}
    rebuilt = hub.head("main")
    changed = hub.changed(merged, rebuilt)
    assert "README.md" in changed
    assert "figures/probes.svg" in changed
    assert [path for path in changed if not path.startswith(GENERATED)] == []
    _, steps = hub.check("main")
    assert failures(steps) == {}
    assert "stale" not in steps["Generated files"][1]
    hub.rebuild()
    assert hub.head("main") == rebuilt
