import codecs
import os

import pytest

from corpus.curation.importing.readers.reading import MAX_BYTES, decode_foreign, read_foreign
from corpus.model.finding import UsageProblem
from tests.support.imported import findings_of, refused

GERMAN = "Titel;Jahr\nÜber Böden und Gräser im Süden;2019\nMoorböden, größer als Äcker;2020\n"
RUSSIAN = "Название,Год\nВлажность почвы и датчики влажности,2019\nИзмерение солёности почвы,2020\n"
JAPANESE = (
    "題名,年\n土壌水分センサーの校正方法に関する研究,2019\n塩分濃度の光学的測定について,2020\n"
)


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (GERMAN, "cp1252"),
        (RUSSIAN, "cp1251"),
        (JAPANESE, "cp932"),
        (GERMAN, "utf-8"),
        (JAPANESE, "utf-8"),
    ],
)
def test_usual_encodings_are_recognised(text, encoding):
    read, remark = decode_foreign(text.encode(encoding), "f.csv")
    assert read == text
    assert bool(remark) == (encoding != "utf-8")


@pytest.mark.parametrize(
    ("mark", "encoding"),
    [
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
        (codecs.BOM_UTF32_LE, "utf-32-le"),
    ],
)
def test_byte_order_marks_are_obeyed_and_line_ends_are_made_plain(mark, encoding):
    read, _ = decode_foreign(mark + JAPANESE.replace("\n", "\r\n").encode(encoding), "f.csv")
    assert read == JAPANESE


def test_a_named_encoding_is_used_and_must_fit():
    assert decode_foreign(GERMAN.encode("cp850"), "f.csv", "cp850")[0] == GERMAN
    (found,) = findings_of(decode_foreign, GERMAN.encode("cp1252"), "f.csv", "utf-8")
    assert (found.code, found.line, found.value) == ("I103", 2, "0xdc")


@pytest.mark.parametrize("encoding", ["utf-8", "UTF-8", "utf-16-le"])
def test_a_mark_before_the_text_is_no_part_of_it_where_the_encoding_is_named(encoding):
    text = '"Title, long",Year\n'
    assert decode_foreign(f"\ufeff{text}".encode(encoding), "f.csv", encoding) == (text, "")


@pytest.mark.parametrize("encoding", ["klingon", "hex", "undefined"])
def test_an_encoding_that_does_not_exist_is_wrong_usage(encoding):
    with pytest.raises(UsageProblem):
        decode_foreign(b"x", "f.csv", encoding)


@pytest.mark.parametrize("data", [b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", b"a,b\n\0\0\n"])
def test_a_file_that_is_not_text_is_a_finding(data):
    assert refused(decode_foreign, data, "f.csv") == ["I103"]


def test_a_file_of_2_gb_is_refused_unread(tmp_path):
    file = tmp_path / "big.csv"
    with open(file, "wb") as handle:
        handle.truncate(2_000_000_000)
    (found,) = findings_of(read_foreign, str(file), "big.csv")
    assert found.code == "I102"
    assert "2000 MB" in found.message
    assert MAX_BYTES < 1_000_000_000


@pytest.mark.parametrize("place", ["missing.csv", "folder", "pipe"])
def test_a_path_that_is_not_a_plain_file_is_a_finding(tmp_path, place):
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    assert refused(read_foreign, str(tmp_path / place), place) == ["I101"]


def test_western_letters_are_read_as_such_where_others_would_do_as_well():
    text = "Title;Year\nÀ la tourbière où naître;2001\nGarçon, señor, Ångström;2002\n" * 5
    read, remark = decode_foreign(text.encode("cp1252"), "f")
    assert read == text
    assert "cp1252" in remark
    central = "Title;Year\nPříliš žluťoučký kůň úpěl ďábelské ódy;2001\nŁódź i Gdańsk;2002\n" * 5
    assert decode_foreign(central.encode("cp1250"), "f")[0] == central
