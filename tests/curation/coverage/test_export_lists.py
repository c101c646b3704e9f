"""Exports of databases: every cell of a record, and the digest by which a run is known."""

from hashlib import sha256

from corpus.curation.coverage.coverage import read_list

TEXT = (
    "title,authors,year,venue,doi,url,Abstract\n"
    'Peat,"Ward, Ann",2024,Mires,10.1234/x,https://arxiv.org/abs/2601.00001v2,It is <i>wet</i>.\n'
    ",Nobody,2024,,,,\n"
    "Moss,,,,,,\n"
)


def test_every_cell_is_read_and_a_row_without_a_title_counted(tmp_path):
    path = tmp_path / "deep" / "export.csv"
    path.parent.mkdir()
    path.write_text(TEXT, "utf-8")
    found = read_list(str(path), "export.csv", "wet", titled=True)
    first, second = found.works
    assert (first.title, first.authors, first.year, first.venue) == ("Peat", ("Ward, Ann",), "2024", "Mires")  # fmt: skip
    assert (first.arxiv, first.doi) == ("2601.00001", "10.1234/x")
    assert (first.url, first.abstract) == ("https://arxiv.org/abs/2601.00001v2", "It is wet.")
    assert (second.title, second.place, second.identities) == ("Moss", 4, frozenset())
    assert len(found.records.rows) == 3
    assert found.digest == sha256(TEXT.encode()).hexdigest()


def test_venue_and_abstract_are_read_in_the_dialect_of_proquest_and_ovid(tmp_path):
    path = tmp_path / "export.ris"
    path.write_text(
        "TY  - JOUR\nT1  - Peat by light\nA1  - Ward, Ann\nY1  - 2019///\nJF  - Journal of Bogs\n"
        "N2  - It is wet.\nER  - \n\nTY  - CONF\nTI  - Salt and moss\nT2  - Proc. of Mires\n"
        "N2  - It is dry.\nER  - \n",
        "utf-8",
    )
    first, second = read_list(str(path), "export.ris", "wet", titled=True).works
    assert (first.title, first.venue, first.abstract) == (
        "Peat by light", "Journal of Bogs", "It is wet.",
    )  # fmt: skip
    assert (second.title, second.venue, second.abstract) == (
        "Salt and moss", "Proc. of Mires", "It is dry.",
    )  # fmt: skip
    assert (first.authors, first.year) == (("Ward, Ann",), "2019")
