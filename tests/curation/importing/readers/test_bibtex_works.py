"""The works of BibTeX files for `add`, and those of the ACL Anthology, which answers with one."""

import codecs

import pytest

from corpus.curation.importing.readers.bibtex import read_entries
from corpus.curation.importing.readers.records import Records
from corpus.curation.lookup.services import bibtex_works, look_up
from tests.support.imported import findings_of, refused_at
from tests.support.recorded_answers import ANTHOLOGY, Web, refusal

ACL = "https://aclanthology.org/2025.mire-long.7.bib"


def test_anthology():
    found = look_up("https://aclanthology.org/2025.mire-long.7/", Web({ACL: ANTHOLOGY}))
    assert found.title == "Wet Sensors: Reading Soil & Études of Peat"
    assert found.authors == ("Ward, Ann", "de Groot, Zoë", "Bog Sensing Team")
    assert (found.year, found.first_public) == ("2025", "2025-07")
    assert found.doi == "10.18653/v1/2025.mire-long.7"
    assert found.url == "https://aclanthology.org/2025.mire-long.7/"


def test_anthology_sends_a_page_instead():
    assert refusal("acl:2025.mire-long.7", {ACL: b"<html>not here</html>"}) == "C710"


@pytest.mark.parametrize(
    "data",
    [
        b"@article{a, title = " + b"{" * 20_000,
        b"@article{a, title = " + b"{" * 20_000 + b"x" + b"}" * 20_000 + b"}",
        b"@article{a, title = {x",
        b"@article{a, title = }",
        b"@article{a, author = {Ward, Ann}}",
        b"@article{a, title = undefinedstring}",
        b"",
        b"no bibtex at all",
        b"\xff\xfe@",
        b"@comment{x" * 10,
        b"x" * 10_000_001,
    ],
)
def test_bibtex_that_cannot_be_read(data):
    (found,) = findings_of(bibtex_works, data, "x.bib")
    assert (found.code, found.file) == ("C710", "x.bib")


@pytest.mark.parametrize("mark", [b"", codecs.BOM_UTF8])
def test_a_byte_that_is_not_utf_8_has_its_line(mark):
    assert refused_at(bibtex_works, mark + b"@misc{a,\n title = {x}}\n\xff", "a.bib") == [
        ("C710", 3)
    ]


@pytest.mark.parametrize(
    ("fields", "venue", "url"),
    [
        ("", "", ""),
        (
            ", eprint = {2601.00010}, archiveprefix = {arXiv}",
            "arXiv",
            "https://arxiv.org/abs/2601.00010",
        ),
        (", journal = {Mires}, doi = {10.1234/x}", "Mires", "https://doi.org/10.1234/x"),
        (", url = {ftp://a.example}", "", ""),
        (", url = {http://a.example}", "", "http://a.example"),
    ],
)
def test_a_bibtex_entry_has_the_venue_and_the_address_that_it_states(fields, venue, url):
    (found,) = bibtex_works(
        f"@misc{{a, title = {{Peat}}, year = {{2020}}{fields}}}".encode(), "a.bib"
    )
    assert (found.venue, found.url, found.year) == (venue, url, "2020")


def one(fields):
    (found,) = bibtex_works(f"@misc{{a, title = {{Peat}}, {fields}}}".encode(), "a.bib")
    return found


@pytest.mark.parametrize(
    ("fields", "date"),
    [
        ("date = {2024-02-03}", "2024-02-03"),
        ("date = {2024-02/2024-03}", "2024-02"),
        ("date = {2024-02-30}", "2024-02"),  # no such day
        ("date = {soon}, year = {2023}", "2023"),
        ("year = {2024}, month = jul", "2024-07"),
        ("year = {2024}, month = {12}", "2024-12"),
        ("year = {2024}, month = {13}", "2024"),
        ("year = {to appear}", ""),
        ("month = jul", ""),
    ],
)
def test_a_date_is_as_exact_as_the_entry(fields, date):
    found = one(fields)
    assert (found.first_public, found.year) == (date, date[:4])
    assert found.evidence == ("BibTeX entry" if date else "")


@pytest.mark.parametrize(
    ("date", "first_public", "year"),
    [
        ("year = {2025}", "2025-08", "2025"),  # an identifier of August 2025
        ("year = {2026}, month = feb", "2025-08", "2026"),  # the venue printed it later
        ("date = {2025-08-11}", "2025-08-11", "2025"),
        ("date = {2025-09-01}", "2025-08", "2025"),
        ("year = {2025}, month = may", "2025-05", "2025"),  # public before it was on arXiv
        ("year = {2019}", "2019", "2019"),
        ("note = {undated}", "2025-08", "2025"),
    ],
)
def test_the_month_of_an_arxiv_identifier_is_the_first_public_date(date, first_public, year):
    found = one(f"{date}, eprint = {{2508.00123}}, archiveprefix = {{arXiv}}")
    assert (found.first_public, found.year) == (first_public, year)
    assert found.evidence in ("BibTeX entry", "arXiv identifier")


@pytest.mark.parametrize(
    ("field", "arxiv"),
    [
        ("eprint = {2601.00010v2}", "2601.00010"),
        ("url = {https://arxiv.org/abs/2601.00011}", "2601.00011"),
        ("doi = {10.48550/arXiv.2601.00012}", "2601.00012"),
        ("journal = {arXiv preprint arXiv:2601.00013}", "2601.00013"),
        ("eprint = {hal-01234}", ""),
    ],
)
def test_a_preprint_is_found_wherever_it_is_named(field, arxiv):
    assert one(field).arxiv == arxiv


def test_a_venue_is_the_book_before_the_journal():
    found = one("journal = {Mires}, booktitle = {Proceedings on {P}eat}, institution = {Bog}")
    assert found.venue == "Proceedings on Peat"


def test_an_anthology_entry_has_to_be_the_only_one():
    body = b"@misc{a, title={A}}\n@misc{b, title={B}}"
    assert refusal("acl:2025.mire-long.7", {ACL: body}) == "C707"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("@misc{a, title={A}}\n\nmisc{b, title={B}}", [(3, "title={")]),
        ("Kept by year = hand.\n@misc{a, title={A}}", []),
        ("@misc(a, title={A (b)})\nnote = {x}", [(2, "note = {")]),
        (
            "@misc{a, title={A}}, b = {x},\n@misc{c, title={C}}\nd = {y}",
            [(1, "b = {"), (3, "d = {")],
        ),
        ("", []),
    ],
)
def test_a_field_outside_of_every_entry_has_its_line(text, found):
    records = Records("BibTeX", "a.bib")
    read_entries(text, records)
    assert [(each.line, each.value) for each in records.findings] == found
