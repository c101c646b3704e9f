"""Read any foreign file: find out what it is, and call the reader of that format."""

from __future__ import annotations

import json
import re
from pathlib import PurePath

from corpus.curation.importing.readers import import_rules as rules
from corpus.curation.importing.readers.content import decode_foreign, read_foreign_bytes
from corpus.curation.importing.readers.formats import FORMATS, format_of, reader_of
from corpus.curation.importing.readers.records import Records, without_long_cells
from corpus.curation.importing.readers.screening_notes import split_screening_notes
from corpus.curation.importing.source_count import count_source
from corpus.model.finding import CorpusError
from corpus.model.limits import MAX_COLUMNS


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
        A key of :data:`~corpus.curation.importing.readers.formats.FORMATS`; found out from the file
        where not given.
    encoding : str, optional
        Encoding of a text file; recognised where not given.
    sheet : str, optional
        Sheet of a workbook.

    Raises
    ------
    CorpusError
        I101 to I105, I108 and I109 where there is nothing to import.
    """
    data = read_foreign_bytes(path, shown)
    file = PurePath(path)
    table = _packaged_table(data) if file.name == "datapackage.json" else ""
    if table:
        shown = str(PurePath(shown).with_name(table))
        return read_foreign(str(file.with_name(table)), shown, encoding="utf-8")
    format_ = FORMATS[name] if name else format_of(file.suffix, data)
    if format_.how:
        raise rules.NOT_SUPPORTED.error(shown, what=format_.name, how=format_.how)
    read = reader_of(format_)
    text = ""
    if format_.name == "excel":
        records = read(data, shown, sheet)
    else:
        text, remark = decode_foreign(data, shown, encoding)
        records = read(text, shown)
        if remark:
            records.remarks.insert(0, remark)
    records = without_long_cells(records, shown)
    records = records._replace(source=count_source(data, text, format_.name))
    if len(records.columns) > MAX_COLUMNS:
        found, limit = f"{len(records.columns):,}", f"{MAX_COLUMNS:,}"
        raise rules.TOO_WIDE.error(shown, found=found, limit=limit)
    if not records.rows:
        why = "; ".join([records.format, *records.remarks])
        raise CorpusError([*records.findings, rules.NO_RECORDS.at(shown, format=why)])
    return split_screening_notes(records)


def _packaged_table(data: bytes) -> str:
    """Return the first table that a data package describes: of our exports, the pool.

    Empty where there is none beside the description.
    """
    try:
        names = [str(each["path"]) for each in json.loads(data)["resources"]]
    except (ValueError, LookupError, TypeError):
        return ""
    tables = [name for name in names if re.fullmatch(r"[\w-]+\.(?:csv|tsv|xlsx|json)", name)]
    return next(iter(tables), "")
