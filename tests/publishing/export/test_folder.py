import os

import pytest

from corpus.model.finding import UsageProblem
from corpus.publishing.export.folder import MARKER, refuse_own_files, write_folder
from corpus.tables.corpus_reader import load_corpus


def test_a_second_export_replaces_and_removes_only_what_the_first_wrote(tmp_path):
    folder = tmp_path / "out"
    write_folder(str(folder), {"a.txt": b"1", "sub/b.txt": b"2"})
    (folder / "mine.txt").write_text("mine")
    write_folder(str(folder), {"a.txt": b"3"})
    assert sorted(os.listdir(folder)) == [MARKER, "a.txt", "mine.txt"]
    about, *listed = (folder / MARKER).read_text().splitlines()
    assert about.startswith("# ")
    assert listed == ["a.txt"]
    assert (folder / "a.txt").read_bytes() == b"3"


def test_a_folder_of_somebody_else_is_left_alone(tmp_path):
    (tmp_path / "thesis.tex").write_text("years of work")
    with pytest.raises(UsageProblem):
        write_folder(str(tmp_path), {"a.txt": b"1"})
    assert os.listdir(tmp_path) == ["thesis.tex"]


def test_a_file_put_into_our_folder_is_not_overwritten(tmp_path):
    folder = tmp_path / "out"
    write_folder(str(folder), {"a.txt": b"1"})
    (folder / "b.txt").write_text("mine")
    with pytest.raises(UsageProblem):
        write_folder(str(folder), {"a.txt": b"2", "b.txt": b"2"})
    assert (folder / "a.txt").read_bytes() == b"1"
    assert (folder / "b.txt").read_text() == "mine"


def test_a_marker_cannot_lead_outside_the_folder(tmp_path):
    (tmp_path / "precious").write_text("x")
    folder = tmp_path / "out"
    folder.mkdir()
    (folder / MARKER).write_text(f"../precious\n{tmp_path}/precious\n")
    write_folder(str(folder), {"a.txt": b"1"})
    assert (tmp_path / "precious").read_text() == "x"


def test_an_empty_folder_may_be_used_and_a_file_may_not(tmp_path):
    (tmp_path / "empty").mkdir()
    write_folder(str(tmp_path / "empty"), {"a.txt": b"1"})
    (tmp_path / "file").write_text("x")
    with pytest.raises(UsageProblem):
        write_folder(str(tmp_path / "file"), {"a.txt": b"1"})


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
