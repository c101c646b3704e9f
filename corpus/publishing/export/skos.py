"""SKOS as Turtle: the vocabularies of the codebook as concept schemes, for other vocabularies."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from urllib.parse import quote

from corpus.model.codebook import Term, Vocabulary
from corpus.model.study import Study
from corpus.printing.escape import web_address
from corpus.publishing.export.cells import one_line
from corpus.publishing.export.publication import license_of

_PREFIXES = {"dct": "http://purl.org/dc/terms/", "skos": "http://www.w3.org/2004/02/skos/core#"}
#: Predicate and object, both as Turtle.
_Statement = tuple[str, str]


def skos(study: Study) -> str:
    """Return the vocabularies as Turtle.

    A vocabulary is a concept scheme, a term a concept with its identifier as notation, a group a
    collection. Their addresses are fragments of the homepage of the corpus; without one they are
    relative to wherever the file is published.
    """
    book = study.codebook
    homepage = web_address(book.corpus.get("homepage", ""))
    license_url = license_of(book).url
    prefixes = [f"@prefix {name}: <{iri}> .\n" for name, iri in _PREFIXES.items()]
    # The addresses of terms are fragments, so the base has none.
    base, _, _ = homepage.partition("#")
    blocks = ["".join(prefixes)]
    for vocabulary in book.vocabularies.values():
        blocks += _scheme(vocabulary, base, license_url)
    return "\n".join(blocks)


def _scheme(vocabulary: Vocabulary, base: str, license_url: str) -> Iterator[str]:
    """Yield a vocabulary, its terms and its groups."""
    scheme = _iri(base, vocabulary.id)
    concepts = {name: _iri(base, vocabulary.id, name) for name in vocabulary.ids}
    about = [
        ("skos:prefLabel", _literal(vocabulary.title or vocabulary.id)),
        ("skos:definition", _literal(vocabulary.definition)),
        ("dct:license", f"<{license_url}>" if license_url else ""),
    ]
    about += [("skos:hasTopConcept", concept) for concept in concepts.values()]
    yield _block(scheme, "skos:ConceptScheme", about)
    for term in vocabulary.terms:
        yield _block(concepts[term.id], "skos:Concept", _concept(term, scheme))
    for group in vocabulary.groups:
        about = [
            ("skos:prefLabel", _literal(group.label or group.id)),
            ("skos:definition", _literal(group.definition)),
        ]
        about += [("skos:member", concepts[term]) for term in group.terms]
        yield _block(_iri(base, vocabulary.id, "group", group.id), "skos:Collection", about)


def _concept(term: Term, scheme: str) -> list[_Statement]:
    label = term.label or term.id
    short = term.short
    # SKOS forbids the same text as preferred and as alternative label.
    if one_line(short) == one_line(label):
        short = ""
    return [
        ("skos:prefLabel", _literal(label)),
        ("skos:altLabel", _literal(short)),
        ("skos:notation", _literal(term.id)),
        ("skos:definition", _literal(term.definition)),
        ("skos:inScheme", scheme),
        ("skos:topConceptOf", scheme),
    ]


def _block(subject: str, kind: str, statements: Iterable[_Statement]) -> str:
    """Return the statements about one thing; those without an object are left out."""
    lines = [f"{subject} a {kind}"]
    lines += [f"  {predicate} {value}" for predicate, value in statements if value]
    return " ;\n".join(lines) + " .\n"


def _iri(base: str, *parts: str) -> str:
    """Return an address in the brackets of Turtle; whatever could end it is percent-encoded."""
    fragment = "/".join(quote(part, safe="") for part in parts)
    return f"<{base}#{fragment}>"


def _literal(text: str) -> str:
    """Return a string of Turtle; empty for an empty text.

    Examples
    --------
    >>> print(_literal('a "b" \\\\ .'))
    "a \\"b\\" \\\\ ."
    """
    plain = one_line(text)
    # Turtle has all escapes of JSON that occur in a text of one line: quotation mark, backslash.
    return json.dumps(plain, ensure_ascii=False) if plain else ""
