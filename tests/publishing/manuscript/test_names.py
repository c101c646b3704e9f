from corpus.publishing.manuscript.markers import printed_names
from tests.corpora.full import codebook_data, full, full_of, sensor


def test_numbers_tables_and_lists_have_their_names():
    names = printed_names(full(), "md")
    assert names["PoolSize"] == "5"
    assert list(names)[-4:] == ["table-depth", "table-senses", "table-depth_by_senses", "papers"]
    assert "table-year" not in names


def test_a_table_has_the_labels_in_the_language_of_its_file():
    terms = [{"id": "water", "label": "fresh & clean", "definition": "Water."}]
    vocabularies = {**codebook_data()["vocabularies"], "senses": {"terms": terms}}
    study = full_of(
        sensor("a"), vocabularies=vocabularies, impossible=[], crosstabs=[], sparsity={}
    )
    texts = {sink: printed_names(study, sink)["table-senses"] for sink in ("md", "tex", "html")}
    assert r"fresh \& clean" in texts["tex"]
    assert "fresh &amp; clean" in texts["html"]
    assert texts["md"].startswith("| ")  # the heading is that of the author's own text
    assert "| fresh &amp; clean | 1 |" in texts["md"]


def test_the_list_of_entries_is_for_markdown_and_the_finding_where_it_is_declared():
    study = full()
    assert "finding" not in printed_names(study, "md")
    assert "papers" not in printed_names(study, "tex")
    assert "**Rain above Ada's antenna**" in printed_names(study, "md")["papers"]


def test_the_main_finding_is_escaped_and_has_its_numbers():
    parts = [{"text": "{PoolSize} sensors & more"}]
    study = full(finding={"parts": parts})
    assert printed_names(study, "md")["finding"] == "5 sensors &amp; more."
    assert printed_names(study, "tex")["finding"] == r"5 sensors \& more."
