"""Reading a large table by columns with Arrow, by the strict reader's rules.

Arrow's CSV reader is lenient, so its result is taken only where everything about the file is plain:
valid encoding, line ends and quoting, the exact header, no blank line. In any other case the strict
reader reads the file again and reports what is wrong.
"""

from typing import Any

import pyarrow as pa
from pyarrow import csv

from corpus.model.codebook import TableSpec
from corpus.tables.fast.blocks import check_block, of_blocks
from corpus.tables.fast.plain import NotPlain

#: Bytes of a block: each call of the parser costs a millisecond (measured: a megabyte takes a
#: quarter longer, as do 16).
_BLOCK = 1 << 22
_PARSED = 2 * _BLOCK  # a block and the rest of its last row are parsed in one piece


def arrow_columns(path: str, spec: TableSpec, names: tuple[str, ...]) -> Any:
    """Return some columns of a file as an Arrow table of strings; None where it is not plain."""
    convert = csv.ConvertOptions(
        include_columns=list(names),
        column_types=dict.fromkeys(spec.header, pa.string()),
        strings_can_be_null=False,
        quoted_strings_can_be_null=False,
    )
    read = csv.ReadOptions(column_names=list(spec.header), block_size=_PARSED)

    def table(data: bytes) -> Any:
        block = check_block(data, with_commas=False)
        # The parser is twice as fast where it knows of no line break inside a cell.
        parse = csv.ParseOptions(newlines_in_values=block.has_breaks, ignore_empty_lines=False)
        return csv.read_csv(pa.BufferReader(block.text), read, parse, convert)

    try:
        return pa.concat_tables(list(of_blocks(path, spec, table, _BLOCK)))
    except (NotPlain, pa.ArrowInvalid, OSError):
        return None
