"""Which of the versions that figures are drawn with a machine has not."""

from corpus.canvas import versions


def test_other_versions_and_missing_libraries_are_named(monkeypatch):
    monkeypatch.setattr(versions, "PINNED", {"matplotlib": "1.0", "no-such-library-here": "2.0"})
    first, second = versions.other_versions()
    assert first.startswith("matplotlib ")
    assert first.endswith(" instead of 1.0")
    assert second == "no-such-library-here missing instead of 2.0"
