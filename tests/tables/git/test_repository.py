"""The history of a data folder, and names that a user gives for its states."""

import pytest

from corpus.model.finding import CorpusError, UsageProblem
from corpus.tables.git.repository import Repository, named_snapshot
from tests.corpora.full import add_sensor, repository
from tests.support.repository import commit_all, git


@pytest.fixture(scope="module")
def history(tmp_path_factory):
    """A repository with three commits, of which two touch the data; the second is tagged."""
    root = tmp_path_factory.mktemp("history")
    data = repository(root)
    add_sensor(data, "fern", name="Ferns")
    (data / "link.csv").symlink_to("sensors.csv")
    commit_all(root, "Add ferns")
    git(root, "tag", "v1")
    (root / "README.md").write_text("Sensors.\n", "utf-8")
    commit_all(root, "Tell of sensors")
    return data


def test_the_commits_of_the_data_are_listed_oldest_first(history):
    found = Repository(str(history)).revisions()
    assert [revision.subject for revision in found] == ["start", "Add ferns"]
    assert [len(revision.commit) for revision in found] == [40, 40]
    assert [revision.label for revision in found] == [revision.commit[:7] for revision in found]
    assert all(revision.date[:2] == "20" for revision in found)


@pytest.mark.parametrize(
    "name", ["--output=evil", "-h", "nowhere", "HEAD:data", "a\0b", "v1..HEAD"]
)
def test_a_name_is_never_an_option_and_means_a_commit(history, name):
    with pytest.raises(UsageProblem):
        Repository(str(history)).resolve(name)
    assert not (history / "evil").exists()


def test_a_state_is_read_as_it_was_without_links(history):
    repository = Repository(str(history))
    assert repository.inside == "data"
    opener = repository.opener(repository.resolve("v1"))
    assert opener("link.csv") is None
    assert opener("sensors.csv") == (history / "sensors.csv").read_bytes()
    now = named_snapshot("v1", str(history))
    before = named_snapshot("v1~1", str(history))
    assert len(now.corpus.pool.rows) == len(before.corpus.pool.rows) + 1
    assert now.corpus.pool.file == "data/sensors.csv"
    assert not repository.shallow_advice()


def test_a_commit_without_a_corpus_is_nothing_to_compare_with(history, tmp_path):
    git(tmp_path, "init", "-q", "-b", "main", ".")
    (tmp_path / "data").mkdir()
    commit_all(tmp_path)
    with pytest.raises(UsageProblem, match=r"data/codebook\.toml"):
        named_snapshot("HEAD", str(tmp_path / "data"))


def test_a_branch_is_compared_with_where_it_left_the_default_branch(tmp_path):
    data = repository(tmp_path)
    start = git(tmp_path, "rev-parse", "HEAD")
    day = git(tmp_path, "log", "-1", "--format=%cs")
    assert Repository(str(data)).merge_base() == (start, f"main of {day}")
    git(tmp_path, "switch", "-q", "-c", "ferns")
    commit_all(tmp_path, "on the branch")
    git(tmp_path, "switch", "-q", "main")
    later = commit_all(tmp_path, "on main") or git(tmp_path, "rev-parse", "HEAD")
    git(tmp_path, "switch", "-q", "ferns")
    assert Repository(str(data)).merge_base() == (start, f"merge base with main of {day}")
    # In a fork, its own default branch may be old.
    git(tmp_path, "merge", "-q", "main")
    git(tmp_path, "update-ref", "refs/remotes/origin/main", start)
    assert Repository(str(data)).merge_base() == (start, f"origin/main of {day}")
    git(tmp_path, "update-ref", "refs/remotes/upstream/main", later)
    assert Repository(str(data)).merge_base() == (later, f"upstream/main of {day}")


def test_a_folder_outside_of_a_repository_is_told_so(tmp_path):
    with pytest.raises(UsageProblem):
        Repository(str(tmp_path))


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
    return Repository(str(commits.data))


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
    assert codes(commit, Repository(str(data))) == [("C202", "sensors.csv")]
