"""What codebook and documents declare: every section has one reader, and every name is looked up.

A section that nobody reads would be a rule, a figure or a name that somebody believes in and that
does nothing. So whoever adds one adds its reader here, and what is not here is a mistake.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import date
from importlib import import_module
from typing import Any

from corpus.curation.check import protocol
from corpus.model.documents.codebook_lines import with_lines
from corpus.model.documents.codebook_parser import PARSED_SETTINGS
from corpus.model.documents.section import NameReference, Section, settings_section
from corpus.model.finding import WARNING, CorpusError, Finding, Rule, unknown
from corpus.model.study import Source, Study
from corpus.printing.grid import plural
from corpus.tables.cells import FORBIDDEN_CHARACTER, LOOK_ALIKE
from corpus.tables.location import CODEBOOK_FILE

TODO = Rule(
    "C002",
    "{value}: {texts} still to be written",
    "replace what begins with TODO by what it means to you",
    WARNING,
    title="Definition is still to be written",
    reason="Without a definition a term means something else to each person.",
)


CLAIMS, SEARCHES = "claims", "searches"

#: Section of the codebook -> its reader, below `corpus`. Those of the parser itself are not here.
#: A reader is imported where somebody declares the section: most corpora have few of them, and
#: importing all takes longer than anything else in the check of a small one.
SECTIONS: Mapping[str, str] = {
    "appendix": "publishing.appendix.layout.read_appendix",
    "card": "analysis.cards.card.read_card",
    "deposit": "publishing.export.publication.read_deposit",
    "evidence": "analysis.evidence.tables.read_evidence",
    "figures": "publishing.figures.figure.read_figures",
    "finding": "analysis.numbers.main_finding.read_finding",
    "page": "publishing.page.settings.read_page",
    "sparsity": "analysis.sparsity.declared.read_sparsity",
    "printed": "curation.check.compared.read_printed",
    "prose": "curation.check.compared.read_prose",
    "repeated": "curation.check.compared.read_repeated",
    "same_file": "curation.check.compared.read_same_file",
    "years": "curation.check.works.years.read_years",
}

#: Name under ``[documents]`` -> the reader of the file, and the rule that it reports with.
DOCUMENTS: Mapping[str, tuple[str, str]] = {
    CLAIMS: ("analysis.claims.parser.read_claim_set", "analysis.claims.parser.CLAIM_MISTAKE"),
    SEARCHES: (
        "curation.retrieval.searches.read_search_list",
        "curation.retrieval.searches.SEARCH_MISTAKE",
    ),
    protocol.DOCUMENT: ("curation.check.protocol.read_protocol", "curation.check.protocol.RULE"),
}


def _imported(place: str) -> Any:
    module, _, name = place.rpartition(".")
    return getattr(import_module(f"corpus.{module}"), name)


_SECTION = re.compile(r"\[\[?([^\[\]]++)\]\]?(?: *+#.*)?")
#: An equals sign and a text that begins with TODO, outside of strings and remarks: also behind
#: other keys, in { id = "wet", definition = "TODO" }.
_OPEN = re.compile(r"""(?:[^#"'=]|"[^"]*+"|'[^']*+'|=(?!\s*+["']TODO\b))*+=\s*+["']TODO\b""")


def counted_findings(references: Iterable[NameReference], study: Study) -> list[Finding]:
    """Return what countable rows tell: claims that fail, names that mean nothing."""
    # As the readers above.
    from corpus.analysis.claims.evaluate import claim_findings
    from corpus.analysis.claims.parser import CLAIM_MISTAKE
    from corpus.analysis.numbers.published import unresolved

    found = []
    if CLAIMS in study.documents:
        found = claim_findings(study)
    # Without a claim that has a mistake, its name and its number are missing as well.
    if any(finding.code == CLAIM_MISTAKE.code for finding in found):
        references = [reference for reference in references if reference.kind == "row"]
    try:
        unknown_names = unresolved(references, study)
    except CorpusError as error:  # two numbers of one name: nothing can print either
        unknown_names = error.findings
    texts = dict(study.sources.values())
    for finding in [*unknown_names, *protocol.reported_problems(study)]:
        found += with_lines([finding], texts.get(finding.file, ""))
    return found


def read_declarations(study: Study) -> tuple[list[Finding], list[NameReference]]:
    """Read every section of the codebook and every document; no table is looked at.

    Returns
    -------
    findings : list of Finding
        Every mistake, with its line.
    references : list of NameReference
        Every name that means a table, column, term, row, claim or number. The tables of the
        codebook itself are not among them: its parser looks their names up.
    """
    documents, sources = study.documents, study.sources
    codebook = sources[CODEBOOK_FILE]
    findings: list[Finding] = []
    references: list[NameReference] = []

    def keep(section: Section, source: Source) -> None:
        if section.findings:
            findings.extend(with_lines(section.findings, source.text))
        references.extend(section.references)

    book = study.codebook._replace(file=codebook.file)
    for name in book.settings:
        if name in PARSED_SETTINGS:
            continue
        section = settings_section(book, name)
        if name in SECTIONS:
            _imported(SECTIONS[name])(section)
        else:
            section.findings[:] = []
            section.mistake("", unknown("section", name, [*SECTIONS, *PARSED_SETTINGS]))
        keep(section, codebook)
    for name in book.documents:
        section, source = settings_section(book, "documents"), codebook
        if name not in DOCUMENTS:
            section.mistake(name, unknown("document", name, DOCUMENTS))
        elif name in documents:
            source = sources[name]
            read, rule = map(_imported, DOCUMENTS[name])
            section = Section(documents[name], (), [], source.file, rule, book)
            read(section)
        keep(section, source)
    return findings, references


#: A character that TOML writes by its number; the letter behind it tells how many digits follow.
_ESCAPED = re.compile(r"\\u([0-9A-Fa-f]{4})|\\U([0-9A-Fa-f]{8})")


def character_findings(text: str, file: str) -> list[Finding]:
    r"""Find what no cell may have in a TOML document, comments included (C211, C221).

    Examples
    --------
    >>> found = character_findings('a = "s\u0430lt"  # s\u202ealt', "codebook.toml")
    >>> [(finding.code, finding.line) for finding in found]
    [('C211', 1), ('C221', 1)]
    """

    def character(escaped: re.Match[str]) -> str:
        number = int(escaped[1] or escaped[2], 16)
        return chr(number) if number < 0x110000 else ""

    findings = []
    for line, content in enumerate(text.split("\n"), 1):
        # Most lines have neither.
        if content.isascii() and "\\" not in content:
            continue
        written = _ESCAPED.sub(character, content).replace("\t", " ")
        for one in (FORBIDDEN_CHARACTER, LOOK_ALIKE):
            if not one.passes(written, date.min):
                advice = one.advice(written, date.min) if one.advice else ""
                value = content.strip()[:80]
                findings.append(one.rule.at(file, line, "text", value, advice=advice))
    return findings


def todo_findings(text: str, file: str) -> list[Finding]:
    """Return one finding for each part of a TOML document with texts that begin with TODO.

    A vocabulary of fifty terms is one finding, at the first of its open definitions.

    Examples
    --------
    >>> text = '[vocabularies.soil]\\ndefinition = "TODO: what the terms tell apart."'
    >>> [(finding.line, finding.value) for finding in todo_findings(text, "codebook.toml")]
    [(2, 'vocabularies.soil')]
    """
    section = ""
    lines = defaultdict(list)
    for line, content in enumerate(text.split("\n"), 1):
        heading = _SECTION.fullmatch(content.strip())
        if heading:
            # The terms of a vocabulary, and the columns of a table, belong to it.
            section = ".".join(heading[1].strip().split(".")[:2])
        elif _OPEN.match(content):
            lines[section].append(line)
    findings = []
    for name, open_ in lines.items():
        texts = plural(len(open_), "text")
        findings.append(TODO.at(file, open_[0], value=name, texts=texts))
    return findings
