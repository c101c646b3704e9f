"""String macros of BibTeX are expanded up to a limit."""

from __future__ import annotations

import pytest

from corpus.curation.importing.readers.bibtex import string_macros
from corpus.curation.importing.readers.bibtex.bibtex_works import bibtex_works
from corpus.curation.importing.readers.bibtex.string_macros import MacrosTooLarge, StringMacros
from corpus.model.finding import CorpusError


def test_months_are_known_and_names_have_any_case():
    macros = StringMacros()
    assert macros["JUL"] == "July"
    macros["mires"] = "Journal of Mires"
    assert macros["Mires"] == "Journal of Mires"
    with pytest.raises(KeyError):
        macros["peat"]


def test_every_use_counts_and_the_limit_itself_is_allowed(monkeypatch):
    monkeypatch.setattr(string_macros, "MAX_EXPANDED", 8)
    macros = StringMacros()
    macros["a"] = "peat"
    assert [macros["a"], macros["a"]] == ["peat", "peat"]
    with pytest.raises(MacrosTooLarge):
        macros["a"]


def test_a_file_that_doubles_its_text_in_each_line_is_refused_in_time():
    lines = ['@string{a0 = "peat and moss"}']
    for number in range(1, 40):
        lines.append(f"@string{{a{number} = a{number - 1} # a{number - 1}}}")
    body = "\n".join([*lines, "@misc{x, title = a39}"]).encode()
    with pytest.raises(CorpusError) as error:
        bibtex_works(body, "a.bib")
    assert [found.code for found in error.value.findings] == ["C710"]
