"""A key under another name: in codebook and documents, where it is mentioned, and in what is accepted."""

import pytest
import tomli

from corpus.curation.edit.renaming import (
    declared_mentions,
    mentions,
    renamed_acceptances,
    renamed_documents,
)
from corpus.model.finding import UsageProblem
from corpus.tables.corpus_reader import load_corpus
from tests.corpora.full import (
    CLAIMS,
    CODEBOOK,
    codebook_data,
    declare_accepted_claims,
    full,
    write_full,
)


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


def test_lines_that_mention_a_key_are_found_as_whole_words(tmp_path):
    corpus = study(tmp_path)
    text = "x\nada, adam, ada-2 and x-ada\nnot adam\n"
    text += "https://a.example/ada a.example/x/ada ada.example me@ada ada@me x.ada.y ada.md\n"
    text += "https://a.example/x,ada,(b.example/y)\nNobody but ada.\n"
    text += f"{'a.' * 50_000} ada\n"  # long, and read at once
    (tmp_path / "data" / "notes.md").write_text(text, "utf-8")
    (tmp_path / "data" / ".hidden").write_text("ada\n", "utf-8")
    (tmp_path / "data" / "image.png").write_bytes(b"ada\xff")
    for folder in ("releases/v1", "notes/old", ".git"):
        (tmp_path / "data" / folder).mkdir(parents=True)
        (tmp_path / "data" / folder / "more.md").write_text("  ada  \n", "utf-8")
    found = [
        (item.file.partition("/data/")[2], item.line)
        for item in mentions(corpus.root, "ada", {})
        if item.file.endswith(".md")
    ]
    assert found == [("notes.md", line) for line in (2, 5, 6, 7)] + [("notes/old/more.md", 1)]
    files = {item.file.rpartition("/")[2] for item in mentions(corpus.root, "ada", {})}
    assert files == {"claims.toml", "notes.md", "more.md", *(f"{t}.csv" for t in ("sensors", "dated", "judged", "uses", "ranges", "probes", "second"))}  # fmt: skip


def test_a_codebook_that_names_an_entry_has_its_lines(tmp_path):
    corpus = study(tmp_path, more=f"{FIGURE}labels = {{ ada = 'A' }}\n")
    line = (CODEBOOK + FIGURE).count("\n") + 1
    (place,) = declared_mentions(corpus, "ada")
    assert (place.line, place.where) == (line, "row in figures.words.labels.ada")
    assert declared_mentions(corpus, "bob") == []
    assert declared_mentions(corpus, "surface") == []  # a term


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
