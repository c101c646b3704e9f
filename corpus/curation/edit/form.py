"""The form for people without git: its fields, and how an issue opened with it is read."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator
from typing import NamedTuple

from corpus.curation.edit.proposal import FORMER, PROMOTIONS
from corpus.model.codebook import Codebook, Column, TableSpec, Vocabulary
from corpus.printing.escape import markdown

#: What GitHub writes for a field that was left empty.
NO_RESPONSE = "_No response_"
#: Id of the field with the identifier that metadata is fetched by.
REFERENCE = "reference"
#: Roles of the pool's columns that a service can fill.
_FETCHED_ROLES = ("title", "first_author", "year", "venue", "url")
#: Where GitHub looks for the form, from the root of the repository.
PATH = ".github/ISSUE_TEMPLATE/add-entry.yml"
#: GitHub gives it to every issue that is opened with the form.
LABEL = "new entry"


class FormField(NamedTuple):
    """One field of the form.

    Attributes
    ----------
    id : str
        Name of the column that it fills; `reference` for the identifier that metadata is fetched
        by.
    label : str
        Its heading, unique in the form.
    help : str
        What to put there.
    vocabulary : Vocabulary or None
        The terms to choose from; None for free text.
    several : str
        The separator, where several terms may be chosen.
    required : bool
        Whether it must be filled.
    """

    id: str
    label: str
    help: str
    vocabulary: Vocabulary | None = None
    several: str = ""
    required: bool = False


def form_fields(book: Codebook) -> list[FormField]:
    """Return the fields for a new entry, in the order in which they are asked.

    First what identifies the work, then the tags and the texts that only a reader can give; last
    what a service may not know. A column that the bibliography repeats is asked once.
    """
    columns: list[tuple[TableSpec, Column]] = []
    for spec in (book.pool, *book.by_role("bibliography"), *book.by_role(PROMOTIONS)):
        columns += [(spec, column) for column in spec.columns]
    fetched = any(column.type in ("arxiv", "doi", "url") for _, column in columns)
    fields: list[FormField] = []
    if fetched:
        words = (
            "arXiv id, DOI, OpenReview or ACL Anthology address. "
            "Title, authors and date are looked up by it."
        )
        fields.append(FormField(REFERENCE, "Identifier", words))
    optional: list[FormField] = []
    for spec, column in columns:
        # The identifier answers these, and the key is proposed.
        if column.name in spec.key or column.type in ("key", "ref", "arxiv", "doi"):
            continue
        if column.role == FORMER:
            continue
        if fetched and (spec is not book.pool or column.role in _FETCHED_ROLES):
            optional.append(_field(column, book, required=False))
        else:
            fields.append(_field(column, book, required=column.required))
    return _distinct([*fields, *optional])


def parse_form(body: str, book: Codebook) -> dict[str, str]:
    """Read the text of an issue that was opened with the form.

    Returns
    -------
    dict
        Id of the field -> what was filled in; fields that were left empty are missing. Text outside
        the headings of the form's fields is not read; of a duplicate heading only the first counts.
    """
    fields = {field.label: field for field in form_fields(book)}
    # The split gives the text before the first heading, then heading and text in turn.
    parts = re.split(r"^### (.*[^ \t\n])[ \t]*$", body.replace("\r\n", "\n"), flags=re.MULTILINE)
    found: dict[str, str] = {}
    for label, text in zip(parts[1::2], parts[2::2], strict=True):
        field = fields.get(label.strip())
        value = " ".join(text.split())
        if field is None or field.id in found or not value or value == NO_RESPONSE:
            continue
        if field.vocabulary is not None:
            # A text that is not an option is kept, so that the checks report it.
            by_option = {option(field.vocabulary, term): term for term in field.vocabulary.ids}
            chosen = [value]
            if field.several:
                chosen = list(_chosen(value, by_option))
            value = field.several.join(by_option.get(text, text) for text in chosen)
        found[field.id] = value
    return found


def option(vocabulary: Vocabulary, identifier: str) -> str:
    """Return a term as a dropdown shows it: its identifier, and its label where that differs."""
    label = vocabulary.term(identifier).label
    plain = identifier.replace("_", " ")
    if label.casefold() == plain.casefold():
        return identifier
    return f"{identifier} ({label})"


def _field(column: Column, book: Codebook, required: bool) -> FormField:
    vocabulary = None
    if column.type == "term":
        vocabulary = book.vocabulary_of(column)
    return FormField(
        id=column.name,
        label=column.label,
        help=column.definition,
        vocabulary=vocabulary,
        several=column.separator,
        required=required,
    )


def _distinct(fields: list[FormField]) -> list[FormField]:
    """Keep the first field of each id, and add the id to a label that is taken."""
    kept: dict[str, FormField] = {}
    labels: set[str] = set()
    for field in fields:
        if field.id in kept:
            continue
        label = field.label
        if label in labels:
            label = f"{label} ({field.id})"
        labels.add(label)
        kept[field.id] = field._replace(label=label)
    return list(kept.values())


def _chosen(value: str, options: Collection[str]) -> Iterator[str]:
    """Yield the options that a text names; what is between them is yielded as it is.

    GitHub joins the chosen options by a comma and a space, and a label may have these as well.
    """
    parts = value.split(", ")
    longest = 1 + max((name.count(", ") for name in options), default=0)
    start = 0
    while start < len(parts):
        end = start + 1
        for number in range(longest, 1, -1):
            if ", ".join(parts[start : start + number]) in options:
                end = min(start + number, len(parts))
                break
        yield ", ".join(parts[start:end]).strip()
        start = end


def form_yaml(book: Codebook) -> str:
    """Write the form: a dropdown per vocabulary with its definitions, a line per other column."""
    entry = book.corpus.get("entry", "entry")
    title = book.corpus.get("short_title") or book.corpus.get("title", "")
    intro = (
        f"Propose a new {markdown(entry)} for {markdown(title)}. No git is needed: a maintainer "
        "turns this form into a pull request, and you are told there what is missing. Choose the "
        "tags by their definitions; leave a text field empty where you do not know."
    )
    about = "Propose a work by its identifier and choose its tags; no git needed."
    lines = [
        "# Made by `corpus forms` from data/codebook.toml; do not edit.",
        f"name: {_text(f'Add one {entry}')}",
        f"description: {_text(about)}",
        f"title: {_text(f'New {entry}: ')}",
        f"labels: [{_text(LABEL)}]",
        "body:",
        "  - type: markdown",
        "    attributes:",
        f"      value: {_text(intro)}",
    ]
    for field in form_fields(book):
        lines += _field_lines(field)
    return "".join(f"{line}\n" for line in lines)


def _field_lines(field: FormField) -> list[str]:
    kind = "input"
    if field.vocabulary is not None:
        kind = "dropdown"
    lines = [
        f"  - type: {kind}",
        f"    id: {_text(field.id)}",
        "    attributes:",
        f"      label: {_text(field.label)}",
    ]
    if field.vocabulary is None:
        lines.append(f"      description: {_text(markdown(field.help))}")
    else:
        terms = field.vocabulary.terms
        lines += ["      description: |", f"        {markdown(field.help)}", ""]
        lines += [f"        - `{term.id}`: {markdown(term.definition)}" for term in terms]
        if field.several:
            lines.append("      multiple: true")
        lines.append("      options:")
        options = [option(field.vocabulary, term.id) for term in terms]
        lines += [f"        - {_text(text)}" for text in options]
    if field.required:
        lines += ["    validations:", "      required: true"]
    return [line.rstrip() for line in lines]


def _text(value: str) -> str:
    """Write a text as a YAML scalar.

    A JSON string is one whatever it holds; a plain ``yes`` would be a truth value.
    """
    return json.dumps(value, ensure_ascii=False)
