import pytest

from corpus.model.finding import UsageProblem
from corpus.publishing.export.folder import refuse_own_files, write_folder
from corpus.tables.corpus_reader import load_corpus


def test_a_folder_is_written_new_or_empty_and_what_is_there_is_left_alone(tmp_path):
    files = {"a.txt": b"1", "sub/b.txt": b"2"}
    (tmp_path / "empty").mkdir()
    for folder in (tmp_path / "new" / "out", tmp_path / "empty"):
        write_folder(str(folder), files)
        with pytest.raises(UsageProblem):
            write_folder(str(folder), {"a.txt": b"3"})
        found = [path for path in folder.rglob("*") if path.is_file()]
        assert {path.relative_to(folder).as_posix(): path.read_bytes() for path in found} == files
    with pytest.raises(UsageProblem):
        write_folder(str(tmp_path / "empty" / "a.txt"), files)


@pytest.mark.parametrize("out", [
    "sensors.csv", "codebook.toml", "protocol.toml", ".", "x/../papers.csv",
])  # fmt: skip
def test_the_corpus_is_never_written_over(minimal, out):
    study = load_corpus(str(minimal))
    with pytest.raises(UsageProblem):
        refuse_own_files(study, str(minimal / out))
    (minimal.parent / "link").symlink_to(minimal)
    with pytest.raises(UsageProblem):
        refuse_own_files(study, str(minimal.parent / "link" / out))


@pytest.mark.parametrize("out", ["export", "sensors.csv.bak", "../sensors.csv", "a/sensors.csv"])
def test_an_export_may_be_beside_the_tables(minimal, out):
    refuse_own_files(load_corpus(str(minimal)), str(minimal / out))
