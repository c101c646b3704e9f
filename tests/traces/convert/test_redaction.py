"""What leaves of a run: hashes of contents, and of names that may be something else."""

import re

import pytest

from corpus.traces.contents import Content
from corpus.traces.convert.format import Redaction, unnamed

STAY = [
    *(("name", name) for name in ("web_searcher", "Agent (2)", "c++", "tool#1", "a b c d e")),
    *(("name", "x" * 64), ("name", "漢字"), ("model", "maker/model-1"), ("model", "gpt-4.1")),
    *(("token", "call_1.a:b-c"), ("token", "x" * 96), ("model", ""), ("token", "")),
]
LEAVE = [
    *(("name", name) for name in ("/home/ada", "a@b.example", "-x", "two\nlines", "x" * 65)),
    *(("name", "please pay Ann at once today"), ("name", "https://a.example")),
    *(("model", name) for name in ("a/b/c", "/home", "a b", "x" * 65)),
    *(("token", "x" * 97), ("token", "a b")),
]
HASHES = {"name": "agent-[0-9a-f]{8}", "model": "model-[0-9a-f]{8}", "token": "id-[0-9a-f]{12}"}


def shown(rule, written):
    given = (written, "agent") if rule == "name" else (written,)
    return getattr(Redaction(), rule)(*given)


@pytest.mark.parametrize(("rule", "written"), STAY)
def test_names_models_and_identifiers_stay(rule, written):
    assert shown(rule, written) == written


@pytest.mark.parametrize(("rule", "written"), LEAVE)
def test_what_may_be_something_else_is_hashed(rule, written):
    assert re.fullmatch(HASHES[rule], shown(rule, written))
    assert shown(rule, written) != shown(rule, f"{written}x")


@pytest.mark.parametrize("content", [None, "", [], {}])
def test_what_is_empty_has_no_content(content):
    assert Redaction().content(content, "user") is None


def test_a_content_is_its_hash_whatever_the_order_of_its_keys():
    one, other = {"a": 1, "b": "é"}, {"b": "é", "a": 1}
    assert Redaction().content(one, "user") == Redaction().content(other, "user")
    assert re.fullmatch("sha256:[0-9a-f]{16}", Redaction().content(one, "user"))
    assert Content.of("user", one).text == '{"a": 1, "b": "\\u00e9"}'


def test_half_a_pair_of_surrogates_is_replaced():
    assert Content.of("user", "a\ud83d").text == "a\ufffd"
    assert Redaction().name("", "agent") == "agent"
    assert re.fullmatch("run-[0-9a-f]{16}", unnamed("run", "a.json"))
