"""Texts and data put into a page that is one file."""

from __future__ import annotations

import json

import pytest

from corpus.printing.single_file import inlined, script_json
from tests.support.hostile import HOSTILE


@pytest.mark.parametrize("text", HOSTILE)
def test_data_survive_the_way_into_the_script(text):
    written = script_json(text)
    assert json.loads(written) == text
    assert not set("<>&\u2028\u2029") & set(written)


def test_a_text_that_would_close_its_element_is_refused():
    with pytest.raises(ValueError, match="close"):
        inlined("let a = '</script>';")
