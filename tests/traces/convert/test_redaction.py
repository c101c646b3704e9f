"""What leaves of a run: hashes of contents, and of names that may be something else."""

import re

import pytest

from corpus.traces.contents import Content
from corpus.traces.convert.format import Redaction, unnamed


@pytest.mark.parametrize(
    "name", ["web_searcher", "Agent (2)", "c++", "tool#1", "a b c d e", "x" * 64, "漢字"]
)
def test_names_stay(name):
    assert Redaction().name(name, "agent") == name


@pytest.mark.parametrize(
    "name",
    [
        "/home/ada",
        "a@b.example",
        "please pay Ann at once today",
        "x" * 65,
        "-x",
        "two\nlines",
        "https://a.example",
    ],
)
def test_what_may_be_something_else_is_hashed(name):
    hidden = Redaction().name(name, "agent")
    assert re.fullmatch("agent-[0-9a-f]{8}", hidden)
    assert hidden == Redaction().name(name, "agent") != Redaction().name(f"{name}x", "agent")


@pytest.mark.parametrize(
    ("name", "stays"),
    [
        ("maker/model-1", True),
        ("gpt-4.1", True),
        ("a/b/c", False),
        ("/home", False),
        ("a b", False),
        ("x" * 65, False),
    ],
)
def test_models(name, stays):
    assert (Redaction().model(name) == name) is stays
    assert Redaction().model("") == ""


@pytest.mark.parametrize(
    ("token", "stays"),
    [("call_1.a:b-c", True), ("x" * 96, True), ("x" * 97, False), ("a b", False)],
)
def test_identifiers(token, stays):
    shown = Redaction().token(token)
    assert (shown == token) is stays
    assert stays or re.fullmatch("id-[0-9a-f]{12}", shown)
    assert Redaction().token("") == ""


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
