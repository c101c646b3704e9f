"""What can be wrong with cells, rows and cross-references."""

from corpus.model.finding import TO_DO, WARNING, Rule

#: How the name of an excluded record begins that has no number yet.
UNNUMBERED = "new-"

INCOMPLETE_DOI = Rule(
    "C220",
    "{column} {value} begins a DOI ({advice}) that is not complete",
    "write the whole DOI, or another address",
    title="Incomplete DOI",
    reason="It leads nowhere, and no duplicate is found by it.",
)
AGREEMENT = Rule(
    "C302",
    "{column} is {value}, but where {when} it must be {advice}",
    "change one of the cells; reason in the codebook: {reason}",
    title="Contradicting cells",
    reason="The codebook declares which terms belong together.",
)
SAME_IDENTIFIER = Rule(
    "C303",
    "{advice} is also the identifier of {other}",
    "keep one of the two rows, or correct the identifier",
    title="Duplicate work, by identifier",
    reason="Preprint and published version are one work.",
)
SAME_TITLE = Rule(
    "C304",
    "the title is the same as that of {other}",
    "keep one of the two rows; if they are two works, make their titles differ",
    title="Duplicate work, by title",
    reason="Titles are compared without case, accents, punctuation and whitespace.",
)
NEAR_TITLE = Rule(
    "C305",
    "the title is {advice} % the same as that of {other}",
    "if they are one work, keep one row; else accept the warning: "
    "`corpus check --explain C305` shows how",
    WARNING,
    title="Nearly the same title",
    reason="Retitled versions are the most common way to count a work twice.",
)
ARXIV_YEAR = Rule(
    "C306",
    "the identifier was assigned in {advice}, the year is {year}",
    "check both; a work is seldom dated before its preprint or more than three years after it",
    WARNING,
    title="arXiv identifier and year disagree",
    reason="The identifier's month is a fact; a year far from it is often an error.",
)
ARXIV_URL = Rule(
    "C307",
    "the address names arXiv:{advice}, the identifier is {other}",
    "correct one of the two",
    title="arXiv address and identifier disagree",
    reason="Two identifiers in one row are two works.",
)
IDENTIFIER_ADDRESS = Rule(
    "C318",
    "the address names {advice}, the identifier is {value}",
    "correct one of the two",
    title="Identifier and address disagree",
    reason="Two identifiers of one kind in one row are two works.",
)
VENUE_YEAR = Rule(
    "C310",
    "the year is {value}, the venue is {venue}",
    "write the year of the venue",
    WARNING,
    title="Year and venue disagree",
    reason="Printed, such a reference contradicts itself.",
)
DANGLING = Rule(
    "C401",
    "{column} {value} is not in {other}",
    "{advice}",
    title="Reference to a missing row",
    reason="The key was renamed on one side only, or the row is missing.",
)
NO_BIBLIOGRAPHY = Rule(
    "C402",
    "{value} has no row in {other}",
    "add a row with authors and first public date",
    title="Entry without bibliography",
    reason="Exports and the timeline need authors and a date for every entry.",
)
EXCLUDED_WORK = Rule(
    "C403",
    "{advice} is also that of {other}, which is excluded",
    "remove the exclusion if the work is retained now",
    title="Excluded work in the pool",
    reason="A record is retained or excluded, never both.",
)
NEAR_EXCLUDED = Rule(
    "C404",
    "the title is {advice} % the same as that of {other}, which is excluded",
    "if it is the same work, decide once; else accept the warning: "
    "`corpus check --explain C404` shows how",
    WARNING,
    title="Title near an excluded record",
    reason="A work may come back under another title.",
)
CORRECTION = Rule(
    "C405",
    "the correction sets {column} to {value}, the pool has {other}",
    "make both the same",
    title="Correction that the pool contradicts",
    reason="The corrections tell readers where the pool differs from its published snapshot.",
)
MIRROR = Rule(
    "C406",
    "{column} is {value}, the pool has {other}",
    "judge the row again; if the judgement still applies: "
    "`corpus edit KEY --set {mirrors}={other} --set {column}={other}`",
    title="Copied tag that differs",
    reason="The row judges another tag than the pool has.",
)
PROTOCOL = Rule(
    "C407",
    "{column} {value} is not declared in the protocol",
    "{advice}",
    title="Not in the protocol",
    reason="What the protocol does not name was not planned.",
)
AUTHORS = Rule(
    "C409",
    "the first author is {value} here and {other} in the pool",
    "correct one of the two",
    WARNING,
    title="First author disagrees",
    reason="Family names are compared.",
)
FIRST_PUBLIC = Rule(
    "C411",
    "first public {value}, but the arXiv identifier was assigned in {other}",
    "the preprint was public by then; check the date",
    WARNING,
    title="First public after the preprint",
    reason="A work is first public no later than its preprint.",
)
ARXIV_DOI = Rule(
    "C412",
    "the DOI is that of arXiv:{advice}, the entry has {other}",
    "write the same identifier in both; a work with an arXiv DOI is on arXiv",
    title="arXiv DOI and identifier disagree",
    reason="The DOI of arXiv is the identifier with a prefix.",
)
NO_REASON = Rule(
    "C413",
    "{value} has no row in {other}",
    "add a row with the reason that decides",
    WARNING,
    title="Excluded record without a coded reason",
    reason="Counts of reasons would leave the record out.",
)
SAME_PERSON = Rule(
    "C414",
    "{value} is also written {other}",
    "write the name in one way",
    WARNING,
    title="One person, two spellings",
    reason="Indexes list the two as two persons. Names are compared by their words, "
    "without order, accents and punctuation.",
)
UNUSED_ACCEPTANCE = Rule(
    "C501",
    "{code} no longer occurs for {value}",
    "remove the row",
    WARNING,
    title="Unused accepted warning",
    reason="A longer list than needed hides the next real warning.",
)
TODO = Rule(
    "C002",
    "{value}: {texts} still to be written",
    "replace what begins with TODO by what it means to you",
    WARNING,
    title="Definition is still to be written",
    reason="Without a definition a term means something else to each person.",
)
OPEN_CELL = Rule(
    "C223",
    "still to be filled in {value}: {cells}",
    "corpus edit {key} --set COLUMN=VALUE",
    TO_DO,
    title="Cells are still to be filled",
    reason="An entry counts for no term until it has one, and a release waits for it.",
)
CAPITALS = Rule(
    "C222",
    "the title is in capital letters: {value}",
    "write it as the work does in a sentence or in title case",
    WARNING,
    title="Title in capitals",
    reason="Capitals hide which words are names and acronyms.",
)
IMPOSSIBLE = Rule(
    "C311",
    "{column} is {value} where {when}",
    "change one of the cells, or the codebook: it declares that {reason}",
    title="Cells that are impossible together",
    reason="Impossible combinations are left out where gaps are counted.",
)
KEY_CASE = Rule(
    "C312",
    "{value} differs from {other} by capital letters only",
    "rename one of the two: `corpus edit KEY --set key=NEW`",
    title="Keys that differ only by case",
    reason="File systems and BibTeX take them for one.",
)
SAME_ADDRESS = Rule(
    "C313",
    "the address {advice} is also that of {other}",
    "give each work its own address, or keep one row",
    WARNING,
    title="The same address twice",
    reason="Two rows with one address are one work, or one was copied from the other.",
)
INSECURE_ADDRESS = Rule(
    "C314",
    "{advice} is served by https as well",
    "write https://",
    WARNING,
    title="http where https exists",
    reason="One page under two addresses is not recognised as one. A host counts where "
    "it is a known archive, or where another address of the corpus has it.",
)
PUBLICATION_YEAR = Rule(
    "C315",
    "the year is {value}, but {other} was first public in {advice}",
    "write the year of the venue, or else that of the first public version",
    WARNING,
    title="Year and first public date disagree",
    reason="[years] of the codebook declares how many years after its first public "
    "date a work may be published.",
)
KEY_YEAR = Rule(
    "C316",
    "the key ends in {advice}, the work is of {other}",
    "correct the year, or rename the entry: `corpus edit KEY --set key=NEW`",
    WARNING,
    title="Year in the key disagrees",
    reason="Where the codebook declares years in keys, such a year is that of the "
    "first public version, of the venue, or one between.",
)
COPIED = Rule(
    "C317",
    "the text is also that of {other}: {advice}",
    "describe each work in words of its own",
    WARNING,
    title="The same sentence in two rows",
    reason="A sentence that fits two works was most likely left behind when a row was copied.",
)
EXCLUSION_DATE = Rule(
    "C415",
    "screened on {value}, {advice}",
    "correct the date, or the first query of the protocol",
    WARNING,
    title="Screened before it could be",
    reason="Nothing was screened before the first query. Records after the cutoff are "
    "right: a release moves the cutoff.",
)
EXCLUSION_STAGE = Rule(
    "C416",
    "{other} applies criterion {value}, which does not decide at stage {advice}",
    "correct the stage or the criterion",
    title="Stage that the criterion cannot have",
    reason="Whoever has only seen the abstract cannot have judged what the full text gives.",
)
EMPTY_CORRECTION = Rule(
    "C417",
    "{column} is {value} before and after",
    "write the published value, or remove the row",
    title="Correction that changes nothing",
    reason="A correction is a difference from the published snapshot.",
)
SOURCE_TITLE = Rule(
    "C420",
    "the title is {value}, {other} states {advice}",
    "correct the title, or add a row to the table of corrections",
    WARNING,
    title="Title differs from the source",
    reason="Titles are compared without case, accents, punctuation and whitespace; one "
    "of an entry's source records must state the title.",
)
SOURCE_AUTHORS = Rule(
    "C421",
    "{other} states other authors: {advice}",
    "correct the names, or add a row to the table of corrections",
    WARNING,
    title="Authors differ from the source",
    reason="Names are compared in order, without case, accents and punctuation.",
)
SOURCE_DOI = Rule(
    "C422",
    "the DOI is {value}, {other} states {advice}",
    "correct the DOI, or add the source record that states it",
    title="DOI that no source states",
    reason="A valid DOI can be that of another work. The DOI of the published version "
    "is preferred.",
)
SOURCE_IDENTIFIER = Rule(
    "C423",
    "the identifier is {value}, {other} is about {advice}",
    "correct the identifier, or add its source record",
    title="Identifier of another work",
    reason="One wrong digit leads to another work.",
)
SOURCE_ADDRESS = Rule(
    "C424",
    "the address leads to {value}, {other} is about {advice}",
    "correct the address, or add its source record",
    WARNING,
    title="Address of another work",
    reason="A reader follows the address first.",
)
SOURCE_DATE = Rule(
    "C425",
    "first public {value}, but {other} states {advice}",
    "correct the date, or add the source record of an older version",
    WARNING,
    title="Date differs from the source",
    reason="Dates are compared as exactly as both are given; the oldest source record counts.",
)
SOURCE_VENUE = Rule(
    "C426",
    "the venue is {value}, {other} states {advice}",
    "correct the venue, or add a row to the table of corrections",
    WARNING,
    title="Venue differs from the source",
    reason="Of several source records, one must state the venue.",
)
WITHDRAWN = Rule(
    "C427",
    "{other} states that {value} was withdrawn",
    "decide whether the entry stays; then accept the warning with the reason: "
    "`corpus check --explain C427` shows how",
    WARNING,
    title="Withdrawn work",
    reason="It cannot be evidence for what it claimed.",
)
RECORD_IDENTIFIER = Rule(
    "C428",
    "{value} {advice}",
    "write arXiv:, DOI:, OpenReview: or ACL: and the identifier, or a whole address",
    title="Source record with a wrong identifier",
    reason="A source record is about one identifier of one entry.",
)
VENUE_SOURCE = Rule(
    "C429",
    "the venue is {value}, but the record was read from {other}, which is of {advice}",
    "write in the column with the role venue_from where the venue was read",
    WARNING,
    title="Venue later than what it was read from",
    reason="One place serves all cells of a source record. A listing of 2025-05 has authors and "
    "date, but not that a work was at NeurIPS 2025, which was announced in September. `announced` "
    "in the codebook tells the month; for other venues it is January.",
)
ABSOLUTE_WORD = Rule(
    "C430",
    "{column} contains {advice}, and the row names no claim that tests it",
    "write what was examined, or name the claim",
    WARNING,
    title="Absolute word without a claim",
    reason='"Nobody", "the one" or "none" in a summary speak of everything, and nothing fails '
    "when a new row makes them wrong. The codebook declares words and columns under `[prose]`.",
)
WEAKENED = Rule(
    "C431",
    "{value} {advice}",
    "if it is meant, a maintainer adds a row to the accepted table: code C431, file {other}, "
    "row {value}, and the reason",
    title="Weaker check",
    reason="`corpus diff` reports it. Data that passes because a rule was removed "
    "looks like data that was always right.",
)
NO_ROW = Rule(
    "C418",
    "{value} has no row in {other} yet",
    "add it: corpus edit {key} --set {table}.COLUMN=VALUE",
    TO_DO,
    title="Entry without a row in a complete table",
    reason="The codebook declares the table as complete. Only a release waits for the row.",
)
NO_NUMBER = Rule(
    "C419",
    "{value} gets its number after the merge",
    "on the default branch: corpus number",
    TO_DO,
    title="Excluded record without a number",
    reason="Two branches would take the same number, so the default branch numbers "
    "records, with every row that refers to them.",
)
UNLOGGED_TAG = Rule(
    "C432",
    "{column} of {other} changes from {advice} to {value}, and no correction has it",
    "add a row with the new value and the evidence to the table of corrections",
    title="Tag of a released entry without a correction",
    reason="`corpus diff` reports it. Readers must find what was changed since the "
    "release, and why.",
)
DROPPED_CORRECTION = Rule(
    "C433",
    "{column} still is {value}, and {other} does not explain it any more",
    "restore the row, or the published value",
    title="Correction removed while the difference remains",
    reason="`corpus diff` reports it. A cell that differs from the published snapshot "
    "needs its evidence.",
)
PROTOCOL_MISTAKE = Rule(
    "C441",
    "{place}: {problem}",
    "correct the protocol; docs/codebook-format.md describes the keys that are checked",
    title="Mistake in the protocol",
    reason="A misspelt key is a rule or a date that nobody checks.",
)
PROPOSED_ACCEPTANCE = Rule(
    "C442",
    "{value} is accepted by the change that it is about, and counts as not accepted",
    "a maintainer decides: by the merge, or by a commit of this row alone before it",
    WARNING,
    title="Accepted by the change itself",
    reason="`corpus diff` and `corpus check --since` report it: who proposes a change "
    "does not accept what it breaks.",
)
FOREIGN_HOST = Rule(
    "C443",
    "the host {advice} is not {other}",
    "write the address at {other}; a mirror that is meant is accepted with its reason",
    WARNING,
    title="Address at a host that looks like another",
    reason="A copy elsewhere can be another text; a host that is named like an archive is not it.",
)
CONTRADICTING_SEARCH = Rule(
    "C444",
    "search {value}: {problem}",
    "make searches and protocol tell the same",
    WARNING,
    title="Search that the protocol does not have",
    reason="The log is read as what the protocol describes.",
)
PDF_ADDRESS = Rule(
    "C445",
    "the page of the work is {advice}",
    "write the address of the page: `corpus check --fix`",
    WARNING,
    title="Address of a PDF at an archive",
    reason="A PDF is one version of the work; the page names every version, and "
    "whether the work was withdrawn.",
)
