"""An author's own template: what it may use, how values are escaped, and where it is wrong."""

from corpus.publishing.appendix.appendix import make_appendix
from corpus.publishing.appendix.author_template import fill_appendix
from corpus.publishing.appendix.layout import TableChoice
from tests.corpora.full import codebook_data, full_of, sensor


def filled(tmp_path, text, study, format_="markdown", parts=("table",)):
    path = tmp_path / "template"
    path.write_text(text, encoding="utf-8")
    choice = TableChoice()
    made = make_appendix(study, parts, choice)
    return fill_appendix(str(path), format_, study, made, [], choice)


def test_groups_have_the_headings_of_the_printed_table(tmp_path):
    data = codebook_data()
    pool = data["tables"]["sensors"]["columns"]
    pool[3] |= {"role": "group", "required": False}
    data["vocabularies"]["senses"]["terms"][0]["label"] = "fresh water"
    entries = [sensor("a", senses="water; salt"), sensor("b", senses=""), sensor("c", senses="gas")]
    study = full_of(*entries, **data)
    template = "{% for label, group in groups %}{{ label }}:{% for e in group %} {{ e.sensor }}{% endfor %}.{% endfor %}"
    lines = filled(tmp_path, template, study).split(".")
    assert sorted(filter(None, lines)) == ["fresh water, salt: a", "gas: c", "not given: b"]


def test_cells_of_a_sheet_are_printed_as_the_own_templates_print_them(tmp_path):
    template = (
        "{% for sheet in parts[0].sheets %}{% for block in sheet.blocks %}"
        "{% for row in block.rows %}{{ cells(row) }}\n{% endfor %}{% endfor %}{% endfor %}"
    )
    study = full_of(sensor("a", name="x|y", url="https://a.example/"))
    assert (
        filled(tmp_path, template, study)
        == r"a |  | surface | water | [x\|y](https://a.example/)" + "\n"
    )
