"""Audit tables are compared with the pool and with each other, whatever their readers covered."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from corpus.analysis.agreement.agreement import agreement_reports
from corpus.analysis.claims.evaluate import load_claims
from corpus.cli.main import main
from corpus.tables.corpus_reader import load_corpus
from tests.conftest import REAL
from tests.corpora.moors import FILES, write_moors

HEAD = "moor,reader,kind,moss\n"


@pytest.fixture
def report(tmp_path):
    def make(second=FILES["second.csv"], moors=FILES["moors.csv"]):
        data = tmp_path / "data"
        if not data.exists():
            write_moors(tmp_path)
        (data / "second.csv").write_text(second, "utf-8")
        (data / "moors.csv").write_text(moors, "utf-8")
        corpus = load_corpus(str(data))
        (found,) = agreement_reports(corpus, load_claims(corpus).claims)
        return found

    return make


def field(report, name):
    return next(found for found in report.fields if found.field == name)


def test_fields_coverage_and_disagreements(report):
    found = report()
    assert (field(found, "kind").agreed, field(found, "kind").units) == (3, 3)
    assert (field(found, "moss").agreed, field(found, "moss").units) == (2, 3)
    assert (found.covered, found.uncovered) == (3, ("dune", "elm"))
    (odd,) = found.disagreements
    assert (odd.key, odd.field, odd.pool, odd.tag, odd.reader) == (
        "birch",
        "moss",
        "red",
        "green",
        "two",
    )
    assert [(outcome.claim.id, outcome.keys) for outcome in odd.moves] == [("red-moss", ("ash",))]
    assert [(c.field, c.term, c.lacking) for c in found.coverage] == [
        ("kind", "high", ("elm",)), ("moss", "green", ("dune",)),
    ]  # fmt: skip


def test_more_readers_who_overlap_in_part(report):
    more = FILES["second.csv"] + "carr,three,low,green\nelm,three,high,none\n"
    found = report(
        "".join(sorted(more.splitlines(True), key=lambda line: (not line.startswith("moor"), line)))
    )
    kind = field(found, "kind")
    assert kind.readers == ("pool", "three", "two")
    assert (kind.units, kind.agreed) == (4, 3)  # ash and birch by two, elm by three, carr by both
    assert [(pair.readers, pair.units, pair.agreed) for pair in kind.pairs] == [
        (("pool", "three"), 2, 1), (("pool", "two"), 3, 3), (("three", "two"), 1, 0),
    ]  # fmt: skip


def test_a_field_without_trouble_has_no_warning_and_one_without_variation_a_single_one(report):
    balanced = report(
        HEAD + "ash,two,high,red\nbirch,two,high,green\ncarr,two,fen,green\nelm,two,high,none\n"
    )
    assert (field(balanced, "moss").agreed, field(balanced, "moss").warnings) == (3, ())
    found = report()
    assert len(field(found, "kind").warnings) == 1  # no disagreement
    assert field(found, "kind").prevalent == ("high", pytest.approx(2 / 3))
    same = report(HEAD + "ash,two,high,red\nelm,two,high,none\n", FILES["moors.csv"])
    assert len(field(same, "kind").warnings) == 1  # not defined, and nothing else


def test_three_quarters_of_one_category_are_skewed(report):
    rows = [("ash", "red"), ("birch", "red"), ("carr", "red"), ("dune", "green")]
    found = report(
        HEAD + "".join(f"{key},two,high,{moss}\n" for key, moss in rows),
        FILES["moors.csv"].replace("fen,green", "fen,red"),
    )
    moss = field(found, "moss")
    assert (moss.prevalent, moss.agreed, moss.units) == (("red", 0.75), 4, 4)
    assert len(moss.warnings) == 2  # skewed, and no disagreement


def test_nothing_read_again_is_one_warning_and_a_share_of_nothing(report):
    found = report(HEAD, FILES["moors.csv"])
    assert [(f.units, f.readers, f.prevalent, len(f.warnings)) for f in found.fields] == [
        (0, (), ("", 0), 1)
    ] * 2
    assert (found.covered, len(found.uncovered)) == (0, 5)


def test_the_pool_is_the_first_reader_and_the_most_frequent_tag_prevails(report):
    found = report(HEAD + "ash,abe,low,red\nbirch,abe,high,green\ncarr,zoe,fen,green\n")
    assert field(found, "kind").readers == ("pool", "abe", "zoe")
    assert field(found, "kind").prevalent == ("high", 0.5)


def test_a_disagreement_carries_the_readers_note(report, tmp_path):
    report()
    book = tmp_path / "data" / "codebook.toml"
    moss = '{ name = "moss", type = "term", definition = "Moss." },\n]'
    text = book.read_text("utf-8")
    assert moss in text
    book.write_text(text.replace(moss, moss[:-1] + '{ name = "said", type = "text", role = "notes", required = false, definition = "Note." }]'), "utf-8")  # fmt: skip
    second = (
        HEAD.strip()
        + ",said\nash,two,high,green,wet feet\nghost,two,high,green,\nbirch,two,high,green,\n"
    )
    assert [(odd.key, odd.note) for odd in report(second).disagreements] == [
        ("ash", "wet feet"),
        ("birch", ""),
    ]
    assert report(second).disagreements[0].pool == "red"


def test_a_skewed_field_warns_that_kappa_misleads(report):
    names = [f"m{n:02}" for n in range(20)]
    rows = "".join(
        f"{name},Moor {name} by itself,,high,{'green' if name == 'm00' else 'red'},\n"
        for name in names
    )
    second = "".join(f"{name},two,high,{'green' if name == 'm01' else 'red'}\n" for name in names)
    found = report(
        FILES["second.csv"].split("\n")[0] + "\n" + second,
        FILES["moors.csv"].split("\n")[0] + "\n" + rows,
    )
    moss = field(found, "moss")
    assert moss.pairs[0].kappa.value < 0 < 0.85 < moss.ac1.value
    assert any("95%" in warning for warning in moss.warnings)
    assert any("not defined" in warning for warning in field(found, "kind").warnings)


def test_the_shipped_second_reading():
    corpus = load_corpus(str(REAL))
    (found,) = agreement_reports(corpus, load_claims(corpus).claims)
    assert {f.field: (f.agreed, f.units) for f in found.fields} == {
        "category": (32, 32), "is_rl": (32, 32), "reward_type": (32, 32), "credit_granularity": (31, 32),
        "orchestration_form": (32, 32), "strict_credit": (0, 0),
    }  # fmt: skip
    (odd,) = found.disagreements
    assert (odd.key, odd.pool, odd.tag) == ("halo", "role", "orchestrator")
    assert "orchestrator-credit" in {outcome.claim.id for outcome in odd.moves}
    assert {"wideseek-r1-2026", "anthropic-trustworthy"} <= set(found.uncovered)
    assert len(found.uncovered) == 52


def test_the_command_writes_every_format_and_asks_for_an_audit(tmp_path):
    data = write_moors(tmp_path)
    for format_ in ("text", "markdown", "json"):
        result = CliRunner().invoke(main, ["agreement", "--data", str(data), "--format", format_])
        assert result.exit_code == 0
        assert "birch" in result.stdout
    assert json.loads(result.stdout)[0]["disagreements"][0]["moves"] == [
        {"id": "red-moss", "observed": "ash"}
    ]
    book = (
        (data / "codebook.toml").read_text("utf-8").replace('role = "audit"', 'role = "evidence"')
    )
    (data / "codebook.toml").write_text(book, "utf-8")
    assert CliRunner().invoke(main, ["agreement", "--data", str(data)]).exit_code == 2
