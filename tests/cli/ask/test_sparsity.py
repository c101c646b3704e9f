import json

from tests.corpora.full import write_full


def test_every_format_and_option_runs_on_the_shipped_corpus(run):
    options = ("--by", "category", "is_rl", "--threshold", 1, "--top", 3)
    for format_ in ("text", "markdown", "latex", "csv", "json"):
        assert run("sparsity", "--format", format_, *options).exit_code == 0


def test_filters_narrow_the_pool(run, tmp_path):
    data = write_full(tmp_path)
    document = json.loads(
        run("sparsity", "--data", data, "--where", "depth!=none", "--format", "json").stdout
    )
    assert document["entries"] == 4


def test_an_unknown_axis_is_wrong_usage(run, tmp_path):
    assert run("sparsity", "--by", "reward", "credit").exit_code == 2


def test_a_bad_declaration_is_a_finding_with_its_place(run, tmp_path):
    data = write_full(
        tmp_path, '[[sparsity.anchors]]\ntable = "uses"\nrows = "use"\ncolumns = "colour"\n'
    )
    result = run("sparsity", "--data", data)
    assert result.exit_code == 1
    assert "C001" in result.stderr
    assert "sparsity.anchors[2].columns" in result.stderr
    assert result.stdout == ""
