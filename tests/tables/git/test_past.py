"""The tables of a corpus at many revisions are those of their time, each version read once."""

import pytest

from corpus.model.finding import CorpusError
from corpus.tables.git.repository import PastTables, Repository
from tests.corpora.full import add_sensor, repository
from tests.support.repository import commit_all


class Commits:
    """A repository of five commits, by what each of them has done."""

    def __init__(self, root):
        (root / "README.md").write_text("Sensors.\n", "utf-8")
        self.data = repository(root)
        self.start = commit_all(root)
        add_sensor(self.data, "fern", name="Ferns")
        self.ferns = commit_all(root)
        (root / "README.md").write_text("More sensors.\n", "utf-8")
        self.readme = commit_all(root)
        book = self.data / "codebook.toml"
        whole = book.read_text("utf-8")
        book.write_text(whole.replace('id = "gas"', 'id = "fog"'), "utf-8")
        self.codebook = commit_all(root)
        (self.data / "sensors.csv").unlink()
        self.gone = commit_all(root)
        book.unlink()
        self.empty = commit_all(root)


@pytest.fixture(scope="module")
def commits(tmp_path_factory):
    return Commits(tmp_path_factory.mktemp("past"))


@pytest.fixture
def past(commits):
    return PastTables(Repository(str(commits.data)))


def pool(book):
    return [book.pool.name]


def test_a_version_of_a_file_is_read_once(commits, past):
    first = past.study(commits.ferns, pool)
    assert past.study(commits.readme, pool).pool is first.pool
    assert past.study(commits.readme, pool).codebook is first.codebook
    # The same file under another codebook is another table.
    assert past.study(commits.codebook, pool).codebook is not first.codebook


def codes(commit, past, needed=pool):
    with pytest.raises(CorpusError) as raised:
        past.study(commit, needed)
    return [(found.code, found.file) for found in raised.value.findings]


def test_what_is_missing_at_a_commit_is_a_finding(commits, past):
    assert codes(commits.gone, past) == [("C101", "sensors.csv")]
    assert codes(commits.empty, past) == [("C101", "codebook.toml")]


def test_a_state_that_cannot_be_counted_is_findings(tmp_path):
    data = repository(tmp_path)
    add_sensor(data, "fern", depth="abyss")
    commit = commit_all(tmp_path)
    assert codes(commit, PastTables(Repository(str(data)))) == [("C202", "sensors.csv")]
