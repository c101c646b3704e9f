"""A key under another name: in codebook and documents, and in what is accepted."""

import pytest
import tomli

from corpus.curation.edit.renaming import renamed_acceptances, renamed_documents
from corpus.model.finding import UsageProblem
from corpus.tables.corpus_reader import load_corpus
from tests.corpora.full import CLAIMS, codebook_data, declare_accepted_claims, full, write_full


def study(folder, claims=CLAIMS, more=""):
    data = write_full(folder, more)
    (data / "claims.toml").write_text(claims, "utf-8")
    return load_corpus(str(data))


def claims_with(line):
    return (
        CLAIMS
        + f'\n[[claims]]\nid = "x"\nstatement = "ada and \\"ada\\" are ada."\nwhere = {{ sensor = ["ada"] }}\n{line}\n'
    )


@pytest.mark.parametrize(
    "line", ['keys = ["ada"]', "keys = ['ada']", 'keys = [\n  "ada",  # the first\n]']
)
def test_a_key_is_replaced_where_it_is_a_whole_string(tmp_path, line):
    before = claims_with(line)
    found = renamed_documents(study(tmp_path, before), "ada", "aspen", "sensors")
    assert list(found) == ["claims.toml"]
    expected = tomli.loads(before)
    expected["claims"][1]["keys"] = ["aspen", "bob"]
    expected["claims"][3].update(where={"sensor": ["aspen"]}, keys=["aspen"])
    assert tomli.loads(found["claims.toml"]) == expected
    assert 'statement = "ada and \\"ada\\" are ada."' in found["claims.toml"]


FIGURE = (
    '\n[figures.words]\nkind = "timeline"\ntitle = "Words"\ntable = "dated"\ndate = "seen"\n'
    'group = "depth"\nwindow = ["2020-10", "2021-02"]\n'
)


@pytest.mark.parametrize(
    "labels",
    [
        'labels = { ada = "1", aspen = "2" }',  # two names would become one
        'labels = { "\\u0061da" = "1" }',
    ],
)
def test_what_cannot_be_replaced_is_refused_with_its_lines(tmp_path, labels):
    with pytest.raises(UsageProblem, match=r"codebook\.toml:\d+"):
        renamed_documents(study(tmp_path, more=f"{FIGURE}{labels}\n"), "ada", "aspen", "sensors")


ACCEPTED = {
    "file": "ok.csv",
    "role": "accepted",
    "key": ["code", "row"],
    "columns": [
        {"name": role, "type": "verbatim", "role": role.replace("row", "key"), "definition": "X."}
        for role in ("code", "file", "row", "column", "value", "reason")
    ],
}


def test_what_is_accepted_of_a_row_follows_its_name():
    data = codebook_data()
    data["tables"]["ok"] = ACCEPTED
    rows = [
        ("C303", "sensors.csv", "ada", "sensor", "ada", "one work"),
        ("C317", "uses.csv", "farm, ada", "limit", "ada", "as sold"),
        ("C317", "other.csv", "ada", "x", "ada", "ada"),
    ]
    renamed = {"sensors": {"ada": "aspen"}, "uses": {"farm, ada": "farm, aspen"}}
    found = renamed_acceptances(full({"ok": rows}, **data), renamed)
    assert found == {"ok": [
        ("C303", "sensors.csv", "aspen", "sensor", "aspen", "one work"),
        ("C317", "other.csv", "ada", "x", "ada", "ada"),
        ("C317", "uses.csv", "farm, aspen", "limit", "ada", "as sold"),
    ]}  # fmt: skip
    assert renamed_acceptances(full({"ok": rows}, **data), {"sensors": {"bob": "birch"}}) == {}


def test_what_is_accepted_of_a_claim_follows_the_rows_of_its_table(tmp_path):
    """A row of another table may have the same name."""
    data = write_full(tmp_path)
    declare_accepted_claims(data)
    ranges = '\n[[claims]]\nid = "far"\nstatement = "Three."\ntable = "ranges"\ncount = 3\n'
    (data / "claims.toml").write_text(CLAIMS + ranges, "utf-8")
    rows = "far,extra,ada,x\nsurface,extra,ada,x\nsurface,extra,bob,ada\n"
    (data / "accepted_claims.csv").write_text(f"claim,sign,key,reason\n{rows}", "utf-8")
    found = renamed_acceptances(load_corpus(str(data)), {"sensors": {"ada": "aspen"}})
    assert found == {"accepted_claims": [
        ("far", "extra", "ada", "x"), ("surface", "extra", "aspen", "x"), ("surface", "extra", "bob", "ada"),
    ]}  # fmt: skip
