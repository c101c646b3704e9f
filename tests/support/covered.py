"""Other people's lists for the tests of coverage, and a corpus with candidates and verdicts."""

from corpus.curation.coverage.coverage import WorkList
from corpus.model.work import Work
from corpus.tables.corpus_reader import load_corpus
from tests.support.searched import COVERAGE, write_searched


def a_list(name, *works):
    """Return a list of titles, or of titles with an arXiv id and a year."""
    listed = []
    for place, item in enumerate(works, 2):
        title, arxiv, year = (*item, "", "")[:3] if isinstance(item, tuple) else (item, "", "")
        listed.append(Work(place=place, title=title, year=year, arxiv=arxiv))
    return WorkList(name, tuple(listed), None, None, "")


def covered_study(tmp_path):
    """Return the full corpus with a candidate and three verdicts."""
    data = write_searched(tmp_path, "format = 1\n")
    book = data / "codebook.toml"
    book.write_text(f"{book.read_text('utf-8')}\n{COVERAGE}", "utf-8")
    (data / "coverage.csv").write_text(
        "record,list,version,date,title,year,identifier,verdict,reason\n"
        "r1,lit,,2026-01-01,Fitting fen,,,candidate,\n"
        "r2,lit,,2026-01-01,Dry dune,,,out_of_scope,\n"
        "r3,lit,,2026-01-01,Waiting for a verdict,2020,,,\n",
        "utf-8",
    )
    with (data / "candidates.csv").open("a", encoding="utf-8") as table:
        table.write("a,Alder carr,,,,,,,wet,2026-01-01,\n")
    return load_corpus(str(data))
