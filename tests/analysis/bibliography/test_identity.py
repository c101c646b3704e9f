"""Of two descriptions: one work, two works, or a question for a person."""

import pytest

from corpus.analysis.bibliography.identity import ASK, DIFFERENT, SAME, compare
from corpus.model.work import Work


def work(title, authors="", year="", doi="", *links, **more):
    people = tuple(filter(None, authors.split("; ")))
    return Work(title=title, authors=people, year=year, doi=doi, links=links, **more)


FROGS = "Frogs eat flies in wet summers"
JOIN = "Locating leaks by joining value and predicate models of clay"
MAP = "Systematic map of human-raptor interaction and coexistence research"

# fmt: off
CASES = [
    # Two identifiers of one kind are two works, whatever the titles.
    (work(f"{FROGS} of older men", "Loam, Ann", "2020", "10.1234/a"), work(f"{FROGS} of older women", "Loam, Ann", "2020", "10.1234/b"), DIFFERENT),
    (work(FROGS, "Ried, Di", "2018", "10.1234/a"), work(FROGS, "Ried, Di", "2018", "10.1234/b"), DIFFERENT),
    (work(FROGS, arxiv="2101.00001"), work(FROGS, arxiv="2101.00002"), DIFFERENT),
    (work(FROGS, "", "", "", "PMID:12345"), work(FROGS, "", "", "", "https://pubmed.ncbi.nlm.nih.gov/12346/"), DIFFERENT),
    # The identifier of a preprint says nothing against that of its publication.
    (work(MAP, "Canne, Angel", "2021", "10.31235/osf.io/abcde"), work(MAP.title(), "Canne, A. C.", "2021", "10.3390/ani123"), SAME),
    (work(FROGS, "Ried, Di", "2021", arxiv="2106.00001"), work(FROGS, "Ried, D", "2022", "10.1234/fr.2"), SAME),
    (work(FROGS, "Ried, Di", "2021", "10.1101/2021.01.02.425001v1"), work("Frogs", "Ried, Di", "2021", "10.1101/2021.01.02.425001v2"), SAME),
    (work(FROGS, "Ried, Di", "2021", "10.1101/gr.1"), work(FROGS, "Ried, Di", "2021", "10.1101/gr.2"), DIFFERENT),
    # A shared identifier is enough, unless everything else speaks against it.
    (work("Peat", "Ried, Di", "2021", "10.1234/A"), work("Moss", "Ried, Di", "2021", "10.1234/a"), SAME),
    (work("Peat", "Ried, Di", "2021", "10.1234/a"), work("Moss", "Loam, Ann", "2021", "10.1234/a"), ASK),
    (work(FROGS, "", "", "10.1234/a", "arXiv:2101.00001"), work(FROGS, "", "", "10.1234/b", "arXiv:2101.00001"), ASK),
    (work(FROGS, "", "", "", "openreview:abcdef1"), work(FROGS, "", "", "", "openreview:abcdef2"), ASK),
    # Abstracts of one supplement share its DOI.
    (work("Conference of fens: P06; peat of wet bogs in winter", "Loam, Ann", "2010", "10.1234/s.1"), work("Conference of fens: P07; moss of dry bogs in summer", "Moor, Bo; Loam, Ann", "2010", "10.1234/s.1"), ASK),
    # Numbers, parts, answers and corrections.
    (work("A study of moss in bogs: Part I", "Loam, Ann", "2020"), work("A study of moss in bogs: Part II", "Loam, Ann", "2020"), DIFFERENT),
    (work("A study of moss in bogs: part one", "Loam, Ann", "2020"), work("A study of moss in bogs: part 2", "Loam, Ann", "2020"), DIFFERENT),
    (work("Moss in many wet bogs, version 1.0", "Loam, Ann", "2020"), work("Moss in many wet bogs, version 2.0", "Loam, Ann", "2021"), DIFFERENT),
    (work("Report on the yields of moor 2020", "Ried, Di", "2020"), work("Report on the yields of moor 2021", "Ried, Di", "2021"), DIFFERENT),
    (work("Vitamin B and the moss of bogs: type A"), work("Vitamin B and the moss of bogs: type B"), DIFFERENT),
    (work(JOIN, "Ton, Fay", "2021"), work(f"Artifact for {JOIN}", "Ton, Fay", "2021"), DIFFERENT),
    (work(JOIN, "Ton, Fay", "2021"), work(f"Reply to: {JOIN}", "Ton, Fay", "2021"), DIFFERENT),
    (work(JOIN, "Ton, Fay", "2021"), work(f"RETRACTED: {JOIN}", "Ton, Fay", "2021"), ASK),
    (work(JOIN, "Ton, Fay", "2021"), work(f"{JOIN} - Reply", "Ton, Fay", "2021"), DIFFERENT),
    (work(JOIN, "Ton, Fay", "2021"), work(f"{JOIN} (vol 12, pg 34, 2021)", "Ton, Fay", "2021"), DIFFERENT),
    (work(JOIN, "Ton, Fay", "2021"), work(f"{JOIN} (Extended Abstract)", "Ton, Fay", "2021"), ASK),
    (work("Wet agents", "Ton, Fay", "2021"), work("Retraction Note: Wet agents", "Ton, Fay", "2021"), ASK),
    # What databases add behind a title.
    (work(JOIN, "Ton, Fay", "2021"), work(f"[{JOIN}]. [Review] [88 refs] [Spanish]", "Ton, F", "2021"), SAME),
    (work(JOIN, "Ton, Fay", "2021"), work(f"{JOIN}.[Erratum appears in J Peat. 2021 Jun", "Ton, F", "2021"), SAME),
    (work(JOIN, "Ton, Fay", "2021"), work(f"{JOIN} [Poster]", "Ton, F", "2021"), ASK),
    # An abstract of a conference, and the article about it.
    (work(FROGS, "Ried, Di", "2011", venue="Topics in Frogs"), work(FROGS, "Ried, D", "2010", venue="Flies"), ASK),
    (work(FROGS, "Ried, Di", "2012", venue="Topics in Frogs"), work(FROGS, "Ried, D", "2010", venue="Topics in Frogs"), ASK),
    (work(FROGS, "Ried, Di", "2011", venue="J Frog Sci"), work(FROGS, "Ried, D", "2010", venue="Journal of Frogs - Science"), SAME),
    (work(FROGS, "Ried, Di", "2010", venue="CoRR"), work(FROGS, "Ried, D", "2012", venue="Topics in Frogs"), SAME),
    # Titles of sections and series.
    (work("Preface", "Loam, Ann", "2018"), work("Preface", "Moor, Bo", "2018"), DIFFERENT),
    (work("Preface", "Loam, Ann", "2018"), work("Preface", "Loam, A.", "2018"), ASK),
    (work("Editorial"), work("Editorial", "Loam, A.", "2018"), ASK),
    (work("Annual report of the fen", "Stein, Cy", "2019"), work("Annual report of the fen", "Stein, Cy", "2020"), ASK),
    (work("Reminiscences on influential papers", "Ross, K.", "2002", venue="SIGMOD Record"), work("Reminiscences on influential papers", "Ross, K.", "2001", venue="ACM SIGMOD Record"), ASK),
    (work("Wet sensors of peat", "Ross, K.", "2002", venue="arXiv"), work("Wet sensors of peat", "Ross, K.", "2003", venue="Peat Letters"), SAME),
    # The same title; databases sort authors in different ways.
    (work(FROGS, "Liskov, Barbara; Adya, Atul; Gruber, Robert", "1995"), work(FROGS, "Adya, A.; Gruber, R.; Liskov, B.", "1995"), SAME),
    (work("CO2 uptake of Sphagnum in 3–4 bogs", "B. Moor", "2022"), work("CO₂ uptake of Sphagnum in 3-4 bogs", "Moor, Bo", "2022"), SAME),
    (work(FROGS), work(f"{FROGS}.", "Ried, Di", "2018"), SAME),
    (work(FROGS, "Ried, Di", "2010"), work(FROGS, "Ried, Di", "2018"), ASK),
    (work(FROGS, "Ried, Di", "2018"), work(FROGS, "Loam, Ann", "2018"), ASK),
    (work(FROGS, "Öst, Åsa", "2018"), work(FROGS, "Åsa Ost", "2018"), SAME),
    # Nearly the same title: spelling, and nothing that means something else.
    (work("Modelling colour of peat", "Ried, Di", "2020"), work("Modeling color of peat", "Ried, D", "2021"), SAME),
    (work("Modelling colour of peat", "Ried, Di", "2020"), work("Modeling color of peat"), ASK),
    (work("Garbage collection of large object store", "Ried, Di", "2020"), work("Garbage collection of a large object store", "Ried, Di", "2020"), SAME),
    (work("Modelling colour of peat", "Ried, Di", "2020"), work("Modeling color of peat", "Ried, D", "2025"), ASK),
    (work("Peat of Austria: a survey of moss", "Ried, Di", "2020"), work("Peat of Australia: a survey of moss", "Ried, Di", "2020"), ASK),
    (work("Wet feet in older men of the fens", "Ried, Di", "2020"), work("Wet feet in older women of the fens", "Ried, Di", "2020"), ASK),
    (work("中国湿地研究的现状与展望", "王, 伟", "2020"), work("英国湿地研究的现状与展望", "王, 伟", "2020"), ASK),
    (work("Wetlands of China", "Ried, Di", "2024"), work("Wetlands of Chile", "Ried, Di", "2024"), DIFFERENT),
    (work("", "Ried, Di", "2024"), work("", "Ried, Di", "2024"), DIFFERENT),
]
# fmt: on


@pytest.mark.parametrize(("one", "other", "verdict"), CASES)
def test_two_descriptions(one, other, verdict):
    assert compare(one, other).verdict == verdict, compare(one, other).reason
    assert compare(other, one) == compare(one, other)
