"""Small files of programs and people, and the cells that they become: one kind of input per row."""

import bz2
import gzip
import io
import zipfile

import openpyxl
import pyarrow
import pytest

from corpus.curation.importing.foreign_file import ForeignFile
from corpus.curation.importing.readers.reading import read_foreign


def rows_of(tmp_path, name, data):
    path = tmp_path / name
    path.write_bytes(data if isinstance(data, bytes) else data.encode("utf-8"))
    file = ForeignFile(read_foreign(str(path), name))
    imported = file.tables("source")
    file.summaries(imported)
    header = [column.name for column in imported.columns]
    rows = [dict(zip(header, row, strict=True)) for row in imported.rows]
    return rows, file, imported


def ris(*records):
    return "".join(f"TY  - {record.replace('; ', chr(10))}\nER  - \n\n" for record in records)


def bib(fields):
    return f"@article{{a1, title={{Peat of the fen}}, year=2001, {fields}}}\n"


def linked(column, address):
    """A workbook whose second column has words that link to an address."""
    book = openpyxl.Workbook()
    book.active.append(["Title", column, "Year"])
    book.active.append(["Peat of the fen", "words", 2020])
    book.active["B2"].hyperlink = address
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


# fmt: off
CASES = [
    # One field of a record: the first filled one by rank.
    ("r.ris", ris("JOUR; T1  - P; AU  - Silt, Dee; A1  - Silt, Dee; PY  - 2002", "JOUR; T1  - M; A1  - Acker, Ed; Y1  - 2004//"),
     [{"authors": "Silt, Dee", "year": "2002"}, {"authors": "Acker, Ed", "year": "2004"}]),
    ("r.ris", ris("CONF; TI  - P; T2  - Symposium on Peat; JO  - Symp Peat", "JOUR; TI  - M; JO  - Journal of Mires", "JOUR; TI  - F; JF  - Fens; JA  - Fens"),
     [{"venue": "Symposium on Peat", "journal_name": "Symp Peat"}, {"venue": "Journal of Mires"}, {"venue": "Fens"}]),
    ("r.ris", ris("JOUR; TI  - P; Y2  - 2024/02/19; Y1  - 2016/10/19; PY  - 2016; N2  - Wet.; AB  - Wet.; M3  - doi: 10.1234/j.1", "JOUR; TI  - M; Y2  - 2020/02/19"),
     [{"year": "2016", "first_public": "2016-10-19", "abstract": "Wet.", "doi": "10.1234/j.1"}, {"year": "", "first_public": ""}]),
    ("r.ris", ris("BOOK; BT  - Book of fens; A1  - Silt, D.", "CHAP; TI  - Moss; BT  - Book of fens"),
     [{"title": "Book of fens", "authors": "Silt, D."}, {"title": "Moss", "venue": "Book of fens"}]),
    ("r.ris", "DB  - McK\nTI  - Frogs\nTY  - JOUR\nPY  - 2006\nER  - \n\nTI  - Toads\nTY  - JOUR\nPY  - 2007\nER  - \n",
     [{"title": "Frogs", "year": "2006"}, {"title": "Toads", "year": "2007"}]),
    ("b.bib", "@inproceedings{a, title={P}, booktitle={Proc. of Peat}, journal={LNCS}}\n@article{b, title={M}, journal={Toads}}\n@phdthesis{c, title={T}, school={Fen University}}",
     [{"venue": "Proc. of Peat"}, {"venue": "Toads"}, {"venue": "Fen University"}]),
    ("c.json", '[{"title": "P", "issued": {"raw": "2024 Feb 21"}, "author": [{"literal": "Institute of Fens, Bogs"}]}, {"title": "M", "issued": [{"year": 1950}]}]',
     [{"first_public": "2024-02-21", "authors": "{Institute of Fens, Bogs}"}, {"year": "1950"}]),
    ("e.csv", "Title,Source\nPeat of the fen,Fens (2019) 12:3\n", [{"year": "2019"}]),
    # Text: commands, dollars, markup, joiners.
    ("b.bib", bib(r"note={A \texttt{Lib} of \$5 and \$6}, abstract={See \mbox{Multi-Agent} $x_1$}"), [{"notes": "A Lib of $5 and $6", "abstract": "See Multi-Agent x_1"}]),
    ("h.csv", 'Title,Year\n"CO<sub>2</sub> of <i>Rana</i> &amp; fens",2020\n', [{"title": "CO2 of Rana & fens"}]),
    ("z.csv", "Title,Year\nشبکه‌های wet\u200bland 👨‍👩‍👧,2020\n", [{"title": "شبکه‌های wetland 👨‍👩‍👧"}]),
    ("x.csv", "Title,Year,Topic,Venue\nPeat of the fen,#N/A,#NAME?,#REF!\nMoss of it,2020,a,b\n", [{"year": "", "topic": "", "venue": ""}, {"topic": "a"}]),
    # Names.
    ("b.bib", bib("author={family=Deursen, given=Alex, prefix=van, useprefix=true and {Barnes and Noble, Inc.} and others}"), [{"authors": "van Deursen, Alex; {Barnes and Noble, Inc.}; et al."}]),
    ("n.csv", 'Title,Authors\nP,"Zhong, Z.; Hu, Z.; Zhong, Z."\nM,王小明；李雷\n', [{"authors": "Zhong, Z.; Hu, Z.; Zhong, Z."}, {"authors": "王小明; 李雷"}]),
    ("b.bib", bib("author={ and Ward, Ann and}"), [{"authors": "Ward, Ann"}]),
    ("b.bib", bib(r"author={Ward, Ann \and Moor, Bo, and Sand, Cy}"), [{"authors": "Ward, Ann; Moor, Bo; Sand, Cy"}]),
    ("b.bib", bib("author={Ann Ward, Bo Moor, Cy Sand}"), [{"authors": "Ward, Ann; Moor, Bo; Sand, Cy"}]),
    ("b.bib", bib("author={Ward, Ann; Moor, Bo}"), [{"authors": "Ward, Ann; Moor, Bo"}]),
    ("b.bib", bib("author={Ward, A. & Moor, B.}"), [{"authors": "Ward, A.; Moor, B."}]),
    ("b.bib", bib("author={山田 太郎 and 李, 雷}"), [{"authors": "山田 太郎; 李, 雷"}]),
    ("b.bib", bib("author={The ATLAS Collaboration and Microsoft Research and Ward, Ann and al.}"), [{"authors": "The ATLAS Collaboration; Microsoft Research; Ward, Ann; et al."}]),
    ("b.bib", bib(r"author={Ward, Ann$^{1}$ and Moor, Bo\textsuperscript{2} and Sand, Cy\thanks{x}}"), [{"authors": "Ward, Ann; Moor, Bo; Sand, Cy"}]),
    ("a.json", '[{"title": "P", "authors": ["Ward A, Moor B"]}, {"title": "M", "author": [{"given": "Cher"}]}]', [{"authors": "Ward, A; Moor, B"}, {"authors": "Cher"}]),
    ("r.ris", ris("JOUR; TI  - P; A1  - Ward,Ann; A1  - Moor,Bo,Jr.; ED  - Sand, Cy; KW  - peat; KW  - moss"),
     [{"authors": "Ward, Ann; Moor Jr., Bo", "editors": "Sand, Cy", "keywords": "moss; peat"}]),
    ("r.ris", "TY  - JOUR\nTI  - P\nKW  - peat; moss\nKW  - fen (wet; cold)\nER  - \n", [{"keywords": "fen_wet_cold; moss; peat"}]),
    ("r.ris", "ty  - JOUR\nau  - Ward, Ann\nti  - Peat\npy  - 2020\ner  - \n", [{"title": "Peat", "authors": "Ward, Ann", "year": "2020"}]),
    ("z.json", '[{"title": "P", "creators": [{"firstName": "Ann", "lastName": "Ward", "creatorType": "author"}, {"firstName": "Cy", "lastName": "Sand", "creatorType": "editor"}]}]',
     [{"authors": "Ward, Ann", "editor": "Sand, Cy"}]),
    ("a.jsonl", '{"title": "P", "authors": [{"first": "Ann", "last": "Ward"}, {"given_name": "Bo", "family_name": "Moor"}]}', [{"authors": "Ward, Ann; Moor, Bo"}]),
    ("p.csv", "Title,Authors\nP,\"[{'name': 'Ann Ward'}, {'name': 'Bo Moor'}]\"\n", [{"authors": "Ward, Ann; Moor, Bo"}]),
    ("p.csv", 'Title,Authors\nP,"Ward AB, Moor B; Fen Study Group."\nM,"Moor B, de Vries C, van den Berg DE."\n',
     [{"authors": "Ward, AB; Moor, B; Fen Study Group"}, {"authors": "Moor, B; de Vries, C; van den Berg, DE"}]),
    # Dates: the year is never lost, and a written one wins.
    ("d.csv", "Title,Date\nP,02.01.2020\nM,2-Jan-20\nF,20200102\nB,02-01-2020\nT,1 февраля 2020\n",
     [{"first_public": "2020-01-02"}, {"first_public": "2020-01-02"}, {"first_public": "2020-01-02"}, {"year": "2020", "first_public": "2020"}, {"first_public": "2020-02-01"}]),
    ("b.bib", "@article{a, title={P}, date={2010-12-30/2011-01-02}}\n@article{b, title={M}, year={1982--1983}}\n@misc{c, title={F}, year=2001, eprint={math.GT/0309136}}",
     [{"first_public": "2010-12-30", "year": "2010"}, {"year": "1982"}, {"year": "2001", "first_public": ""}]),
    # Identifiers and addresses.
    ("b.bib", bib("eprint={0309136}, archiveprefix={arXiv}, primaryclass={math}"), [{"arxiv_id": "math/0309136"}]),
    ("b.bib", bib("eprint={2004.12345}, eprinttype={jstor}, journal=AIJ"), [{"arxiv_id": "", "venue": "AIJ"}]),
    ("w.ris", "PT J\nTI Peat of the fen\nPY 2020\nER\n\nEF\n", [{"title": "Peat of the fen", "year": "2020"}]),
    ("b.bib", bib(r"url={https://doi.org/10.1021%2Facs.5c}"), [{"doi": "10.1021/acs.5c"}]),
    ("b.bib", bib(r"doi={10.1002/a{\textless}1{\textgreater}3}"), [{"doi": "10.1002/a<1>3", "url": "https://doi.org/10.1002/a%3C1%3E3"}]),
    ("b.bib", bib(r"howpublished={Available at \url{https://fen.example/}}"), [{"url": "https://fen.example/", "venue": "", "notes": "Available at"}]),
    ("b.bib", bib(r"howpublished={\href{https://fen.example/a}{Blog of fens}}"), [{"url": "https://fen.example/a", "venue": "Blog of fens"}]),
    ("b.bib", bib(r"shortjournal={J. Fens}"), [{"venue": "J. Fens"}]),
    ("s.csv", "Title,Zeitschrift,Abstract\nP,Fenn,[No abstract available]\nM,Moor,Wet.\n", [{"venue": "Fenn", "abstract": ""}, {"venue": "Moor"}]),
    ("t.csv", "Title,DOI,URL\nP,10.1234/a.1; 10.1234/b.1,https://a.example/1;http://b.example/1\n",
     [{"doi": "10.1234/a.1", "notes": "DOI: 10.1234/a.1; 10.1234/b.1", "url": "https://a.example/1 ; http://b.example/1"}]),
    # The address of what was published with a work is not the work's.
    ("s.csv", "Title,Year,Code\nPeat,2019,https://code.example/1\nMoss,2020,https://code.example/2\n", [{"url": "", "code": "https://code.example/1"}, {"url": ""}]),
    ("s.csv", "Title,Year,Homepage\nPeat,2019,https://fen.example/1\nMoss,2020,https://fen.example/2\n", [{"url": "https://fen.example/1"}, {}]),
    # A link behind another cell than title, DOI or link is that of something else.
    ("w.xlsx", linked("Tool", "https://tool.example/"), [{"url": "", "tool_link": "https://tool.example/"}]),
    ("w.xlsx", linked("Paper", "https://fen.example/"), [{"url": "https://fen.example/"}]),
    # Files: packed, without a mark, brackets in quotation marks.
    ("r.ris.gz", gzip.compress(ris("JOUR; TI  - Peat").encode()), [{"title": "Peat"}]),
    ("r.ris.bz2", bz2.compress(ris("JOUR; TI  - Peat").encode()), [{"title": "Peat"}]),
    ("r.ris.zst", pyarrow.compress(ris("JOUR; TI  - Peat").encode(), "zstd", asbytes=True), [{"title": "Peat"}]),
    ("b.bib", bib("author={Göttlich, Čelik}").encode("utf-16-le"), [{"authors": "Göttlich, Čelik"}]),
    ("b.bib", '@article(a, title="Smile :) at the moss", year=1974)\n@article(b, title={Moss (Part I)}, year=1975)',
     [{"title": "Smile :) at the moss"}, {"title": "Moss (Part I)"}]),
    # Lists: a quoted text is the title, a label at its beginning is part of it.
    ("l.md", '# L\n\n- "Data: the neglected half of soil" [2024-03] [Soil 2023] [[paper](https://arxiv.org/abs/2403.00014)]\n\n'
             '- **Till** (MLM): "Till: a model of till" [2020-02] [[paper](https://arxiv.org/abs/2002.00003)]\n\n- Model: peat as a prior [[paper](https://arxiv.org/abs/2403.00013)]\n',
     [{"title": "Data: the neglected half of soil", "first_public": "2024-03", "venue": "Soil 2023"}, {"title": "Till: a model of till"}, {"title": "Model: peat as a prior"}]),
    ("l.md", "# L\n\n1. Ward, A., & Moor, B. (2020). Peat in wet fens. *Fens*, 3. https://doi.org/10.1234/m.1\n- [2020.05] [ICML'20] Moss: a survey | [Paper](https://arxiv.org/abs/2005.00001)\n",
     [{"title": "Peat in wet fens", "authors": "Ward, A.; Moor, B.", "year": "2020", "doi": "10.1234/m.1"}, {"title": "Moss: a survey", "venue": "ICML'20", "first_public": "2020-05"}]),
    ("l.md", '# L\n\n| Date | Benchmark | Source |\n|---|---|---|\n| 2018-02 | MudBench | "MudBench: a corpus of mud" [[paper](https://arxiv.org/abs/1802.00005)] |\n',
     [{"title": "MudBench: a corpus of mud", "arxiv_id": "1802.00005"}]),
]
# fmt: on


@pytest.mark.parametrize(("name", "data", "expected"), CASES, ids=map(str, range(len(CASES))))
def test_a_file_becomes_these_cells(tmp_path, name, data, expected):
    rows, _, _ = rows_of(tmp_path, name, data)
    found = []
    for row, wanted in zip(rows, expected, strict=True):
        found.append({column: row.get(column, "") for column in wanted})
    assert found == expected


@pytest.mark.parametrize(
    ("date", "reading"),
    [
        ("02-01-2020", "2020-01-02 or 2020-02-01"),
        ("1/2/20", "2020-02-01 or 2020-01-02"),
        ("Mar-20", "2020-03"),
        ("44000", "2020-06-18"),
    ],
)
def test_what_is_ambiguous_is_reported_with_its_readings(tmp_path, date, reading):
    _, _, imported = rows_of(tmp_path, "d.csv", f"Title,Date\nPeat,{date}\n")
    assert any(reading in finding.message for finding in imported.unplaced)


CELL = '<table:table-cell office:value-type="string"><text:p>{}</text:p></table:table-cell>'
SPREADSHEET = """<?xml version="1.0"?><office:document-content office:version="1.2"
 xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
 xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"
 xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0">
<office:body><office:spreadsheet><table:table table:name="Papers">{}</table:table>
</office:spreadsheet></office:body></office:document-content>"""

MANIFEST = """<?xml version="1.0"?>
<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0">
<manifest:file-entry manifest:full-path="/"
 manifest:media-type="application/vnd.oasis.opendocument.spreadsheet"/></manifest:manifest>"""


def opendocument(*rows):
    lines = []
    for row in rows:
        lines.append(f"<table:table-row>{''.join(map(CELL.format, row))}</table:table-row>")
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("META-INF/manifest.xml", MANIFEST)
        archive.writestr("content.xml", SPREADSHEET.format("".join(lines)))
    return buffer.getvalue()


@pytest.mark.parametrize("name", ["papers.ods", "papers"])
def test_a_spreadsheet_of_opendocument_is_read_under_any_name(tmp_path, name):
    data = opendocument(("Title", "Year"), ("Peat", "2020"))
    (row,), file, _ = rows_of(tmp_path, name, data)
    assert (row["title"], row["year"], file.kept[0].place) == ("Peat", "2020", 2)
