"""The protocol of a survey: how its records were found, screened and decided.

Each survey divides its protocol as it likes, and all of it is printed. What the checks read has
fixed names; a key that looks like one of them, misspelt, would be a rule that nobody applies.

The log of exclusions and the protocol tell of one search: what was found with a source that the
protocol does not name, or decided where it could not be decided, is wrong in one of the two.
"""

from collections.abc import Iterator

from corpus.analysis.counting.identification import BEFORE, identification
from corpus.curation.check.rule import Place, Tables, at, rule
from corpus.model.dates import parse_date
from corpus.model.documents.section import Section
from corpus.model.finding import Finding, Rule, UsageProblem, unknown
from corpus.model.study import Study
from corpus.tables.sheet import ColumnarTable

PROTOCOL_MISTAKE = Rule(
    "C441",
    "{place}: {problem}",
    "correct the protocol; `corpus docs codebook-format` describes the keys that are checked",
    title="Mistake in the protocol",
    reason="A misspelt key is a rule or a date that nobody checks.",
)
REPORTED_COUNTS = Rule(
    "C450",
    "{problem}",
    "correct [[reported]] of the protocol, or the tables (`corpus docs screening`)",
    title="Counts of the flow that do not add up",
    reason="In the flow of a review every box is the difference or the sum of its neighbours.",
)

#: Name under which the codebook's [documents] declares the file.
DOCUMENT = "protocol"
RULE = PROTOCOL_MISTAKE
#: The dates under ``[protocol]``; a change of one is a change of what was searched.
DATES = ("search_cutoff", "refresh_cutoff", "first_query", "snapshot")
#: Lists of what records may be; their members are named by `id`.
LISTS = ("sources", "query_families", "stages", "inclusion", "exclusion")
#: Roles of an exclusion log, and the section of the protocol that declares their values.
_SECTIONS = {"source": "sources", "query_family": "query_families", "stage": "stages"}
_TEXTS = ("name", "label", "text", "definition", "url")


def read_protocol(document: Section) -> None:
    """Read a protocol; mistakes are in the findings of the section."""
    about = document.section("protocol", required=False)
    about.text("title", "")
    about.strings("limits", ())
    for name in DATES:
        day = about.scalar(name, "")
        try:
            parse_date(day or "2000")
        except ValueError:
            about.mistake(name, "must be a date: YYYY, YYYY-MM or YYYY-MM-DD")
    about.finish(is_open=True)
    members: dict[str, list[str]] = {}
    for name in LISTS:
        ids = members[name] = []
        for item in document.sections(name):
            identifier = item.text("id")
            if identifier in ids:
                document.mistake(name, f"duplicate id {identifier!r}")
            ids.append(identifier)
            for key in _TEXTS:
                item.text(key, "")
            item.strings("search_strings", ())
            item.flag("reconstructed", False)
            for number, stage in enumerate(item.strings("stages", ())):
                # The list of stages is read before.
                if name == "exclusion":
                    item.reference("stage", stage, "stages", number, known=members["stages"])
            item.finish(is_open=True)
    for item in document.sections("reported"):
        stage = item.text("stage")
        item.reference("stage", stage, "stage", known=[*BEFORE, *members["stages"]])
        if item.whole("records") < 0:
            item.mistake("records", "must not be negative")
        item.text("source")
        item.text("of", "")
        item.finish()
    document.finish(is_open=True)


def reported_problems(study: Study) -> list[Finding]:
    """Return what reported counts and the log of searches do not agree about, and with the rows."""
    logs = study.by_role("search_log")
    if study.documents.get(DOCUMENT, {}).get("reported"):
        place = (study.sources[DOCUMENT].file, 0, "reported")
    elif logs and study.by_role("candidates"):
        place = (logs[0].file, 0, "")
    else:
        return []
    try:
        problems = list(identification(study).problems(study.number_of_rows("exclusions")))
    except UsageProblem:  # the check of the log finds every number that is none
        return []
    return [REPORTED_COUNTS.at(*place, problem=problem) for problem in problems]


@rule("C407", "{column} {value} is not declared in the protocol", hint="{advice}")
def unplanned(sheet: ColumnarTable, tables: Tables) -> Iterator[Place]:
    """Not in the protocol.

    What the protocol does not name was not planned.

    >>> broken("dropped", {"source": "Bing"})
    dropped.csv: source 'Bing' is not declared in the protocol
    """
    for role, section in _SECTIONS.items() if sheet.spec.role == "exclusions" else ():
        column = sheet.spec.by_role(role)
        declared = tables.study.declared_items(DOCUMENT, section)
        if column is None or not declared:
            continue
        for position, cell in enumerate(sheet.cells(column.name)):
            if cell and cell not in declared:
                yield at(position, column.name, advice=unknown(role, cell, declared))


@rule(
    "C416",
    "{other} applies criterion {value}, which does not decide at stage {advice}",
    hint="correct the stage or the criterion",
)
def stage_of_criterion(sheet: ColumnarTable, tables: Tables) -> Iterator[Place]:
    """Stage that the criterion cannot have.

    Whoever has only seen the abstract cannot have judged what the full text gives.

    >>> broken("reasons", {"why": "no-field"})
    reasons.csv: X1 applies criterion 'no-field', which does not decide at stage title
    """
    criterion = sheet.spec.by_role("criterion")
    criteria = tables.study.declared_items(DOCUMENT, "exclusion")
    if criterion is None or sheet.spec.role != "reasons":
        return
    for log in tables.by_role("exclusions"):
        record_column, stage_column = log.spec.column(log.spec.key[0]), log.spec.by_role("stage")
        stage_of = {row[0]: row[1] for row in log.rows(record_column, stage_column)}
        rows = sheet.rows(sheet.spec.reference_to(log.spec), criterion)
        for position, (record, applied) in enumerate(rows):
            stage = stage_of.get(record, "")
            # A criterion may list the stages at which it decides.
            allowed = criteria.get(applied, {}).get("stages")
            if stage and isinstance(allowed, list) and stage not in map(str, allowed):
                yield at(position, criterion.name, other=record, advice=stage)
