"""The forms in which awesome lists write an entry: each loses nothing and finds its title."""

import pytest

from corpus.curation.importing.readers.markdown import read_markdown
from corpus.curation.importing.readers.markdown_entry import entry_cells, labelled
from corpus.curation.importing.readers.markdown_tree import TextRun


def only(text):
    (record,) = read_markdown(text, "README.md").rows
    return dict(record.cells)


@pytest.mark.parametrize(
    "item",
    [
        "[Light in the fen](https://a.example/1)",
        "[**Light in the fen.**](https://a.example/1)",
        "**Light in the fen** [[Paper]](https://a.example/1)",
        "**Light in the fen.** [[pdf](https://a.example/1)] [[code](https://git.example/1)]",
        "Light in the fen [[paper](https://a.example/1)]",
        "Light in the fen. [[arXiv](https://a.example/1)]",
        "[[Paper]](https://a.example/1) Light in the fen",
        "<b>Light in the fen</b>, <a href='https://a.example/1'>paper</a>",
        "“Light in the fen,” Ann Ward, Bo Moor. [[official]](https://a.example/1)",
        "Ann Ward, Bo Moor. \"Light in the fen\". ICML 2020. [[pdf]](https://a.example/1)",
        "**Light in the fen** [![arXiv](https://img.example/badge/arXiv-1-red)](https://a.example/1)",
        "[2023/10] **Light in the fen** ![](https://img.example/stars) [link](https://a.example/1)",
        "**[ICLR 2024]** Light in the fen [[abs]](https://a.example/1)",
        "2024-ICLR - Light in the fen. [[Paper]](https://a.example/1)",
        "2024 – Light in the fen. [[Paper]](https://a.example/1)",
        "ICLR 2024 - Light in the fen. [[Paper]](https://a.example/1)",
        "[[Paper]](https://a.example/1) [[**Bog Lab**]](https://git.example/bog) Light in the fen.",
    ],
)  # fmt: skip
@pytest.mark.parametrize("mark", ["-", "*", "1."])
def test_the_title_is_bold_or_linked_or_before_the_links(mark, item):
    cells = only(f"## Soil\n{mark} {item}\n")
    assert (cells["title"], cells["url"]) == ("Light in the fen", "https://a.example/1")


@pytest.mark.parametrize(
    ("item", "field", "value"),
    [
        ("**Bog**: How it grows [[PDF]](https://a.example/1)", "title", "Bog: How it grows"),
        ("2017-Arxiv - Peat [[PDF]](https://a.example/1)", "venue", "2017-Arxiv"),
        ("2017 - Peat by light [[PDF]](https://a.example/1)", "year", "2017"),
        ("Moss - peat by light [[PDF]](https://a.example/1)", "title", "Moss - peat by light"),
        ("[2023/10] **A B C** [[paper]](https://a.example)", "date", "2023-10"),
        ("(2021) **A B C** [[paper]](https://a.example)", "year", "2021"),
        ("**A B C.** *Ann Ward et al. ICML.* [[paper]](https://a.example)", "authors", "Ann Ward et al"),
        ("**A B C.** *Ann Ward et al. ICML.* [[paper]](https://a.example)", "venue", "ICML"),
        ("**A B C** *Ann Ward (Bog Trust) et al. X.* [paper](https://a.example)", "institution", "Bog Trust"),
        ("[A B C](https://a.example) *Ann Ward, Bo de Moor.* Arxiv 2023.", "authors", "Ann Ward, Bo de Moor"),
        ("[A B C](https://a.example) *Ann Ward, Bo de Moor.* Arxiv 2023.", "venue", "Arxiv 2023"),
        ("(NeurIPS'23) A B C [Paper](https://a.example)", "venue", "NeurIPS'23"),
        ("[A B C](https://a.example) `soil` `moss`", "tags", ("soil", "moss")),
        ("[A B C](https://a.example) [[Code]](https://git.example/x)", "code", "https://git.example/x"),
        ("[A B C](https://a.example) - How it grows.", "description", "How it grows"),
        ("[A B C](https://a.example)\n  - Ann Ward, Bo Moor\n  - Key: [soil], [moss]", "authors", "Ann Ward, Bo Moor"),
        ("[A B C](https://a.example)\n  - Ann Ward, Bo Moor\n  - 🔑 Key: [soil], [moss]", "Key", ("soil", "moss")),
        ("**A B C**\n  - Paper: https://a.example\n  - **Authors:** Ann Ward", "Authors", "Ann Ward"),
        ("[A B C](https://a.example)\n\n  *Ann Ward, Bo Moor.*", "authors", "Ann Ward, Bo Moor"),
        ("[A B C](https://a.example)<br>*Ann Ward, Bo Moor*<br>ICML 2020", "venue", "ICML 2020"),
    ],
)  # fmt: skip
def test_what_stands_beside_the_title_belongs_to_the_record(item, field, value):
    assert only(f"- {item}\n")[field] == value


@pytest.mark.parametrize(
    ("item", "cells"),
    [
        (
            '**Bog**: "How peat grows at night", ICML, 2019. '
            "[[Paper](https://a.example)][[PyTorch (annward)](https://git.example/x)]",
            {
                "title": "How peat grows at night",
                "venue": "ICML, 2019",
                "description": "Bog",
                "url": "https://a.example",
                "code": "https://git.example/x",
            },
        ),
        (
            '**?**: "How peat grows", arXiv, 2021. [[Paper](https://a.example)]',
            {"title": "How peat grows", "venue": "arXiv, 2021"},
        ),
        (
            "**[How peat grows](https://a.example)** (Ward et al., ICML 2023)",
            {"authors": "Ward et al.", "venue": "ICML 2023"},
        ),
        (
            "🔥 *(arXiv 2023.08)* How peat grows [[Paper](https://a.example)] "
            "[[Leaderboard](https://b.example)] [[Code]()]",
            {"title": "How peat grows", "venue": "arXiv 2023.08", "project": "https://b.example"},
        ),
        (
            "🔥 (TMLR'2024) How peat grows [[Paper](https://a.example)] [[Ranks](https://b.example)]",
            {"title": "How peat grows", "venue": "TMLR'2024", "links": ("https://b.example",)},
        ),
        ("[(2021) How peat grows](https://a.example)", {"title": "How peat grows", "year": "2021"}),
        (
            "[ ] How peat grows, https://a.example, https://github.com/a/b",
            {
                "title": "How peat grows",
                "url": "https://a.example",
                "links": ("https://github.com/a/b",),
            },
        ),
        (
            "[How peat grows](https://a.example)\n  - Ann Ward, Bo (Robert) Moor",
            {"authors": "Ann Ward, Bo Moor"},
        ),
    ],
)
def test_more_habits_of_entries(item, cells):
    found = only(f"- {item}\n")
    assert {name: found.get(name) for name in cells} == cells


def test_a_time_is_not_a_name_and_a_bold_title_with_a_colon_is_no_part():
    assert labelled([TextRun("At 12:30 we dig")]) == ("", "")
    assert labelled([TextRun("PeatBERT: A Language Model for Bogs", bold=True)]) == ("", "")
    assert labelled([TextRun("Keywords:", bold=True), TextRun(" soil and moss")]) != ("", "")


def test_links_alone_are_an_entry_without_a_title():
    runs = [
        TextRun("[paper]", "https://a.example"),
        TextRun(" "),
        TextRun("code", "https://b.example"),
    ]
    assert entry_cells(runs) == {"url": "https://a.example", "code": "https://b.example"}
    assert entry_cells([]) == {}


@pytest.mark.parametrize(
    ("addresses", "is_person"),
    [
        (["https://github.com/annward"], True),
        (["https://x.com/annward/", "https://www.linkedin.com/in/ann"], True),
        (["https://github.com/annward", "https://a.example"], False),
        (["https://github.com/annward/peat"], False),
    ],
)
def test_pages_of_people_are_no_entries(addresses, is_person):
    found = entry_cells([TextRun(f"Ann Ward {n}", each) for n, each in enumerate(addresses)])
    assert (found == {}) is is_person


@pytest.mark.parametrize(
    ("item", "title"),
    [
        ("Can bogs dream? [[paper]](https://a.example)", "Can bogs dream?"),
        ("Can Bogs Dream Of Peat? Or only of moss [[paper]](https://a.example)",
         "Can Bogs Dream Of Peat? Or only of moss"),
        ("Power up! Peat at night [[paper]](https://a.example) [annward/peat](https://github.com/annward/peat)",
         "Power up! Peat at night"),
        ("Peat by light and lamp [PeatLib](https://github.com/annward/peat)", "Peat by light and lamp"),
        ("(*NAACL'21*) Peat by light [[paper]](https://a.example)", "Peat by light"),
    ],
)  # fmt: skip
def test_a_title_is_whole_and_no_name_of_a_repository(item, title):
    assert only(f"- {item}\n")["title"] == title


@pytest.mark.parametrize(
    ("item", "cells"),
    [
        (
            "[How peat grows](https://a.example)<br>*Ann Ward, Bo Moor*<br>**Best paper of all the bogs**",
            {"title": "How peat grows", "url": "https://a.example", "authors": "Ann Ward, Bo Moor",
             "description": "Best paper of all the bogs"},
        ),
        (
            "--- Older works ---<br>**How peat grows** [paper](https://a.example)",
            {"title": "How peat grows", "url": "https://a.example", "description": "Older works"},
        ),
        (
            "[[Paper](https://a.example)]<br>**How peat grows**",
            {"title": "How peat grows", "url": "https://a.example"},
        ),
    ],
)  # fmt: skip
def test_the_line_of_the_title_is_found_and_no_other_is_lost(item, cells):
    assert only(f"- {item}\n") == cells


def test_a_label_that_leads_nowhere_is_no_description():
    cells = only("- [2025/06/06] **A B C** | [[paper]](https://a.example) | [code]\n")
    assert "code" not in str(cells)
    assert cells["date"] == "2025-06-06"
