"""SKOS as Turtle: the vocabularies of the codebook as concept schemes, for other vocabularies."""

from __future__ import annotations

from urllib.parse import quote

from corpus.model.study import Study
from corpus.printing.escape import web_address
from corpus.printing.templates import environment
from corpus.publishing.export.cells import one_line
from corpus.publishing.export.publication import license_of


def skos(study: Study) -> str:
    """Return the vocabularies as Turtle.

    A vocabulary is a concept scheme, a term a concept with its identifier as notation, a group a
    collection. Their addresses are fragments of the homepage of the corpus; without one they are
    relative to wherever the file is published.
    """
    book = study.codebook
    # The addresses of terms are fragments, so the base has none.
    base, _, _ = web_address(book.corpus.get("homepage", "")).partition("#")

    def iri(*parts: str) -> str:
        # Whatever could end the brackets of Turtle is percent-encoded.
        fragment = "/".join(quote(part, safe="") for part in parts)
        return f"<{base}#{fragment}>"

    # Turtle has all escapes that TOML needs in a text of one line: quotation mark, backslash.
    template = environment("toml", "corpus.publishing.export").get_template("codebook.ttl.j2")
    vocabularies = book.vocabularies.values()
    license_url = license_of(book).url
    return template.render(vocabularies=vocabularies, license=license_url, iri=iri, line=one_line)
