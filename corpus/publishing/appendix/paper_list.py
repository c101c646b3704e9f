"""The entries of a corpus as a list to read, by group."""

from corpus.analysis.bibliography.works import works
from corpus.model.study import Study
from corpus.printing.escape import web_address
from corpus.printing.templates import environment
from corpus.publishing.appendix.pool_table import TableChoice, grouped_rows


def paper_list(study: Study) -> str:
    """Return all entries as Markdown.

    Each group has a heading and its definition, each entry a line with its tags below.
    """
    book, spec = study.codebook, study.codebook.pool
    group = spec.by_role("group")
    by_key = {work.key: work for work in works(study)}
    groups = []
    for heading, rows in grouped_rows(study, TableChoice(full=True)):
        definitions = []
        if group is not None and group.type == "term":
            terms = group.values(rows[0][spec.position(group.name)])
            definitions = [book.vocabulary_of(group).term(term).definition for term in terms]
        listed = []
        for work in map(by_key.__getitem__, spec.names_of(rows)):
            who = ""
            for name in work.authors[:1]:
                who = name.family
            if len(work.authors) > 1:
                who += " et al."
            published = ", ".join(filter(None, (who, work.venue, work.year_beside_venue)))
            tags = []
            # The group is the heading above.
            for axis, terms in work.tags.items():
                column, vocabulary = book.axis(axis)
                if terms and column.role != "group":
                    labels = map(vocabulary.labels.__getitem__, terms)
                    tags.append((column.label, ", ".join(labels)))
            listed.append((work, published, tags))
        groups.append((heading, definitions, listed))
    template = environment("md", "corpus.publishing.appendix").get_template("papers.md.j2")
    made = template.render(title=spec.title, groups=groups, safe=web_address)
    return made.rstrip("\n") + "\n"
