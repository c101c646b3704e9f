"""What can be wrong with cells, rows and cross-references."""

from corpus.model.finding import TO_DO, WARNING, Rule

#: How the name of an excluded record begins that has no number yet.
UNNUMBERED = "new-"

KEY_FORM = Rule(
    "C203",
    "{value} is not a valid key",
    "use letters a-z, digits and single hyphens, at most 80 characters; for example {advice}",
)
ARXIV_FORM = Rule("C204", "{value} is not a valid arXiv identifier", "{advice}")
ARXIV_FUTURE = Rule("C205", "{value} would be assigned in {month}", "check the digits")
DOI_FORM = Rule(
    "C206",
    "{value} is not a valid DOI",
    "write it as 10.NNNN/suffix, without https://doi.org/ and without whitespace",
)
URL_FORM = Rule(
    "C207",
    "{value} is not a valid http(s) address",
    "write https://host/path; separate several by ' ; '",
)
NUMBER_FORM = Rule("C208", "{value} is not a valid {kind}", "write plain ASCII digits{advice}")
NUMBER_RANGE = Rule("C209", "{value} is outside {advice}", "check the year")
DATE_FORM = Rule(
    "C210",
    "{value} is not a valid date: {advice}",
    "write YYYY, YYYY-MM or YYYY-MM-DD, as exact as is known",
)
FORBIDDEN_CHARACTER = Rule(
    "C211",
    "{column} contains {advice}",
    "remove it; it often comes with text copied from a PDF or a web page",
)
FORMULA = Rule(
    "C212",
    "{column} starts with {advice}",
    "write the text so that it starts with a letter or a digit",
)
PLACEHOLDER = Rule(
    "C213",
    "{column} {value} is a placeholder",
    "write the value, the declared term for unknown, or leave an optional cell empty",
)
BLANKS = Rule("C214", "{column} has {advice}", "rewrite the cell with single plain spaces")
NOT_NFC = Rule("C215", "{column} {value} is composed of separate accents", "run `corpus fmt`")
MARKUP = Rule(
    "C216",
    "{column} {value} contains LaTeX markup",
    "write the character itself, such as é",
    WARNING,
)
MOJIBAKE = Rule(
    "C217",
    "{column} {value} looks like UTF-8 that was read as Latin-1",
    "restore the accented characters from the source",
    WARNING,
)
NAMES_FORM = Rule(
    "C218",
    "{column} has an empty or a duplicate name",
    "separate names by '; ' and write each once",
)
INCOMPLETE_DOI = Rule(
    "C220",
    "{column} {value} begins a DOI ({advice}) that is not complete",
    "write the whole DOI, or another address",
)
AGREEMENT = Rule(
    "C302",
    "{column} is {value}, but where {when} it must be {advice}",
    "change one of the cells; reason in the codebook: {reason}",
)
SAME_IDENTIFIER = Rule(
    "C303",
    "{advice} is also the identifier of {other}",
    "keep one of the two rows, or correct the identifier",
)
SAME_TITLE = Rule(
    "C304",
    "the title is the same as that of {other}",
    "keep one of the two rows; if they are two works, make their titles differ",
)
NEAR_TITLE = Rule(
    "C305",
    "the title is {advice} % the same as that of {other}",
    "if they are one work, keep one row; else accept the warning: "
    "`corpus check --explain C305` shows how",
    WARNING,
)
ARXIV_YEAR = Rule(
    "C306",
    "the identifier was assigned in {advice}, the year is {year}",
    "check both; a work is seldom dated before its preprint or more than three years after it",
    WARNING,
)
ARXIV_URL = Rule(
    "C307", "the address names arXiv:{advice}, the identifier is {other}", "correct one of the two"
)
IDENTIFIER_ADDRESS = Rule(
    "C318", "the address names {advice}, the identifier is {value}", "correct one of the two"
)
VENUE_YEAR = Rule(
    "C310", "the year is {value}, the venue is {venue}", "write the year of the venue", WARNING
)
DANGLING = Rule("C401", "{column} {value} is not in {other}", "{advice}")
NO_BIBLIOGRAPHY = Rule(
    "C402", "{value} has no row in {other}", "add a row with authors and first public date"
)
EXCLUDED_WORK = Rule(
    "C403",
    "{advice} is also that of {other}, which is excluded",
    "remove the exclusion if the work is retained now",
)
NEAR_EXCLUDED = Rule(
    "C404",
    "the title is {advice} % the same as that of {other}, which is excluded",
    "if it is the same work, decide once; else accept the warning: "
    "`corpus check --explain C404` shows how",
    WARNING,
)
CORRECTION = Rule(
    "C405", "the correction sets {column} to {value}, the pool has {other}", "make both the same"
)
MIRROR = Rule(
    "C406",
    "{column} is {value}, the pool has {other}",
    "judge the row again; if the judgement still applies: "
    "`corpus edit KEY --set {mirrors}={other} --set {column}={other}`",
)
PROTOCOL = Rule("C407", "{column} {value} is not declared in the protocol", "{advice}")
AUTHORS = Rule(
    "C409",
    "the first author is {value} here and {other} in the pool",
    "correct one of the two",
    WARNING,
)
FIRST_PUBLIC = Rule(
    "C411",
    "first public {value}, but the arXiv identifier was assigned in {other}",
    "the preprint was public by then; check the date",
    WARNING,
)
ARXIV_DOI = Rule(
    "C412",
    "the DOI is that of arXiv:{advice}, the entry has {other}",
    "write the same identifier in both; a work with an arXiv DOI is on arXiv",
)
NO_REASON = Rule(
    "C413", "{value} has no row in {other}", "add a row with the reason that decides", WARNING
)
SAME_PERSON = Rule("C414", "{value} is also written {other}", "write the name in one way", WARNING)
UNUSED_ACCEPTANCE = Rule("C501", "{code} no longer occurs for {value}", "remove the row", WARNING)
TODO = Rule(
    "C002",
    "{value}: {texts} still to be written",
    "replace what begins with TODO by what it means to you",
    WARNING,
)
OPEN_CELL = Rule(
    "C223", "still to be filled in {value}: {cells}", "corpus edit {key} --set COLUMN=VALUE", TO_DO
)
LOOK_ALIKE = Rule("C221", "{value} has {advice} inside a Latin word", "write the Latin letter")
CAPITALS = Rule(
    "C222",
    "the title is in capital letters: {value}",
    "write it as the work does in a sentence or in title case",
    WARNING,
)
IMPOSSIBLE = Rule(
    "C311",
    "{column} is {value} where {when}",
    "change one of the cells, or the codebook: it declares that {reason}",
)
KEY_CASE = Rule(
    "C312",
    "{value} differs from {other} by capital letters only",
    "rename one of the two: `corpus edit KEY --set key=NEW`",
)
SAME_ADDRESS = Rule(
    "C313",
    "the address {advice} is also that of {other}",
    "give each work its own address, or keep one row",
    WARNING,
)
INSECURE_ADDRESS = Rule("C314", "{advice} is served by https as well", "write https://", WARNING)
PUBLICATION_YEAR = Rule(
    "C315",
    "the year is {value}, but {other} was first public in {advice}",
    "write the year of the venue, or else that of the first public version",
    WARNING,
)
KEY_YEAR = Rule(
    "C316",
    "the key ends in {advice}, the work is of {other}",
    "correct the year, or rename the entry: `corpus edit KEY --set key=NEW`",
    WARNING,
)
COPIED = Rule(
    "C317",
    "the text is also that of {other}: {advice}",
    "describe each work in words of its own",
    WARNING,
)
EXCLUSION_DATE = Rule(
    "C415",
    "screened on {value}, {advice}",
    "correct the date, or the first query of the protocol",
    WARNING,
)
EXCLUSION_STAGE = Rule(
    "C416",
    "{other} applies criterion {value}, which does not decide at stage {advice}",
    "correct the stage or the criterion",
)
EMPTY_CORRECTION = Rule(
    "C417", "{column} is {value} before and after", "write the published value, or remove the row"
)
SOURCE_TITLE = Rule(
    "C420",
    "the title is {value}, {other} states {advice}",
    "correct the title, or add a row to the table of corrections",
    WARNING,
)
SOURCE_AUTHORS = Rule(
    "C421",
    "{other} states other authors: {advice}",
    "correct the names, or add a row to the table of corrections",
    WARNING,
)
SOURCE_DOI = Rule(
    "C422",
    "the DOI is {value}, {other} states {advice}",
    "correct the DOI, or add the source record that states it",
)
SOURCE_IDENTIFIER = Rule(
    "C423",
    "the identifier is {value}, {other} is about {advice}",
    "correct the identifier, or add its source record",
)
SOURCE_ADDRESS = Rule(
    "C424",
    "the address leads to {value}, {other} is about {advice}",
    "correct the address, or add its source record",
    WARNING,
)
SOURCE_DATE = Rule(
    "C425",
    "first public {value}, but {other} states {advice}",
    "correct the date, or add the source record of an older version",
    WARNING,
)
SOURCE_VENUE = Rule(
    "C426",
    "the venue is {value}, {other} states {advice}",
    "correct the venue, or add a row to the table of corrections",
    WARNING,
)
WITHDRAWN = Rule(
    "C427",
    "{other} states that {value} was withdrawn",
    "decide whether the entry stays; then accept the warning with the reason: "
    "`corpus check --explain C427` shows how",
    WARNING,
)
RECORD_IDENTIFIER = Rule(
    "C428",
    "{value} {advice}",
    "write arXiv:, DOI:, OpenReview: or ACL: and the identifier, or a whole address",
)
WEAKENED = Rule(
    "C431",
    "{value} {advice}",
    "if it is meant, a maintainer adds a row to the accepted table: code C431, file {other}, "
    "row {value}, and the reason",
)
NO_ROW = Rule(
    "C418",
    "{value} has no row in {other} yet",
    "add it: corpus edit {key} --set {table}.COLUMN=VALUE",
    TO_DO,
)
NO_NUMBER = Rule(
    "C419", "{value} gets its number after the merge", "on the default branch: corpus number", TO_DO
)
UNLOGGED_TAG = Rule(
    "C432",
    "{column} of {other} changes from {advice} to {value}, and no correction has it",
    "add a row with the new value and the evidence to the table of corrections",
)
DROPPED_CORRECTION = Rule(
    "C433",
    "{column} still is {value}, and {other} does not explain it any more",
    "restore the row, or the published value",
)
PROTOCOL_MISTAKE = Rule(
    "C441",
    "{place}: {problem}",
    "correct the protocol; docs/codebook-format.md describes the keys that are checked",
)
PROPOSED_ACCEPTANCE = Rule(
    "C442",
    "{value} is accepted by the change that it is about, and counts as not accepted",
    "a maintainer decides: by the merge, or by a commit of this row alone before it",
    WARNING,
)
FOREIGN_HOST = Rule(
    "C443",
    "the host {advice} is not {other}",
    "write the address at {other}; a mirror that is meant is accepted with its reason",
    WARNING,
)
CONTRADICTING_SEARCH = Rule(
    "C444", "search {value}: {problem}", "make searches and protocol tell the same", WARNING
)
PDF_ADDRESS = Rule(
    "C445",
    "the page of the work is {advice}",
    "write the address of the page: `corpus check --fix`",
    WARNING,
)
