import json

from tests.corpora.full import write_full


def test_every_format_and_option_runs_on_the_shipped_corpus(run):
    options = ("--by", "category", "is_rl", "--threshold", 1, "--top", 3)
    for format_ in ("text", "markdown", "latex", "json"):
        assert run("sparsity", "--format", format_, *options).exit_code == 0


def test_gaps_come_first_and_the_rest_on_request(run):
    short, whole = run("sparsity").stdout, run("sparsity", "--all").stdout
    assert short.startswith("Gaps in rank order: 5 of ")
    assert "corpus sparsity --all" in short
    assert len(whole) > 3 * len(short)
    assert whole.startswith("Terms that are empty or thin")


def test_evidence_without_a_name_is_an_index(run):
    index = run("evidence").stdout
    assert len(index.splitlines()) < 80
    assert "\ndisclosure " in index
    assert len(run("evidence", "--all").stdout) > 20 * len(index)


def test_filters_narrow_the_pool(run, tmp_path):
    data = write_full(tmp_path)
    document = json.loads(
        run("sparsity", "--data", data, "--where", "depth!=none", "--format", "json").stdout
    )
    assert document["entries"] == 4


def test_an_unknown_axis_is_wrong_usage(run, tmp_path):
    assert run("sparsity", "--by", "rewrd", "credit").exit_code == 2


def test_a_bad_declaration_is_a_finding_with_its_place(run, tmp_path):
    data = write_full(
        tmp_path, '[[sparsity.anchors]]\ntable = "uses"\nrows = "use"\ncolumns = "colour"\n'
    )
    result = run("sparsity", "--data", data)
    assert result.exit_code == 1
    assert "C001" in result.stderr
    assert "sparsity.anchors[2].columns" in result.stderr
    assert result.stdout == ""
