"""An entry was added by the first release that has it, else by the first commit; the feed has that order."""

from datetime import date

from defusedxml.ElementTree import fromstring

from corpus.analysis.history.added import added_days
from corpus.publishing.export.feed import atom
from corpus.tables.corpus_reader import load_corpus
from tests.corpora.full import full
from tests.support.published import write_published
from tests.support.repository import commit_all, git
from tests.support.searched import write_searched


def add(table, row):
    table.write_text(f"{table.read_text('utf-8')}{row}\n", "utf-8")


def test_a_release_a_commit_or_today_tells_when_an_entry_was_added(tmp_path, monkeypatch):
    data = write_published(tmp_path / "data", traces=False)
    pool = data / "pool.csv"
    git(tmp_path, "init", "-q")
    commits = {"2026-06-01": [], "2026-06-02": ["late-a"], "2026-07-03": ["late-b", "late-c"]}
    for day, keys in commits.items():
        for key in keys:
            add(pool, f"{key},{pool.read_text('utf-8').splitlines()[1].partition(',')[2]}")
        monkeypatch.setenv("GIT_AUTHOR_DATE", f"{day}T12:00:00")
        monkeypatch.setenv("GIT_COMMITTER_DATE", f"{day}T12:00:00")
        commit_all(tmp_path)
    add(pool, f"later,{pool.read_text('utf-8').splitlines()[1].partition(',')[2]}")
    days = added_days(load_corpus(str(data)))
    assert days["maporl"] == "2026-05-04"
    late = {key: day for key, day in days.items() if day != "2026-05-04"}
    today = date.today().isoformat()
    wanted = {
        "late-a": "2026-06-02",
        "late-b": "2026-07-03",
        "late-c": "2026-07-03",
        "later": today,
    }
    assert late == wanted


def test_without_releases_and_git_no_day_is_guessed(tmp_path):
    assert set(added_days(full()).values()) == {""}
    data = write_searched(tmp_path, "format = 1\n")
    assert set(added_days(load_corpus(str(data))).values()) == {""}


def test_candidates_are_in_the_feed_by_the_day_they_were_found(tmp_path):
    data = write_searched(tmp_path, "format = 1\n")
    table = data / "candidates.csv"
    for key, title, day in (("c-1", "Peat & moss", "2026-03-04"), ("c-2", "Fen", "2026-04-05")):
        cells = {
            "candidate": key,
            "title": title,
            "found_on": day,
            "found_in": "wet",
            "doi": "10.1234/x",
        }
        header = table.read_text("utf-8").splitlines()[0].split(",")
        add(table, ",".join(cells.get(name, "") for name in header))
    feed = fromstring(atom(load_corpus(str(data))))
    space = "{http://www.w3.org/2005/Atom}"
    shown = [
        (entry.findtext(f"{space}title"), entry.findtext(f"{space}updated")[:10])
        for entry in feed.findall(f"{space}entry")
    ]
    assert shown[:2] == [("Fen", "2026-04-05"), ("Peat & moss", "2026-03-04")]
    assert feed.findtext(f"{space}updated")[:10] == "2026-04-05"
    assert feed.find(f"{space}entry/{space}category").get("term") == "to be decided"
    assert feed.find(f"{space}entry/{space}link").get("href") == "https://doi.org/10.1234/x"
