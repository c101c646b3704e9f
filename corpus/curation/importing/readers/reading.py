"""Read any foreign file: its text, its format, the reader of that format, its screening notes.

The list of formats that can be imported, one reader each, is in `formats.toml`. A reader is
imported when its format is asked for. To add a format: a module with a function
``(text, shown) -> Records``, and a table in that file.
"""

import codecs
import io
import os
import re
import tomllib
from dataclasses import dataclass
from importlib import import_module
from pathlib import PurePath

from corpus.curation.importing.import_summary import count_source
from corpus.curation.importing.names import FILES, listed
from corpus.curation.importing.readers.records import NOT_SUPPORTED, Records, refuse_wide
from corpus.model.finding import CorpusError, Rule, UsageProblem
from corpus.tables.content import read_bytes
from corpus.tables.packing import DAMAGED, plain_name, read_unpacked

NOT_READABLE = Rule(
    "I101",
    "{problem}",
    "give a plain file that you may read",
    title="File cannot be read",
    reason="An import reads one file.",
)
TOO_LARGE = Rule(
    "I102",
    "the file has {size} MB, more than the {limit} MB that an import takes",
    "export fewer columns (no full texts), or import a part",
    title="File is too large to import",
    reason="A pool of a million works has less.",
)
UNKNOWN_ENCODING = Rule(
    "I103",
    "byte {value} is not valid {encoding}{guess}",
    "save the file as UTF-8, or name its encoding with --encoding",
    title="Encoding is not recognised",
    reason="Text in a wrongly guessed encoding shows other characters.",
)
NO_RECORDS = Rule(
    "I105",
    "the file has no records ({format})",
    "check the file, or name its format with --format",
    title="No records",
    reason="A corpus starts from at least one entry.",
)


@dataclass(frozen=True)
class ImportFormat:
    """One format of foreign files.

    Attributes
    ----------
    name : str
        What the user types after ``--format``.
    reader : str
        Module of this package and function that reads it: ``(text, shown) -> Records``, of
        workbooks ``(data, shown, sheet) -> Records``.
    endings : str
        Endings of its files, in lower case.
    start : str
        A pattern that is found in the first characters of such a file, where its ending does not
        decide; empty where it never does.
    how : str
        What to export instead, where the format is not read: it has no reader then, and `name` is
        what people call it.
    """

    name: str
    reader: str = ""
    endings: str = ""
    start: str = ""
    how: str = ""
    is_workbook: bool = False


_DECLARED = tomllib.loads((FILES / "formats.toml").read_text("utf-8"))
_KNOWN = [ImportFormat(name, **row) for name, row in _DECLARED.items()]
FORMATS = {known.name: known for known in _KNOWN if known.reader}


def format_of(ending: str, data: bytes) -> ImportFormat:
    """Return what a file is by the ending of its name, else by how it starts."""
    for known in _KNOWN:
        if ending.lower() in known.endings.split():
            return known
    start = data[:4000].decode("utf-8", "replace").lstrip("\ufeff \n\r\t")
    start = start.replace("\r\n", "\n").replace("\r", "\n")
    return next(known for known in _KNOWN if known.start and re.search(known.start, start))


def read_foreign(
    path: str,
    shown: str,
    *,
    name: str | None = None,
    encoding: str | None = None,
    sheet: str | None = None,
) -> Records:
    """Read the records of a file that another program wrote.

    Parameters
    ----------
    path : str
        The file.
    shown : str
        Its name in findings.
    name : str, optional
        A key of :data:`FORMATS`; found out from the file where not given.
    encoding : str, optional
        Encoding of a text file; recognised where not given.
    sheet : str, optional
        Sheet of a workbook.

    Raises
    ------
    CorpusError
        I101 to I105, I108 and I109 where there is nothing to import.
    """
    if os.path.isfile(path) and os.path.getsize(path) > MAX_BYTES:
        size = os.path.getsize(path) // 1_000_000
        raise TOO_LARGE.error(shown, size=size, limit=MAX_BYTES // 1_000_000)
    data, findings = read_bytes(path, shown)
    for finding in findings:
        raise NOT_READABLE.error(shown, problem=finding.message)
    try:
        data = read_unpacked(io.BytesIO(data), MAX_BYTES)
    except DAMAGED as error:
        raise NOT_READABLE.error(shown, problem=f"it is damaged ({error})") from None
    if len(data) > MAX_BYTES:
        problem = f"it unpacks to more than {MAX_BYTES // 1_000_000} MB"
        raise NOT_READABLE.error(shown, problem=problem)
    format_ = FORMATS[name] if name else format_of(PurePath(plain_name(path)).suffix, data)
    if format_.how:
        raise NOT_SUPPORTED.error(shown, what=format_.name, how=format_.how)
    module, _, function = format_.reader.partition(".")
    read = getattr(import_module(f"{__package__}.{module}"), function)
    text = ""
    records: Records
    if format_.is_workbook:
        records = read(data, shown, sheet)
    else:
        text, remark = decode_foreign(data, shown, encoding)
        records = read(text, shown)
        if remark:
            records.remarks.insert(0, remark)
    records = records.with_remarks()
    if not format_.is_workbook:
        records.counted = count_source(text, format_.name)
    refuse_wide(len(records.columns), shown)
    if not records.rows:
        why = "; ".join([records.format, *records.remarks])
        raise CorpusError([*records.findings, NO_RECORDS.at(shown, format=why)])
    return records


#: Importing takes about ten times the size of the file in memory.
MAX_BYTES = 100_000_000
_MARKS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
#: What people's programs write, the most usual first; charset-normalizer chooses among these only,
#: so that a short text is not taken for an exotic one.
_USUAL = listed(
    "cp1252, cp1250, cp1251, cp1253, cp1254, cp1255, cp1256, cp1257, "
    "mac_roman, koi8_r, cp932, euc_jp, gb18030, big5, cp949, cp437, cp850"
)
#: Up to this place a file is looked at for bytes that no text has.
_LOOKED_AT = 100_000


def decode_foreign(data: bytes, shown: str, encoding: str | None = None) -> tuple[str, str]:
    """Decode by the byte order mark, as UTF-8, or by what charset-normalizer recognises.

    Parameters
    ----------
    data : bytes
        The file.
    shown : str
        Its name in findings.
    encoding : str, optional
        The encoding that the user names; it must fit then.

    Returns
    -------
    tuple of (str, str)
        The text with LF line ends, and a remark where the encoding was guessed.

    Raises
    ------
    CorpusError
        I103 where no encoding fits.
    UsageProblem
        Where the named encoding does not exist.
    """
    remark = ""
    marked = next((name for mark, name in _MARKS.items() if data.startswith(mark)), "")
    known = encoding or marked or _utf16(data[:_LOOKED_AT])
    if known and not (encoding or marked):
        remark = f"read as {known.upper()}, which has no mark at its beginning"
    if not known and b"\0" in data[:_LOOKED_AT]:
        raise _wrong(data, data.index(b"\0"), shown, "text", ", the file is not a text")
    if not encoding and marked not in ("", "utf-8"):
        remark = f"read as {marked.upper()}"
    try:
        text = data.decode(known or "utf-8")
    except UnicodeDecodeError as error:
        guess = known or _guess(data)
        if guess in ("", known):
            raise _wrong(data, error.start, shown, (known or "utf-8").upper(), "") from None
        text = data.decode(guess)
        remark = f"not UTF-8; read as {guess}. "
        remark += "Where letters look wrong, start again with --encoding NAME"
    except (LookupError, UnicodeError):  # Python has an encoding named "undefined"
        problem = f"there is no encoding {encoding!r}; usual: utf-8, cp1252, gb18030"
        raise UsageProblem(problem) from None
    # A mark that is left would be part of the first cell, before its quotation mark.
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n"), remark


def _utf16(data: bytes) -> str:
    """Return which UTF-16 a text without a byte order mark is in, or an empty text.

    Every other byte of what people write in Latin letters is zero then.
    """
    even, odd = data[::2], data[1::2]
    for zeros, others, name in ((odd, even, "utf-16-le"), (even, odd, "utf-16-be")):
        if zeros.count(0) > 0.4 * len(zeros) and others.count(0) < 0.1 * len(others) and others:
            return name
    return ""


def _guess(data: bytes) -> str:
    """Return the usual encoding that fits best, or an empty text where none fits.

    Of several that fit alike it is the most usual. Western and Central European letters share their
    bytes, and either reading looks like text.
    """
    from charset_normalizer import from_bytes

    found = from_bytes(data, cp_isolation=[*_USUAL], threshold=0.35)
    best = found.best()
    if best is None:
        return ""
    likeness = (best.chaos, best.coherence)
    alike = {each.encoding for each in found if (each.chaos, each.coherence) == likeness}
    return min(alike & {*_USUAL}, key=_USUAL.index, default=str(best.encoding))


def _wrong(data: bytes, position: int, shown: str, encoding: str, guess: str) -> CorpusError:
    line = data.count(b"\n", 0, position) + 1
    value = f"0x{data[position]:02x}"
    return UNKNOWN_ENCODING.error(shown, line, value=value, encoding=encoding, guess=guess)
