"""What leaves of a run: hashes of contents, and of names that may be something else."""

import re

import pytest

from corpus.traces.contents import Content
from corpus.traces.convert.format import Redaction

LEAVE = [
    *(("name", name) for name in ("/home/ada", "a@b.example", "-x", "two\nlines", "x" * 65)),
    *(("name", "please pay Ann at once today"), ("name", "https://a.example")),
    *(("model", name) for name in ("a/b/c", "/home", "a b", "x" * 65)),
    *(("token", "x" * 97), ("token", "a b")),
]
#: What is private in each: no part of a trace or of its losses may have it.
SECRETS = {
    "lovelace": "ada.lovelace@mire.example",
    "123456789012": "arn:aws:iam::123456789012:user/ada",
    "IOSFODNN7": "AKIAIOSFODNN7EXAMPLE",
    "16C7e42F292c": "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
    "abc123DEF456": "sk-proj-abc123DEF456ghi789",
    "ijklmnopqrst": "xoxb-210987654321-ijklmnopqrst",
    "9tSrke72": "AIzaSyD-9tSrke72PouQMnMX-a7eZSW0jkFMBWY",
    "dozjgNryP4J3": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N",
    "1111 1111": "4111 1111 1111 1111",
    "5500000000000004": "5500000000000004",
    "37040044053201": "DE89370400440532013000",
    "hunter2": "postgres://ada:hunter2@db.mire.example/prod",
    "db-7.prod": "db-7.prod.mire.internal",
    "10.12.13.14": "10.12.13.14",
    "id_ed25519": "/home/ada/.ssh/id_ed25519",
    "OPENSSH": "-----BEGIN OPENSSH PRIVATE KEY-----",
}
HASHES = {"name": "agent-[0-9a-f]{8}", "model": "model-[0-9a-f]{8}", "token": "id-[0-9a-f]{12}"}


def shown(rule, written):
    given = (written, "agent") if rule == "name" else (written,)
    return getattr(Redaction(), rule)(*given)


@pytest.mark.parametrize(("rule", "written"), LEAVE)
def test_what_may_be_something_else_is_hashed(rule, written):
    assert re.fullmatch(HASHES[rule], shown(rule, written))
    assert shown(rule, written) != shown(rule, f"{written}x")


@pytest.mark.parametrize("secret", SECRETS)
@pytest.mark.parametrize("rule", HASHES)
def test_a_secret_is_no_name_model_or_identifier(rule, secret):
    assert secret not in shown(rule, SECRETS[secret])
    assert secret not in str(
        Redaction().safe({SECRETS[secret]: [f"see {SECRETS[secret]}, please"]})
    )


def test_a_content_is_its_hash_whatever_the_order_of_its_keys():
    one, other = {"a": 1, "b": "é"}, {"b": "é", "a": 1}
    assert Redaction().content(one, "user") == Redaction().content(other, "user")
    assert re.fullmatch("sha256:[0-9a-f]{16}", Redaction().content(one, "user"))
    assert Content.of("user", one).text == '{"a": 1, "b": "\\u00e9"}'
