"""Words of running text by what they do to a statement about the corpus, as stems.

A word that is in none of these lists and not in the codebook could restrict a statement in a way
that nobody understands, so the statement is not judged. Plurals have the stem of the singular.
"""

from corpus.publishing.manuscript.lexicon import stem


def word_set(text: str) -> frozenset[str]:
    """Return the stems of the words of a text.

    Examples
    --------
    >>> sorted(word_set("entries tag tags"))
    ['entry', 'tag']
    """
    return frozenset(map(stem, text.split()))


RECORDS = word_set("record candidate item")
TAGS = word_set("tag label value code")
POOL = word_set("pool corpus snapshot collection dataset")
RETAINED = word_set("retain retained retaining curate curated included keep kept")
EXCLUDED = word_set("exclude excluded exclusion rejected removed dropped discarded log logged")
AUDITED = word_set("audit audited screened examined assessed inspected")
COLUMNS = word_set("column field")
TABULAR = word_set("schema csv taxonomy exclusion")
NEGATIONS = word_set("no not without lack lacking none neither never")
IN_USE = word_set("use used populated occupied attested filled nonempty represented covered")
UNUSED = word_set("empty unused unpopulated unoccupied vacant")
#: Words for something other than the corpus.
ELSEWHERE = word_set("their his her al these those them another additional further other")
#: What a number behind them names is a part of the text.
REFERENCES = word_set("table figure fig section sec appendix eq equation step version chapter page")
#: Words that begin a clause of its own.
CLAUSES = word_set("while whereas but because although though")
#: Verbs between what is counted and what is stated of it.
VERBS = word_set(
    "is are was were have has had do does use used train trained attach attached assign carry"
    " carried bear fall fell belong rely adopt employ report receive follow define make account"
    " represent constitute combine pair tagged marked classified attaches lie lies occur appear"
    " cover target"
)
_FUNCTION_WORDS = word_set(
    "a an the this that which who all any only just exactly total overall altogether also still"
    " it its our we us i per each every them and or via of in into on at by for from with under"
    " to as so than then well therefore thus after during out up now today here there be been"
    " being having did"
)
_OTHER_VERBS = word_set(
    "adopted appear applied apply arranged assigned assigning bearing carrying coded combined"
    " comprise comprising consist contain containing count counted cover covered decompose"
    " decomposed defined describe described distinguish distinguishes distinguished divide"
    " divided draw employed evaluate evaluated find found get give given group grouped hold"
    " holding include including know accounting label labelled labeled lie lies list listed made"
    " mark classify categorize categorized observed occur organize organise organized paired"
    " present provide published reached reaching read release remain remained rest rewarded see"
    " seen separate share sit split stand target targeting training using credited left"
)
_NOUNS = word_set(
    "approach approaches arrangement assignment category code design document entry evaluation"
    " family form hand kind learning level method number paper phase public resource reward role"
    " schema scheme screening set setting signal stage step sum survey system tag task taxonomy"
    " tier topology type unit work"
)
_QUALIFIERS = word_set(
    "broad carefully current explicitly final finest full mainly manually single whole no"
)
#: Words that restrict nothing: they only carry a statement.
PLAIN = VERBS | _FUNCTION_WORDS | _OTHER_VERBS | _NOUNS | _QUALIFIERS
#: Words that join a label to the number of its entries, as in "is used by 15 entries".
LEADING = word_set("in by for of to at")
#: Words that no statement ends with.
JOINING = word_set("and or the a an of in with that to")
