from corpus.analysis.bibliography.works import PersonName, parse_names, works
from corpus.tables.corpus_reader import load_corpus
from tests.conftest import REAL
from tests.corpora.full import codebook_data, full_of


def test_the_pool_and_the_bibliography_beside_it_make_one_view():
    work = {work.key: work for work in works(load_corpus(str(REAL)))}["agents-under-siege2025"]
    assert work.authors[0] == PersonName("Khan", "Rana Muhammad Shahroz")
    assert work.complete
    assert (work.kind, work.venue, work.year) == ("inproceedings", "ACL 2025", "2025")
    assert (work.arxiv, work.doi) == ("2504.00218", "10.18653/v1/2025.acl-long.476")
    assert work.public is not None
    assert work.public.month


def test_several_addresses_are_split_and_not_applicable_is_not_a_tag():
    found = {work.key: work for work in works(load_corpus(str(REAL)))}
    assert len(found["openai-codex"].urls) == 2
    assert found["agentdojo2024"].tags["reward_type"] == ()
    assert found["agentdojo2024"].tags["category"] == ("benchmark",)


def test_without_the_bibliography_only_the_first_author_is_known():
    corpus = load_corpus(str(REAL))
    alone = corpus.with_tables({corpus.codebook.pool.name: corpus.pool})
    work = works(alone)[0]
    assert work.authors == (PersonName("Luo", "Xufang"),)
    assert not work.complete


def test_names_are_separated_by_semicolons():
    assert parse_names("A, B; Bog Trust; ") == (PersonName("A", "B"), PersonName("Bog Trust", ""))


def test_the_view_comes_from_roles_and_types_wherever_they_stand():
    data = codebook_data()
    sensors = data["tables"]["sensors"]
    sensors["columns"] = [
        *sensors["columns"][:4],
        {"name": "by", "type": "name", "role": "first_author", "definition": "First."},
        {"name": "when", "type": "year", "definition": "Year."},
        {"name": "link", "type": "url", "definition": "Address."},
        {"name": "where", "type": "text", "role": "venue", "definition": "Venue."},
        {"name": "mirror", "type": "url", "definition": "Another address."},
        {"name": "id", "type": "doi", "definition": "Where the pool knows it."},
    ]
    data["tables"]["dated"]["columns"] += [
        {"name": "who", "type": "names", "definition": "All."}, {"name": "doi", "type": "doi", "definition": "DOI."},
        {"name": "year", "type": "year", "definition": "Another year."},
        {"name": "said", "type": "text", "role": "notes", "definition": "Notes."},
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
