"""Texts and data put into a page that is one file."""

import json

import pytest

from corpus.printing.single_file import (
    content_policy,
    inlined,
    package_script,
    package_text,
    script_json,
)
from tests.support.hostile import HOSTILE


@pytest.mark.parametrize("text", HOSTILE)
def test_data_survive_the_way_into_the_script(text):
    written = script_json(text)
    assert json.loads(written) == text
    assert not set("<>&\u2028\u2029") & set(written)


def test_a_text_that_would_close_its_element_is_refused():
    with pytest.raises(ValueError, match="close"):
        inlined("let a = '</script>';")


def test_files_of_a_package_lose_their_comments_and_nothing_else(tmp_path, monkeypatch):
    folder = tmp_path / "peat_page" / "files"
    folder.mkdir(parents=True)
    (folder.parent / "__init__.py").write_text("")
    (folder / "a.js").write_text('// A comment.\nlet a = "//";\n\n  let b = 1;  // beside\n')
    (folder / "b.js").write_text(
        "/* One\n   let hidden;\n*/\nlet c = 2;\n/** Short. */\nlet d = 3;\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    text = 'let a = "//";\nlet b = 1;  // beside\nlet c = 2;\nlet d = 3;\n'
    assert package_text("peat_page", ("a", "b"), "js") == text
    script = package_script("peat_page", ("a", "b"))
    assert script == f'"use strict";\n(() => {{\n{text}}})();\n'


def test_a_policy_allows_the_texts_of_the_page_alone():
    rules = dict(rule.split(" ", 1) for rule in content_policy(["a"], []).split("; "))
    assert rules == {
        "default-src": "'none'",
        "script-src": "'sha256-ypeBEsobvcr6wjGzmiPcTaeG7/gUfE5yuYB3ha/uSLs='",
        "style-src": "'none'",
        "img-src": "data:",
        "base-uri": "'none'",
        "form-action": "'none'",
        "require-trusted-types-for": "'script'",
        "trusted-types": "'none'",
    }
    two = content_policy([], ["a", "b"])
    assert two.count("sha256-") == 2
