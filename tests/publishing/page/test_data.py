"""What the page's script is given: each row once, in the table that shows it or in the data."""

from corpus.publishing.page.data import page_data
from corpus.tables.corpus_reader import load_corpus


def test_a_label_is_a_path_where_a_group_has_its_first_part(minimal):
    book = minimal / "codebook.toml"
    text = book.read_text("utf-8")
    for term, label in (("moisture", "water/ground"), ("salt", "in/out"), ("heat", "warm › air")):
        text = text.replace(f'id = "{term}", ', f'id = "{term}", label = "{label}", ')
    group = '[[vocabularies.measures.groups]]\nid = "water"\nlabel = "water"\n'
    group += 'definition = "Wet."\nterms = ["moisture", "salt"]\n'
    book.write_text(f"{text}\n{group}", "utf-8")
    terms = page_data(load_corpus(str(minimal)))["vocabularies"]["measures"]["terms"]
    assert [term[1:2] + term[3:] for term in terms] == [
        ["water/ground", "water › ground"], ["in/out"], ["warm › air"]
    ]  # fmt: skip
