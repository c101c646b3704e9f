"""Merged cells, links and open formulas of a sheet."""

import io
import zipfile

import pytest

from corpus.curation.importing.readers.sheet_parts import MergedRange, read_sheet_parts

RELATIONS = (
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    '<Relationship Id="rId1" Target="{target}"/></Relationships>'
)
BOOK = (
    '<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">'
    '<sheets><sheet name="Works" sheetId="1" r:id="rId1"/></sheets></workbook>'
)


def parts(
    content, target="worksheets/sheet1.xml", link="https://a.example/?x=1&amp;y=2", most=10_000
):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("xl/workbook.xml", BOOK)
        archive.writestr("xl/_rels/workbook.xml.rels", RELATIONS.format(target=target))
        archive.writestr("xl/worksheets/sheet1.xml", content)
        archive.writestr("xl/worksheets/_rels/sheet1.xml.rels", RELATIONS.format(target=link))
    return read_sheet_parts(buffer.getvalue(), most)


@pytest.mark.parametrize("target", ["worksheets/sheet1.xml", "/xl/worksheets/sheet1.xml"])
def test_merged_ranges_are_those_of_their_sheet(target):
    found = parts('<mergeCell ref="B2:AA4"/><mergeCell ref="C5:C5"/>', target)
    assert found["Works"].merged == (MergedRange(2, 2, 27, 4),)


def test_columns_merged_as_a_whole_and_ranges_without_end_are_left_out():
    content = '<mergeCell ref="A1:A1048576"/>' + '<mergeCell ref="A1:A20000"/>' * 60
    merged = parts(content)["Works"].merged
    assert merged == (MergedRange(1, 1, 1, 20_000),) * 50


@pytest.mark.parametrize(
    "content",
    [
        '<hyperlink ref="B3" r:id="rId1"/>',
        '<hyperlink r:id="rId1" ref="B3" display="x"></hyperlink>',
        '<c r="B3" t="str"><f>HYPERLINK("https://a.example/?x=1&amp;y=2","x")</f><v>x</v></c>',
        '<c r="B3"><f>hyperlink(&quot;https://a.example/?x=1&amp;y=2&quot;)</f><v>x</v></c>',
    ],
)
def test_a_link_has_its_row_column_and_address(content):
    assert parts(content)["Works"].links == {(3, 2): "https://a.example/?x=1&y=2"}


@pytest.mark.parametrize(
    ("content", "link"),
    [
        ('<hyperlink ref="B3" r:id="rId2"/>', "https://a.example"),
        ('<hyperlink ref="B3" r:id="rId1"/>', "file:///etc/passwd"),
        ('<hyperlink ref="B3" location="Other!A1"/>', "https://a.example"),
    ],
)
def test_what_leads_to_no_web_address_is_no_link(content, link):
    assert parts(content, link=link)["Works"].links == {}


def test_formulas_are_open_where_nothing_is_stored():
    content = (
        '<c r="A1"><f>B1</f></c><c r="A2"><f>B1</f><v></v></c><c r="A3"><f>B1</f><v/></c>'
        '<c r="A4"><f>B1</f><v>0</v></c><c r="A5" t="str"><f>B1</f><v></v></c><c r="A6"><v>1</v></c>'
    )
    assert parts(content)["Works"].open_formulas == (("A1", 1), ("A2", 2), ("A3", 3))


def test_a_sheet_beyond_the_limit_and_one_that_is_missing_have_no_parts():
    content = '<mergeCell ref="B2:B4"/>'
    assert list(parts(content, most=len(content))) == ["Works"]
    assert parts(content, most=len(content) - 1) == {}
    assert parts(content, target="worksheets/other.xml") == {}
