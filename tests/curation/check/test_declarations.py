"""Every section of codebook and documents has a reader, and every name in them is looked up."""

import pytest

from corpus.curation.check.check import check_corpus
from corpus.curation.check.declarations import DOCUMENTS, SECTIONS
from corpus.model.documents.codebook_parser import PARSED_SETTINGS
from corpus.tables.documents import read_codebook
from tests.conftest import REAL
from tests.corpora.full import write_full
from tests.support.changing import rewrite

PROTOCOL = """\
[protocol]
title = "How sensors were found"
search_cutoff = "2021-01-01"

[[stages]]
id = "title"
label = "title"

[[exclusion]]
id = "E1"
text = "Not in the ground."
stages = ["title"]
"""


def found(tmp_path, more="", **files):
    """What the check finds in the full corpus with more in its codebook and other files, which it declares."""
    data = write_full(tmp_path, more)
    declared = "[documents]\n"
    for name, text in files.items():
        (data / f"{name}.toml").write_text(text)
        declared += f'{name} = "{name}.toml"\n' * (name != "claims")
    rewrite(data / "codebook.toml", "[documents]\n", declared)
    return [
        (finding.code, finding.column)
        for finding in check_corpus(str(data), complete=True)
        if not finding.is_todo
    ]


@pytest.mark.parametrize(("more", "column"), [
    ("[depost]\ncreators = []\n", "depost"),
    ("[deposit]\ncreators = 5\n", "deposit.creators"),
    ("[deposit]\ncreatrs = ['Ward, Ann']\n", "deposit.creatrs"),
    ("[deposit]\nkeywords = ['soil', '']\n", "deposit.keywords"),
    ("[page]\nmonths = 'many'\n", "page.months"),
    ("[[finding.parts]]\ntext = 'All {SensorSize} work'\n", "finding.parts[1].text"),
    ("[[finding.parts]]\ntext = 'Yes'\nclaim = 'nothing'\notherwise = 'No'\n", "finding.parts[1].claim"),
    ("[figures.x]\nkind = 'map'\nrows = 'depth'\ncolumns = 'senses'\nlabels = { fem = 'Fen' }\n", "figures.x.labels.fem"),
])  # fmt: skip
def test_what_nobody_reads_and_what_means_nothing_is_an_error(tmp_path, more, column):
    assert ("C001", column) in found(tmp_path, more)


@pytest.mark.parametrize(("old", "new", "column"), [
    ("", "", ""),
    ("search_cutoff", "search_cutof", "protocol.search_cutof"),
    ('"2021-01-01"', '"soon"', "protocol.search_cutoff"),
    ("[[exclusion]]", "[[exclusions]]", "exclusions"),
    ("stages =", "stage =", "exclusion[1].stage"),
    ('["title"]', '["titel"]', "exclusion[1].stages"),
    ('id = "E1"\n', "", "exclusion[1].id"),
])  # fmt: skip
def test_the_protocol_is_read_key_by_key(tmp_path, old, new, column):
    text = PROTOCOL.replace(old, new) if old else PROTOCOL
    places = [place for place in found(tmp_path, protocol=text) if place[0] == "C441"]
    assert places == [("C441", column)] * bool(column)


def test_a_document_that_nobody_reads_is_an_error(tmp_path):
    assert ("C001", "documents.protocl") in found(tmp_path, protocl="")


def test_a_claim_over_a_row_that_does_not_exist_is_an_error(tmp_path):
    claim = '[[claims]]\nid = "x"\nstatement = "None."\nempty = true\nwhere = { sensor = "fem" }\n'
    codes = found(tmp_path, claims=f"format = 1\n{claim}")
    assert codes == [("C602", "claims[1].where.sensor")]


def test_every_section_of_the_shipped_codebook_has_a_reader():
    book = read_codebook(str(REAL))
    assert set(book.settings) <= {*SECTIONS, *PARSED_SETTINGS}
    assert set(book.documents) <= set(DOCUMENTS)
