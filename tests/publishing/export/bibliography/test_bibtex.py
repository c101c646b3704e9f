import shutil
import subprocess

import pytest
from pybtex.database import parse_string

from corpus.analysis.bibliography.works import CitedWork, parse_names
from corpus.model.dates import parse_date
from corpus.model.finding import CorpusError
from corpus.publishing.export.bibliography.bibtex import bibtex_entry, bibtex_text, export
from corpus.tables.corpus_reader import load_corpus
from tests.conftest import REAL
from tests.corpora.full import full, full_of, sensor

HOSTILE = [
    r"\input{/etc/passwd}",
    "}} @misc{evil, title = {x",
    "50% of ~ ^ _ # $ & {",
    'a "quoted" title',
    "漢字 and العربية",
    "tab\tnew\nline\x1b[31m",
    "x" * 5000,
]


def test_every_entry_of_the_shipped_corpus_is_read_back_under_its_key():
    corpus = load_corpus(str(REAL))
    read = parse_string(bibtex_text(corpus), "bibtex")
    assert sorted(read.entries) == sorted(corpus.pool.column("key"))
    luo = read.entries["agent-lightning"]
    assert luo.type == "misc"
    assert luo.fields["eprint"] == "2508.03680"
    assert [str(person) for person in luo.persons["author"]][:2] == ["Luo, Xufang", "Zhang, Yuge"]


def test_types_and_fields_follow_the_venue():
    read = parse_string(bibtex_text(full()), "bibtex").entries
    assert (read["ada"].type, read["ada"].fields["journal"]) == ("article", "Journal of Soil")
    assert (read["dot"].type, read["dot"].fields["booktitle"]) == ("inproceedings", "SOILS 2019")
    assert read["eve"].type == "misc"
    assert read["eve"].fields["url"] == "https://soil.example/a"


def test_organisations_keep_their_braces_and_a_first_author_alone_gets_others():
    text = bibtex_text(full())
    assert "author        = {Ward, Ann and {Soil Trust}}" in text
    assert "author   = {{Soil Trust}}" in text
    assert "and others" not in text
    shipped = load_corpus(str(REAL))
    alone = bibtex_text(shipped.with_tables({shipped.codebook.pool.name: shipped.pool}))
    assert "{Luo, Xufang and others}" in alone
    assert "{{Anthropic}}" in alone


def test_the_month_is_given_only_for_first_publications():
    entries = parse_string(bibtex_text(load_corpus(str(REAL))), "bibtex").entries
    assert entries["agent-lightning"].fields["month"] == "August"
    assert "month" not in entries["maporl"].fields  # its preprint is older than the proceedings


@pytest.mark.parametrize("title", HOSTILE)
def test_hostile_titles_and_names_stay_one_entry(title):
    names = title.replace(";", " ").replace(",", " ")
    corpus = full_of(sensor("a", name=title, authors=names, venue=title), sensor("b"))
    read = parse_string(bibtex_text(corpus), "bibtex").entries
    assert list(read) == ["a", "b"]
    assert "\x1b" not in bibtex_text(corpus)


def test_an_address_with_braces_cannot_end_its_field():
    corpus = full_of(sensor("a", url="https://soil.example/}{\\x"))
    assert (
        parse_string(bibtex_text(corpus), "bibtex").entries["a"].fields["url"]
        == "https://soil.example/%7D%7B%5Cx"
    )


def test_a_key_that_bibtex_does_not_take_is_a_finding():
    with pytest.raises(CorpusError) as caught:
        bibtex_text(full_of(sensor("a b"), sensor("c")))
    assert [(finding.code, finding.line, finding.column) for finding in caught.value.findings] == [
        ("X101", 2, "sensor")
    ]


@pytest.mark.skipif(not shutil.which("bibtex"), reason="needs bibtex (apt: texlive-binaries)")
def test_real_bibtex_takes_the_shipped_corpus_and_hostile_text_without_a_warning(tmp_path):
    corpus = load_corpus(str(REAL))
    _run_bibtex(tmp_path, export(corpus), corpus.pool.column("key"))
    hostile = full_of(
        *[
            sensor(f"h{i}", name=title, authors="Doe, Jo", venue="X", year="2020")
            for i, title in enumerate(HOSTILE)
        ]
    )
    _run_bibtex(tmp_path, export(hostile), hostile.pool.column("sensor"))


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("pdflatex"), reason="needs pdflatex (apt: texlive-latex-base)")
def test_latex_prints_the_bibliography(tmp_path):
    (tmp_path / "pool.bib").write_bytes(export(load_corpus(str(REAL))))
    (tmp_path / "a.tex").write_text(
        r"\documentclass{article}\usepackage[T1]{fontenc}\begin{document}\nocite{*}\bibliographystyle{plain}"
        r"\bibliography{pool}\end{document}"
    )
    for program in (
        ["pdflatex", "-no-shell-escape", "-interaction=nonstopmode", "-halt-on-error"],
        ["bibtex"],
    ):
        subprocess.run([*program, "a"], cwd=tmp_path, check=True, capture_output=True)
    done = subprocess.run(
        ["pdflatex", "-no-shell-escape", "-interaction=nonstopmode", "-halt-on-error", "a"],
        cwd=tmp_path,
        capture_output=True,
    )
    assert done.returncode == 0, done.stdout.decode("utf-8", "replace")[-2000:]


def _run_bibtex(folder, content, keys):
    """Let BibTeX typeset all keys; plain.bst complains about what it cannot use."""
    (folder / "pool.bib").write_bytes(content)
    citations = "".join(f"\\citation{{{key}}}\n" for key in keys)
    (folder / "a.aux").write_text(citations + "\\bibstyle{plain}\n\\bibdata{pool}\n")
    done = subprocess.run(["bibtex", "a"], cwd=folder, capture_output=True, text=True)
    warnings = [line for line in done.stdout.splitlines() if "arning" in line or "rror" in line]
    assert done.returncode == 0, done.stdout
    assert [line for line in warnings if "empty journal" not in line] == []
    assert (folder / "a.bbl").read_text(encoding="utf-8", errors="replace").count(
        "\\bibitem"
    ) == len(keys)


def _work(**changes):
    work = CitedWork(
        "a",
        "Peat",
        parse_names("Poe, Al"),
        True,
        "misc",
        "2020",
        None,
        "",
        "",
        "",
        (),
        "",
        "",
        "",
        {},
    )
    return work._replace(**changes)


@pytest.mark.parametrize(
    ("public", "kind", "month"),
    [
        ("2020-03-09", "misc", "mar"),
        ("2020-12", "misc", "dec"),
        ("2020", "misc", ""),
        ("2019-12-31", "misc", ""),  # of another year than the work
        ("2020-03-09", "article", ""),
    ],
)
def test_a_month_is_that_of_the_work(public, kind, month):
    entry = bibtex_entry(_work(public=parse_date(public), kind=kind))
    assert (f"month  = {month}," in entry) is bool(month)
    assert ("month" in entry) is bool(month)


def test_a_name_is_not_divided_at_its_own_words():
    names = parse_names("Rock and Roll Society; And, Ann; Poe, Al, Jr")
    entry = bibtex_entry(_work(authors=names, complete=False))
    assert "author = {{Rock and Roll Society} and {And}, Ann and " in entry
    assert " and others" not in entry  # an organisation first: the list is whole
    assert "and others}" in bibtex_entry(_work(complete=False))


def test_a_report_names_who_issued_it():
    assert "institution = {Mire Institute}" in bibtex_entry(
        _work(kind="techreport", affiliation="Mire Institute")
    )
    trust = parse_names("Bog Trust")
    assert "institution = {Bog Trust}" in bibtex_entry(
        _work(kind="techreport", authors=trust, affiliation="x")
    )
    assert "institution" not in bibtex_entry(_work(affiliation="Mire Institute"))
