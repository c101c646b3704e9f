"""The form for people without git: its fields, and how an issue opened with it is read."""

import json
import re
from functools import partial
from pathlib import Path

from markupsafe import Markup

from corpus.curation.edit.proposal import FORMER, PROMOTIONS
from corpus.model.codebook import Codebook, Column, Term
from corpus.printing.escape import markdown
from corpus.printing.templates import environment

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


def form_fields(book: Codebook) -> list[Column]:
    """Return the columns that are asked for, in order; `definition` is what to put there.

    First what identifies the work, then the tags and the texts that only a reader can give; last
    what a service may not know. A column that the bibliography repeats is asked once, and a label
    that is taken has the name of the column behind it.
    """
    columns = []
    for spec in (book.pool, *book.by_role("bibliography"), *book.by_role(PROMOTIONS)):
        columns += [(spec, column) for column in spec.columns]
    fetched = any(column.type in ("arxiv", "doi", "url") for _, column in columns)
    asked = []
    if fetched:
        words = (
            "arXiv id, DOI, OpenReview or ACL Anthology address. "
            "Title, authors and date are looked up by it."
        )
        asked.append(Column(REFERENCE, "text", "Identifier", words, "", False, "", "", "", False))
    optional = []
    for spec, column in columns:
        # The identifier answers these, and the key is proposed.
        if column.name in spec.key or column.type in ("key", "ref", "arxiv", "doi"):
            continue
        if column.role == FORMER:
            continue
        if fetched and (spec is not book.pool or column.role in _FETCHED_ROLES):
            optional.append(column._replace(required=False))
        else:
            asked.append(column)
    fields = {}
    labels = set()
    for column in (*asked, *optional):
        if column.name not in fields:
            label = column.label
            if label in labels:
                label = f"{label} ({column.name})"
            labels.add(label)
            fields[column.name] = column._replace(label=label)
    return list(fields.values())


def parse_form(body: str, book: Codebook) -> dict[str, str]:
    """Read the text of an issue that was opened with the form.

    Returns
    -------
    dict
        Name of the column -> what was filled in; fields that were left empty are missing. Text
        outside the headings of the form's fields is not read; of a duplicate heading only the first
        counts.
    """
    fields = {field.label: field for field in form_fields(book)}
    # The split gives the text before the first heading, then heading and text in turn.
    parts = re.split(r"^### (.*[^ \t\n])[ \t]*$", body.replace("\r\n", "\n"), flags=re.MULTILINE)
    found = {}
    for label, text in zip(parts[1::2], parts[2::2], strict=True):
        field = fields.get(label.strip())
        value = " ".join(text.split())
        if field is None or field.name in found or not value or value == NO_RESPONSE:
            continue
        terms = options(field, book)
        chosen = [value]
        if field.separator and terms:
            # GitHub puts a comma and a space between options, and a label may have these as well.
            names = "|".join(map(re.escape, sorted(terms, key=len, reverse=True)))
            chosen = re.findall(rf"(?:{names})(?=, |\Z)|[^ ,](?:(?!, ).)*", value)
        ids = {shown: term.id for shown, term in terms.items()}
        # A text that is not an option is kept, so that the checks report it.
        found[field.name] = field.separator.join(ids.get(text, text) for text in chosen)
    return found


def options(column: Column, book: Codebook) -> dict[str, Term]:
    """Return the terms of a column as a dropdown shows them; nothing for free text.

    That is the identifier, with the label where it differs.
    """
    found = {}
    if column.type == "term":
        for term in book.vocabulary_of(column).terms:
            shown = term.id
            if term.label.casefold() != term.id.replace("_", " ").casefold():
                shown = f"{term.id} ({term.label})"
            found[shown] = term
    return found


def form_yaml(book: Codebook) -> str:
    """Write the form: a dropdown per vocabulary with its definitions, a line per other column."""
    made = (
        environment("md", "corpus.curation.edit")
        .get_template("add-entry.yml.j2")
        .render(
            entry=book.corpus["entry"],
            title=book.corpus["short_title"] or book.corpus["title"],
            label=LABEL,
            fields=form_fields(book),
            terms_of=partial(options, book=book),
            markdown=markdown,
            text=_scalar,
        )
    )
    return re.sub("(?<! ) +$", "", made, flags=re.MULTILINE)


def stale_form(data: str, book: Codebook, is_asked: bool = False) -> dict[str, str]:
    """Return the form beside a data folder where it is another one: path -> new text.

    Unless somebody asks for it, a form that is not there or that somebody wrote stays so.
    """
    path = Path(data).resolve().parent / PATH
    text = form_yaml(book)
    # Read as text: git may have changed the line ends on checkout.
    old = path.read_text("utf-8", "replace") if path.is_file() else ""
    is_made = old.partition("\n")[0] == text.partition("\n")[0]
    return {str(path): text} if old != text and (is_made or is_asked) else {}


def _scalar(value: str) -> Markup:
    """Write a text as a YAML scalar.

    A JSON string is one whatever it holds; a plain ``yes`` would be a truth value.
    """
    return Markup(json.dumps(value, ensure_ascii=False))  # noqa: S704 — this is YAML, not HTML
