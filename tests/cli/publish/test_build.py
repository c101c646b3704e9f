import json

import pytest


@pytest.fixture
def without_figures(monkeypatch):
    monkeypatch.setattr("corpus.publishing.outputs.catalogue.study_figures", lambda _: {})


@pytest.fixture
def stale(run, minimal, without_figures):
    """The data folder of a corpus that was built and edited afterwards."""
    run("build", cwd=minimal)
    path = minimal / "sensors.csv"
    path.write_text(path.read_text().replace("Light in the fen", "Light in the bog"))
    return minimal


def test_build_then_nothing_to_do(run, minimal):
    first = run("build", cwd=minimal)
    assert first.exit_code == 0
    assert "wrote reports/papers.md" in first.stdout
    assert (minimal.parent / "reports" / "papers.md").exists()
    assert run("build", cwd=minimal).stdout == "nothing changed\n"
    check = run("build", "--check", cwd=minimal)
    assert (check.exit_code, check.stdout) == (0, "every generated file is current\n")


def test_check_names_stale_files_and_exits_1(run, stale):
    before = {path: path.read_bytes() for path in (stale.parent / "reports").iterdir()}
    done = run("build", "--check", cwd=stale.parent)
    assert done.exit_code == 1
    assert "reports/papers.md: error B102" in done.stdout
    found = json.loads(run("build", "--check", "--format", "json", cwd=stale.parent).stdout)[
        "findings"
    ]
    assert {finding["code"] for finding in found} == {"B102"}
    assert {path: path.read_bytes() for path in (stale.parent / "reports").iterdir()} == before


def test_a_contribution_may_leave_generated_files_stale_but_add_none_of_its_own(run, stale):
    lenient = ("build", "--check", "--allow-stale")
    done = run(*lenient, cwd=stale.parent)
    assert (done.exit_code, done.stdout) == (0, "")
    assert len(done.stderr.splitlines()) == 1
    noticed = run(*lenient, "--format", "github", cwd=stale.parent)
    assert noticed.exit_code == 0
    assert noticed.stdout.startswith("::notice ")
    (stale.parent / "reports" / "own.md").write_text("mine")
    done = run(*lenient, cwd=stale.parent)
    assert done.exit_code == 1
    assert "reports/own.md: error B103" in done.stdout
    assert "B102" not in done.stdout
    assert run("build", "--allow-stale", cwd=stale.parent).exit_code == 2


def test_a_broken_corpus_builds_nothing(run, minimal):
    path = minimal / "sensors.csv"
    path.write_text(path.read_text().replace("optical", "optic", 1))
    done = run("build", cwd=minimal)
    assert done.exit_code == 1
    assert "C202" in done.stderr
    assert not (minimal.parent / "reports").exists()


def test_another_folder_can_be_named(run, minimal, without_figures, tmp_path):
    assert run("build", "--data", minimal, "--out", tmp_path / "out").exit_code == 0
    assert (tmp_path / "out" / "reports" / "manifest.json").exists()
