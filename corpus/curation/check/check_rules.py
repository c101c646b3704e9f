"""What can be wrong with cells, rows and cross-references."""

from __future__ import annotations

from corpus.model.finding import ERROR, TO_DO, WARNING, Rule

#: How the name of an excluded record begins that has no number yet.
UNNUMBERED = "new-"

KEY_FORM = Rule(
    "C203",
    ERROR,
    "Invalid key",
    "{value} is not a valid key",
    "use letters a-z, digits and single hyphens, at most 80 characters; for example {advice}",
    "Keys are used in file names, addresses, BibTeX and LaTeX.",
)
ARXIV_FORM = Rule(
    "C204",
    ERROR,
    "Invalid arXiv identifier",
    "{value} is not a valid arXiv identifier",
    "{advice}",
    "Identifiers are compared as text; with a version or a resolver it would be another work.",
)
ARXIV_FUTURE = Rule(
    "C205",
    ERROR,
    "arXiv identifier from the future",
    "{value} would be assigned in {month}",
    "check the digits",
    "A coming month is a typing error.",
)
DOI_FORM = Rule(
    "C206",
    ERROR,
    "Invalid DOI",
    "{value} is not a valid DOI",
    "write it as 10.NNNN/suffix, without https://doi.org/ and without whitespace",
    "A DOI with a resolver in front is an address.",
)
URL_FORM = Rule(
    "C207",
    ERROR,
    "Invalid address",
    "{value} is not a valid http(s) address",
    "write https://host/path; separate several by ' ; '",
    "Addresses become links, so only http and https are allowed, without user names or whitespace.",
)
NUMBER_FORM = Rule(
    "C208",
    ERROR,
    "Invalid number",
    "{value} is not a valid {kind}",
    "write plain ASCII digits{advice}",
    "Programs read ' 2025 ', '20_25' or Arabic digits differently.",
)
NUMBER_RANGE = Rule(
    "C209",
    ERROR,
    "Year out of range",
    "{value} is outside {advice}",
    "check the year",
    "Such a year is a typing error.",
)
DATE_FORM = Rule(
    "C210",
    ERROR,
    "Invalid date",
    "{value} is not a valid date: {advice}",
    "write YYYY, YYYY-MM or YYYY-MM-DD, as exact as is known",
    "Dates sort and compare as text.",
)
FORBIDDEN_CHARACTER = Rule(
    "C211",
    ERROR,
    "Forbidden character",
    "{column} contains {advice}",
    "remove it; it often comes with text copied from a PDF or a web page",
    "Control, direction and zero-width characters change what is read, compared and executed.",
)
FORMULA = Rule(
    "C212",
    ERROR,
    "Cell that a spreadsheet would run",
    "{column} starts with {advice}",
    "write the text so that it starts with a letter or a digit",
    "Spreadsheets take a cell that starts with = + - @ for a formula.",
)
PLACEHOLDER = Rule(
    "C213",
    ERROR,
    "Placeholder",
    "{column} {value} is a placeholder",
    "write the value, the declared term for unknown, or leave an optional cell empty",
    "Tools count a placeholder as a value.",
)
BLANKS = Rule(
    "C214",
    ERROR,
    "Stray whitespace",
    "{column} has {advice}",
    "rewrite the cell with single plain spaces",
    "Invisible whitespace makes equal values different.",
)
NOT_NFC = Rule(
    "C215",
    ERROR,
    "Not in Unicode normal form C",
    "{column} {value} is composed of separate accents",
    "run `corpus fmt`",
    "The same letter written in two ways compares as different.",
)
MARKUP = Rule(
    "C216",
    WARNING,
    "LaTeX in a cell",
    "{column} {value} contains LaTeX markup",
    "write the character itself, such as é",
    "The data is plain text and every output escapes it, so markup would be printed as is.",
)
MOJIBAKE = Rule(
    "C217",
    WARNING,
    "Wrongly decoded text",
    "{column} {value} looks like UTF-8 that was read as Latin-1",
    "restore the accented characters from the source",
    "A program that handled the file before has damaged the cell.",
)
NAMES_FORM = Rule(
    "C218",
    ERROR,
    "Invalid list of names",
    "{column} has an empty or a duplicate name",
    "separate names by '; ' and write each once",
    "A reader of the list cannot tell a missing name from a typing error.",
)
INCOMPLETE_DOI = Rule(
    "C220",
    ERROR,
    "Incomplete DOI",
    "{column} {value} begins a DOI ({advice}) that is not complete",
    "write the whole DOI, or another address",
    "It leads nowhere, and no duplicate is found by it.",
)
AGREEMENT = Rule(
    "C302",
    ERROR,
    "Contradicting cells",
    "{column} is {value}, but where {when} it must be {advice}",
    "change one of the cells; reason in the codebook: {reason}",
    "The codebook declares which terms belong together.",
)
SAME_IDENTIFIER = Rule(
    "C303",
    ERROR,
    "Duplicate work, by identifier",
    "{advice} is also the identifier of {other}",
    "keep one of the two rows, or correct the identifier",
    "Preprint and published version are one work.",
)
SAME_TITLE = Rule(
    "C304",
    ERROR,
    "Duplicate work, by title",
    "the title is the same as that of {other}",
    "keep one of the two rows; if they are two works, make their titles differ",
    "Titles are compared without case, accents, punctuation and whitespace.",
)
NEAR_TITLE = Rule(
    "C305",
    WARNING,
    "Nearly the same title",
    "the title is {advice} % the same as that of {other}",
    "if they are one work, keep one row; else accept the warning: "
    "`corpus check --explain C305` shows how",
    "Retitled versions are the most common way to count a work twice.",
)
ARXIV_YEAR = Rule(
    "C306",
    WARNING,
    "arXiv identifier and year disagree",
    "the identifier was assigned in {advice}, the year is {year}",
    "check both; a work is seldom dated before its preprint or more than three years after it",
    "The identifier's month is a fact; a year far from it is often an error.",
)
ARXIV_URL = Rule(
    "C307",
    ERROR,
    "arXiv address and identifier disagree",
    "the address names arXiv:{advice}, the identifier is {other}",
    "correct one of the two",
    "Two identifiers in one row are two works.",
)
IDENTIFIER_ADDRESS = Rule(
    "C318",
    ERROR,
    "Identifier and address disagree",
    "the address names {advice}, the identifier is {value}",
    "correct one of the two",
    "Two identifiers of one kind in one row are two works.",
)
VENUE_YEAR = Rule(
    "C310",
    WARNING,
    "Year and venue disagree",
    "the year is {value}, the venue is {venue}",
    "write the year of the venue",
    "Printed, such a reference contradicts itself.",
)
DANGLING = Rule(
    "C401",
    ERROR,
    "Reference to a missing row",
    "{column} {value} is not in {other}",
    "{advice}",
    "The key was renamed on one side only, or the row is missing.",
)
NO_BIBLIOGRAPHY = Rule(
    "C402",
    ERROR,
    "Entry without bibliography",
    "{value} has no row in {other}",
    "add a row with authors and first public date",
    "Exports and the timeline need authors and a date for every entry.",
)
EXCLUDED_WORK = Rule(
    "C403",
    ERROR,
    "Excluded work in the pool",
    "{advice} is also that of {other}, which is excluded",
    "remove the exclusion if the work is retained now",
    "A record is retained or excluded, never both.",
)
NEAR_EXCLUDED = Rule(
    "C404",
    WARNING,
    "Title near an excluded record",
    "the title is {advice} % the same as that of {other}, which is excluded",
    "if it is the same work, decide once; else accept the warning: "
    "`corpus check --explain C404` shows how",
    "A work may come back under another title.",
)
CORRECTION = Rule(
    "C405",
    ERROR,
    "Correction that the pool contradicts",
    "the correction sets {column} to {value}, the pool has {other}",
    "make both the same",
    "The corrections tell readers where the pool differs from its published snapshot.",
)
MIRROR = Rule(
    "C406",
    ERROR,
    "Copied tag that differs",
    "{column} is {value}, the pool has {other}",
    "judge the row again; if the judgement still applies: "
    "`corpus edit KEY --set {mirrors}={other} --set {column}={other}`",
    "The row judges another tag than the pool has.",
)
PROTOCOL = Rule(
    "C407",
    ERROR,
    "Not in the protocol",
    "{column} {value} is not declared in the protocol",
    "{advice}",
    "What the protocol does not name was not planned.",
)
AUTHORS = Rule(
    "C409",
    WARNING,
    "First author disagrees",
    "the first author is {value} here and {other} in the pool",
    "correct one of the two",
    "Family names are compared.",
)
FIRST_PUBLIC = Rule(
    "C411",
    WARNING,
    "First public after the preprint",
    "first public {value}, but the arXiv identifier was assigned in {other}",
    "the preprint was public by then; check the date",
    "A work is first public no later than its preprint.",
)
ARXIV_DOI = Rule(
    "C412",
    ERROR,
    "arXiv DOI and identifier disagree",
    "the DOI is that of arXiv:{advice}, the entry has {other}",
    "write the same identifier in both; a work with an arXiv DOI is on arXiv",
    "The DOI of arXiv is the identifier with a prefix.",
)
NO_REASON = Rule(
    "C413",
    WARNING,
    "Excluded record without a coded reason",
    "{value} has no row in {other}",
    "add a row with the reason that decides",
    "Counts of reasons would leave the record out.",
)
SAME_PERSON = Rule(
    "C414",
    WARNING,
    "One person, two spellings",
    "{value} is also written {other}",
    "write the name in one way",
    "Indexes list the two as two persons. Names are compared by their words, without order, "
    "accents and punctuation.",
)
UNUSED_ACCEPTANCE = Rule(
    "C501",
    WARNING,
    "Unused accepted warning",
    "{code} no longer occurs for {value}",
    "remove the row",
    "A longer list than needed hides the next real warning.",
)
TODO = Rule(
    "C002",
    WARNING,
    "Definition is still to be written",
    "{value}: {texts} still to be written",
    "replace what begins with TODO by what it means to you",
    "Without a definition a term means something else to each person.",
)
OPEN_CELL = Rule(
    "C223",
    TO_DO,
    "Cells are still to be filled",
    "still to be filled in {value}: {cells}",
    "corpus edit {key} --set COLUMN=VALUE",
    "An entry counts for no term until it has one, and a release waits for it.",
)
LOOK_ALIKE = Rule(
    "C221",
    ERROR,
    "Look-alike letter of another script",
    "{value} has {advice} inside a Latin word",
    "write the Latin letter",
    "Texts are compared letter by letter. A word that mixes scripts is a mistake of a scan, or "
    "meant to deceive.",
)
CAPITALS = Rule(
    "C222",
    WARNING,
    "Title in capitals",
    "the title is in capital letters: {value}",
    "write it as the work does in a sentence or in title case",
    "Capitals hide which words are names and acronyms.",
)
IMPOSSIBLE = Rule(
    "C311",
    ERROR,
    "Cells that are impossible together",
    "{column} is {value} where {when}",
    "change one of the cells, or the codebook: it declares that {reason}",
    "Impossible combinations are left out where gaps are counted.",
)
KEY_CASE = Rule(
    "C312",
    ERROR,
    "Keys that differ only by case",
    "{value} differs from {other} by capital letters only",
    "rename one of the two: `corpus edit KEY --set key=NEW`",
    "File systems and BibTeX take them for one.",
)
SAME_ADDRESS = Rule(
    "C313",
    WARNING,
    "The same address twice",
    "the address {advice} is also that of {other}",
    "give each work its own address, or keep one row",
    "Two rows with one address are one work, or one was copied from the other.",
)
INSECURE_ADDRESS = Rule(
    "C314",
    WARNING,
    "http where https exists",
    "{advice} is served by https as well",
    "write https://",
    "One page under two addresses is not recognised as one. A host counts where it is a known "
    "archive, or where another address of the corpus has it.",
)
PUBLICATION_YEAR = Rule(
    "C315",
    WARNING,
    "Year and first public date disagree",
    "the year is {value}, but {other} was first public in {advice}",
    "write the year of the venue, or else that of the first public version",
    "[years] of the codebook declares how many years after its first public date a work may be "
    "published.",
)
KEY_YEAR = Rule(
    "C316",
    WARNING,
    "Year in the key disagrees",
    "the key ends in {advice}, the work is of {other}",
    "correct the year, or rename the entry: `corpus edit KEY --set key=NEW`",
    "Where the codebook declares years in keys, such a year is that of the first public version, "
    "of the venue, or one between.",
)
COPIED = Rule(
    "C317",
    WARNING,
    "The same sentence in two rows",
    "the text is also that of {other}: {advice}",
    "describe each work in words of its own",
    "A sentence that fits two works was most likely left behind when a row was copied.",
)
EXCLUSION_DATE = Rule(
    "C415",
    WARNING,
    "Screened before it could be",
    "screened on {value}, {advice}",
    "correct the date, or the first query of the protocol",
    "Nothing was screened before the first query. Records after the cutoff are right: a release "
    "moves the cutoff.",
)
EXCLUSION_STAGE = Rule(
    "C416",
    ERROR,
    "Stage that the criterion cannot have",
    "{other} applies criterion {value}, which does not decide at stage {advice}",
    "correct the stage or the criterion",
    "Whoever has only seen the abstract cannot have judged what the full text gives.",
)
EMPTY_CORRECTION = Rule(
    "C417",
    ERROR,
    "Correction that changes nothing",
    "{column} is {value} before and after",
    "write the published value, or remove the row",
    "A correction is a difference from the published snapshot.",
)
SOURCE_TITLE = Rule(
    "C420",
    WARNING,
    "Title differs from the source",
    "the title is {value}, {other} states {advice}",
    "correct the title, or add a row to the table of corrections",
    "Titles are compared without case, accents, punctuation and whitespace; one of an entry's "
    "source records must state the title.",
)
SOURCE_AUTHORS = Rule(
    "C421",
    WARNING,
    "Authors differ from the source",
    "{other} states other authors: {advice}",
    "correct the names, or add a row to the table of corrections",
    "Names are compared in order, without case, accents and punctuation.",
)
SOURCE_DOI = Rule(
    "C422",
    ERROR,
    "DOI that no source states",
    "the DOI is {value}, {other} states {advice}",
    "correct the DOI, or add the source record that states it",
    "A valid DOI can be that of another work. The DOI of the published version is preferred.",
)
SOURCE_IDENTIFIER = Rule(
    "C423",
    ERROR,
    "Identifier of another work",
    "the identifier is {value}, {other} is about {advice}",
    "correct the identifier, or add its source record",
    "One wrong digit leads to another work.",
)
SOURCE_ADDRESS = Rule(
    "C424",
    WARNING,
    "Address of another work",
    "the address leads to {value}, {other} is about {advice}",
    "correct the address, or add its source record",
    "A reader follows the address first.",
)
SOURCE_DATE = Rule(
    "C425",
    WARNING,
    "Date differs from the source",
    "first public {value}, but {other} states {advice}",
    "correct the date, or add the source record of an older version",
    "Dates are compared as exactly as both are given; the oldest source record counts.",
)
SOURCE_VENUE = Rule(
    "C426",
    WARNING,
    "Venue differs from the source",
    "the venue is {value}, {other} states {advice}",
    "correct the venue, or add a row to the table of corrections",
    "Of several source records, one must state the venue.",
)
WITHDRAWN = Rule(
    "C427",
    WARNING,
    "Withdrawn work",
    "{other} states that {value} was withdrawn",
    "decide whether the entry stays; then accept the warning with the reason: "
    "`corpus check --explain C427` shows how",
    "It cannot be evidence for what it claimed.",
)
RECORD_IDENTIFIER = Rule(
    "C428",
    ERROR,
    "Source record with a wrong identifier",
    "{value} {advice}",
    "write arXiv:, DOI:, OpenReview: or ACL: and the identifier, or a whole address",
    "A source record is about one identifier of one entry.",
)
WEAKENED = Rule(
    "C431",
    ERROR,
    "Weaker check",
    "{value} {advice}",
    "if it is meant, a maintainer adds a row to the accepted table: code C431, file {other}, "
    "row {value}, and the reason",
    "`corpus diff` reports it. Data that passes because a rule was removed looks like data that "
    "was always right.",
)
NO_ROW = Rule(
    "C418",
    TO_DO,
    "Entry without a row in a complete table",
    "{value} has no row in {other} yet",
    "add it: corpus edit {key} --set {table}.COLUMN=VALUE",
    "The codebook declares the table as complete. Only a release waits for the row.",
)
NO_NUMBER = Rule(
    "C419",
    TO_DO,
    "Excluded record without a number",
    "{value} gets its number after the merge",
    "on the default branch: corpus number",
    "Two branches would take the same number, so the default branch numbers records, with every "
    "row that refers to them.",
)
UNLOGGED_TAG = Rule(
    "C432",
    ERROR,
    "Tag of a released entry without a correction",
    "{column} of {other} changes from {advice} to {value}, and no correction has it",
    "add a row with the new value and the evidence to the table of corrections",
    "`corpus diff` reports it. Readers must find what was changed since the release, and why.",
)
DROPPED_CORRECTION = Rule(
    "C433",
    ERROR,
    "Correction removed while the difference remains",
    "{column} still is {value}, and {other} does not explain it any more",
    "restore the row, or the published value",
    "`corpus diff` reports it. A cell that differs from the published snapshot needs its evidence.",
)
PROTOCOL_MISTAKE = Rule(
    "C441",
    ERROR,
    "Mistake in the protocol",
    "{place}: {problem}",
    "correct the protocol; docs/codebook-format.md describes the keys that are checked",
    "A misspelt key is a rule or a date that nobody checks.",
)
PROPOSED_ACCEPTANCE = Rule(
    "C442",
    WARNING,
    "Accepted by the change itself",
    "{value} is accepted by the change that it is about, and counts as not accepted",
    "a maintainer decides: by the merge, or by a commit of this row alone before it",
    "`corpus diff` and `corpus check --since` report it: who proposes a change does not accept "
    "what it breaks.",
)
FOREIGN_HOST = Rule(
    "C443",
    WARNING,
    "Address at a host that looks like another",
    "the host {advice} is not {other}",
    "write the address at {other}; a mirror that is meant is accepted with its reason",
    "A copy elsewhere can be another text; a host that is named like an archive is not it.",
)
CONTRADICTING_SEARCH = Rule(
    "C444",
    WARNING,
    "Search that the protocol does not have",
    "search {value}: {problem}",
    "make searches and protocol tell the same",
    "The log is read as what the protocol describes.",
)
PDF_ADDRESS = Rule(
    "C445",
    WARNING,
    "Address of a PDF at an archive",
    "the page of the work is {advice}",
    "write the address of the page: `corpus check --fix`",
    "A PDF is one version of the work; the page names every version, and whether the work was "
    "withdrawn.",
)
