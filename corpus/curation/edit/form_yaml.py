"""The issue form of GitHub (YAML) for a new entry, made from the codebook."""

from __future__ import annotations

import json

from corpus.curation.edit.form import FormField, form_fields, option
from corpus.model.codebook import Codebook
from corpus.printing.escape import markdown

#: Where GitHub looks for the form, from the root of the repository.
PATH = ".github/ISSUE_TEMPLATE/add-entry.yml"
#: GitHub gives it to every issue that is opened with the form.
LABEL = "new entry"


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
        lines += _field(field)
    return "".join(f"{line}\n" for line in lines)


def _field(field: FormField) -> list[str]:
    kind = "dropdown" if field.vocabulary else "input"
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
