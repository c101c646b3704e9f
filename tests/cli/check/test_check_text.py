import json

import pytest

TEXT = """\
We retain 3 retained sensors; 2 records excluded.
There are four optical sensors % 9 optical sensors
and {number} moisture tags.
"""


@pytest.fixture
def paper(minimal):
    def write(number, name="paper.tex"):
        (minimal / name).write_text(TEXT.replace("{number}", number), encoding="utf-8")
        return minimal

    return write


def places(result):
    findings = json.loads(result.stdout)["findings"]
    return [f"{one['code']} {one['line']} {one['value']}" for one in findings]


def test_contradictions_have_line_and_right_value(run, paper):
    done = run("check-text", "paper.tex", "--format", "json", cwd=paper("2"))
    assert done.exit_code == 1
    assert places(done) == [
        "M102 1 3 retained sensors",
        "M102 1 2 records excluded",
        "M101 2 four optical sensors",
        "M102 3 2 moisture tags",
    ]
    wrong = json.loads(done.stdout)["findings"][2]
    assert "has 1, not 4" in wrong["message"]
    assert "\\ProbeOptical{}" in wrong["hint"]
    assert wrong["char"] == 11


def test_right_numbers_by_hand_warn_and_fail_only_when_strict(run, minimal):
    (minimal / "a.md").write_text("The pool holds 3 sensors.\n")
    done = run("check-text", "a.md", cwd=minimal)
    assert (done.exit_code, "M102" in done.stdout) == (0, True)
    assert "<!-- corpus: PoolSize -->3<!-- /corpus -->" in done.stdout
    assert run("check-text", "--strict", "a.md", cwd=minimal).exit_code == 1


def test_what_render_keeps_current_is_left_alone(run, minimal):
    (minimal / "a.md").write_text(
        "The pool holds <!-- corpus: PoolSize -->9<!-- /corpus --> sensors.\n"
    )
    done = run("check-text", "--strict", "a.md", cwd=minimal)
    assert done.exit_code == 0
    assert done.stdout.startswith("0 numbers beside a word of the corpus")


def test_the_account_is_closed_in_text_and_json(run, minimal):
    text = (
        "The pool holds 3 sensors. The pool holds 9 sensors. Smith bought 9 sensors that float.\n"
    )
    (minimal / "a.md").write_text(text)
    done = run("check-text", "a.md", cwd=minimal)
    assert "contradicts" not in done.stdout.splitlines()[-1]
    assert done.stdout.splitlines()[-1].startswith("3 numbers")
    document = json.loads(run("check-text", "a.md", "--format", "json", cwd=minimal).stdout)
    assert document["numbers"] == {"right": 1, "wrong": 1, "not_judged": 1}
    codes = [found["code"] for found in document["findings"]]
    assert sorted(codes) == ["M101", "M102", "M103"]


def test_unreadable_files_are_findings(run, minimal):
    (minimal / "latin.tex").write_bytes(b"\n9 \xe9")
    done = run("check-text", "latin.tex", "nope.md", cwd=minimal)
    assert done.exit_code == 1
    assert "latin.tex:2:3: error C106" in done.stdout
    assert "nope.md: error C101" in done.stdout
    assert "codebook" not in done.stdout  # the file is the author's, no table of the corpus
    assert "nope.md: error C101" in done.stdout
    assert run("check-text", "a.docx", cwd=minimal).exit_code == 2
