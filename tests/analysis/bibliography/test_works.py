import pytest

from corpus.analysis.bibliography.works import PersonName, venue_kind, works
from tests.corpora.full import codebook_data, declared, full_of


def test_the_view_comes_from_roles_and_types_wherever_they_stand():
    data = codebook_data()
    sensors = data["tables"]["sensors"]
    sensors["columns"] = [
        *sensors["columns"][:4],
        declared("by", "name", role="first_author"),
        declared("when", "year"),
        declared("link", "url"),
        declared("where", role="venue"),
        declared("mirror", "url"),
        declared("id", "doi"),
    ]
    data["tables"]["dated"]["columns"] += [
        declared("who", "names"), declared("doi", "doi"),
        declared("year", "year"),
        declared("said", role="notes"),
    ]  # fmt: skip
    rows = {
        "sensors": [
            ("ada", "Ada", "surface", "water; heat", "Bog, Al", "2020", "https://a.example ; https://b.example", "ACL 2020", "https://c.example", ""),
            ("bob", "Bob", "none", "gas", "Cyr, Bo", "2021", "", "Mire News", "", "10.1/pool"),
        ],
        "dated": [("ada", "2020-11", "Bog, Al; Fen, Di", "10.1/x", "1999", "of the side"), ("bob", "when", "", "10.1/side", "", "")],

    }  # fmt: skip
    data["venues"] = {"article": ["Mire News"]}
    ada, bob = works(full_of(*rows.pop("sensors"), rows=rows, **data))
    assert (bob.doi, bob.venue, bob.kind) == ("10.1/pool", "Mire News", "article")
    assert (ada.key, ada.title, ada.year, ada.doi, ada.venue, ada.kind) == (
        "ada", "Ada", "2020", "10.1/x", "ACL 2020", "inproceedings",
    )  # fmt: skip
    assert (ada.authors, ada.complete) == ((PersonName("Bog", "Al"), PersonName("Fen", "Di")), True)
    assert ada.urls == ("https://a.example", "https://b.example")
    assert ada.public is not None
    assert (ada.public.month, ada.notes, ada.summary, ada.arxiv, ada.affiliation) == (
        "2020-11",
        "",
        "",
        "",
        "",
    )
    assert ada.tags == {"depth": ("surface",), "senses": ("water", "heat")}
    assert (bob.authors, bob.complete, bob.public, bob.urls) == (
        (PersonName("Cyr", "Bo"),),
        False,
        None,
        (),
    )
    assert bob.tags == {"depth": (), "senses": ("gas",)}


@pytest.mark.parametrize(
    ("venue", "kind"),
    [
        ("ACL 2025", "inproceedings"),
        ("NeurIPS 2024 D&B", "inproceedings"),
        ("Findings of ACL 2024", "inproceedings"),
        ("ACM AISec 2023", "inproceedings"),
        ("Proc. of the 3rd Bog Symposium", "inproceedings"),
        ("IEEE Transactions on Mires", "article"),
        ("Journal of Wetlands 2019", "article"),
        ("arXiv (ICLR 2026 submitted)", "misc"),
        ("ACL ARR 2026 January Submission", "misc"),
        ("Engineering Blog", "misc"),
        ("Nature 2025", "misc"),
        ("Tech Report", "techreport"),
        ("", "misc"),
    ],
)
def test_the_name_of_a_venue_tells_its_kind(venue, kind):
    assert venue_kind(venue) == kind
