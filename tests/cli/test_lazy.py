"""Wrong usage is answered with the usage of the command that was called."""

import pytest


@pytest.mark.parametrize(
    "call", [("edit", "nobody", "--set", "probe=optical"), ("list", "--where", "prob=optical"), ("claims", "nothing")]
)
def test_wrong_usage_names_the_command_to_ask_for_help(run, soil, call):
    done = run(*call, cwd=soil.parent)
    assert done.exit_code == 2
    # click 8.3 names the short form first, later ones the long
    assert f"{call[0]} --help'" in done.stderr or f"{call[0]} -h'" in done.stderr
