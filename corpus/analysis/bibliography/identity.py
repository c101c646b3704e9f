"""Whether two descriptions are of one work, and what shows it.

Identifiers decide first. Two different ones of a kind are of two works, whatever the titles; that
of a preprint server does not contradict that of a publisher. Without identifiers it takes authors,
year, title and the numbers in it; where these do not decide, a person has to.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import NamedTuple

from rapidfuzz import fuzz
from rapidfuzz.distance import OSA

from corpus.model.identifiers import NormalTitle, ascii_text, normal_title
from corpus.model.work import Work

SAME, DIFFERENT, ASK = "same", "different", "ask"
#: From this similarity of normal titles on (percent), two titles are nearly the same.
NEAR = 90.0


class Judgement(NamedTuple):
    """What two descriptions are (:data:`SAME`, :data:`DIFFERENT`, :data:`ASK`), and why."""

    verdict: str
    reason: str


#: Registrants whose DOIs are those of preprints and deposits.
_PREPRINTS = re.compile(
    r"doi:10\.(?:(?P<server>2139|20944|21203|22541|26434|31219|3123[1-9]|31730|36227|47340|48448"
    r"|5281|6084|14293|32942|33774|48550|55458|64898)/|(?P<cshl>1101)/[0-9]|(?P<jmir>2196)/preprints)"
)
#: Versions of one preprint have DOIs of their own.
_VERSION = re.compile(r"(?<=[0-9])(?:/?v|\.v)[0-9]+$")
#: A work is submitted anew under another number.
_RESUBMITTED = ("openreview",)


def identifiers_by_kind(identities: Iterable[str]) -> dict[str, set[str]]:
    """Return identifiers by kind: a work has one of each, but for the DOIs of preprint servers.

    Examples
    --------
    >>> sorted(identifiers_by_kind(["doi:10.31235/osf.io/x", "doi:10.1234/y"]))
    ['doi', 'preprint 31235']
    """
    kinds: dict[str, set[str]] = {}
    for identity in identities:
        kind = identity.partition(":")[0]
        server = _PREPRINTS.match(identity)
        if server:
            kind = f"preprint {server[server.lastgroup or 0]}"
            identity = _VERSION.sub("", identity)
        kinds.setdefault(kind, set()).add(identity)
    return kinds


def contradiction(first: Mapping[str, set[str]], second: Mapping[str, set[str]]) -> str:
    """Return the kind of which two works have different identifiers, or an empty string."""
    for kind in sorted(first.keys() & second.keys()):
        if first[kind].isdisjoint(second[kind]):
            return kind
    return ""


#: What makes a title that of another work about the work: a correction, an artifact, an answer.
#: Databases write some of it behind the title: "- Reply", "(vol 360, pg 542, 2009)".
_ABOUT = re.compile(
    r"\W*(?:errat(?:um|a)|corrigend(?:um|a)|correction|addendum|expression of concern|reply"
    r"|art[ei]facts?|supplement(?:ary)?(?: material)?|appendix|replication package|data"
    r"|code|(?:author'?s? )?response|comment(?:s|ary)?|discussion|review|a? ?note|poster|demo"
    r"|tutorial|video|slides)(?= (?:to|on|for|of)\b|\s*:)"
    r"|.*(?:[-–—:.] ?(?:authors?'? )?reply|\(vol\.? [0-9]+, pg?\.? [^()]+\)|\(art[ei]fact\))\W*$",
    re.IGNORECASE,
)
#: Marks of a work that is retracted, or of its short form: a person has to look at it.
_MARK = re.compile(
    r"^\W*(?:retract(?:ed(?: article)?|ion(?: note)?)|withdrawn)\b\W*"
    r"|\s?[(\[](?:retracted\b[^()\[\]]{0,80}|extended abstract|short paper|poster|demo)[)\]]\W*$",
    re.IGNORECASE,
)
#: What databases add behind a title: its language, that it is a review, what appeared about it.
_REMARKS = re.compile(
    r"(?<=\S)(?:\s*\[(?:(?!abstract|reply|letter|data|code|video)[a-z]+(?:; [a-z]+)*"
    r"|[0-9]+ refs|(?:erratum|corrigendum|published|summary|see comments?)\b[^]]*)(?:\]|$)\.?)+$",
    re.IGNORECASE,
)
_WORDS = """
generic: a abstracts address an and announcement annual authors award book books calendar call
  chair chairs column committee conference contents contributors corner corrections cover editor
  editorial editors errata foreword from front guest highlights in index information instructions
  introduction introductory issue issues journal keynote letter letters list matter message news
  newsletter note notes obituary of on organization papers preface proceedings program report
  reports review reviewers reviews s section session special summary symposium table the this to
  tutorials volume welcome workshop workshops year yearly
serial: annual yearly quarterly monthly weekly report reports statistics highlights news
small: a an and at by for from in of on the to via with
counted: one two three four five six seven eight nine ten eleven twelve
ordinal: first second third fourth fifth sixth seventh eighth ninth tenth
roman: i ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi xvii xviii xix xx
before: part parts volume vol phase chapter no number stage study type group class series book level
  version paper section appendix experiment case step task track
"""


def _listed(kind: str) -> list[str]:
    line = re.search(rf"^{kind}:(.*(?:\n  .*)*)", _WORDS, re.MULTILINE)
    return line[1].split() if line else []


#: Titles of sections and series: many works have them.
_GENERIC, _SERIAL, _SMALL = (frozenset(_listed(kind)) for kind in ("generic", "serial", "small"))
_BEFORE_A_NUMBER = frozenset(_listed("before"))
_COUNTED = {
    word: str(number)
    for kind in ("counted", "ordinal", "roman")
    for number, word in enumerate(_listed(kind), 1)
}
_ROMAN = frozenset(_listed("roman"))
#: Titles of so many different words are those of columns and sections.
_SHORT = 5
#: Where preprints appear.
_SERVER = re.compile(
    r"xiv\b|preprint|\bssrn\b|\bcorr\b|working paper|research square|openreview", re.IGNORECASE
)
#: Years between a preprint and its publication.
_LAG = 3
_WORD = re.compile(r"[^\W_]+(?:\.[0-9]+)*")


def compare(first: Work, second: Work) -> Judgement:
    """Judge whether two descriptions are of one work.

    Examples
    --------
    >>> one = Work(title="Wet sensing part I: theory", authors=("Ried, Di",), year="2021")
    >>> compare(one, one._replace(title="Wet sensing part II: theory"))
    Judgement(verdict='different', reason='the numbers in the titles differ')
    >>> compare(one, one._replace(title="Wet sensin part I: theory", year="2022")).verdict
    'same'
    >>> compare(one._replace(doi="10.1234/a"), one._replace(doi="10.1234/b"))
    Judgement(verdict='different', reason='they have different identifiers of one kind (doi)')
    """
    is_marked = bool(_MARK.search(first.title)) != bool(_MARK.search(second.title))
    first, second = (work._replace(title=_bare(work.title)) for work in (first, second))
    kinds, others = map(identifiers_by_kind, (first.identities, second.identities))
    kind = contradiction(kinds, others)
    shared = sorted(set().union(*kinds.values()) & set().union(*others.values()))
    if shared and kind not in ("", *_RESUBMITTED):
        return Judgement(ASK, f"they share {shared[0]}, but not the {kind}")
    authors = [_family_words(work.authors[0]) for work in (first, second) if work.authors]
    # Abstracts in one supplement have its DOI, and one group of people writes several of them.
    is_other = len(authors) == 2 and authors[0].isdisjoint(authors[1])
    if shared and is_other and fuzz.ratio(first.normal, second.normal) < NEAR:
        return Judgement(ASK, f"they share {shared[0]}, but neither title nor first author")
    if shared:
        return Judgement(SAME, shared[0])
    if kind and kind not in _RESUBMITTED:
        return Judgement(DIFFERENT, f"they have different identifiers of one kind ({kind})")
    by_title = _compare_titles(first, second)
    if is_marked and by_title.verdict == SAME:
        return Judgement(ASK, "one of them is retracted, or an abstract")
    if kind and by_title.verdict == SAME:
        return Judgement(ASK, f"they have different identifiers of one kind ({kind})")
    return by_title


def compared_title(work: Work) -> NormalTitle:
    """Return the normal title of a work without what databases add to it.

    Examples
    --------
    >>> compared_title(Work(title="RETRACTED: [Peat in winter]. [Review] [88 refs] [Spanish]"))
    'peatinwinter'
    """
    return normal_title(_bare(work.title))


def _bare(title: str) -> str:
    return _REMARKS.sub("", _MARK.sub("", title))


def _compare_titles(first: Work, second: Work) -> Judgement:
    one, other = first.normal, second.normal
    if not one or not other:
        return Judgement(DIFFERENT, "nothing that they share is known")
    if one != other and fuzz.ratio(one, other) < NEAR:
        return Judgement(DIFFERENT, "the titles differ")
    if bool(_ABOUT.match(first.title)) != bool(_ABOUT.match(second.title)):
        return Judgement(DIFFERENT, "one is about the other")
    numbers = _numbers(first.title), _numbers(second.title)
    if one != other and numbers[0] != numbers[1]:
        if all(numbers):
            return Judgement(DIFFERENT, "the numbers in the titles differ")
        return Judgement(ASK, "one title has a number more")
    if one == other:
        return _compare_equal_titles(first, second)
    same_author, gap = share_first_author(first, second), _years_between(first, second)
    if not same_author or gap is None:
        return Judgement(ASK, "nearly the same title, and authors or years do not show it")
    if gap > 1:
        return Judgement(ASK, f"nearly the same title, {gap} years apart")
    if gap and _are_two_publications(first, second, gap):
        return Judgement(ASK, "nearly the same title in another year and venue")
    if not _is_typing_error(first.title, second.title):
        return Judgement(ASK, "nearly the same title; other words")
    return Judgement(SAME, "nearly the same title, first author and year")


def _compare_equal_titles(first: Work, second: Work) -> Judgement:
    words = set(_WORD.findall(ascii_text(first.title)))
    same_author, gap = share_first_author(first, second), _years_between(first, second)
    is_generic = words <= _GENERIC
    if same_author is False:
        verdict = DIFFERENT if is_generic else ASK
        return Judgement(verdict, "the same title, another first author")
    if is_generic:
        return Judgement(ASK, "the same title, which many works have")
    is_short = len(words) <= _SHORT and (same_author is None or _is_one_venue(first, second))
    if gap and (is_short or not words.isdisjoint(_SERIAL)):
        return Judgement(ASK, "the same title in another year, as a series has it")
    if gap and gap > _LAG:
        return Judgement(ASK, f"the same title, {gap} years apart")
    if gap and _are_two_publications(first, second, gap):
        return Judgement(ASK, "the same title in another year and venue")
    return Judgement(SAME, "title")


def _are_two_publications(first: Work, second: Work, gap: int) -> bool:
    """Whether two works of different years are no preprint, and not one issue of one venue.

    An abstract of a conference and the article about it have one title.
    """
    for work in (first, second):
        if work.arxiv or not work.venue or _SERVER.search(work.venue):
            return False
    return gap > 1 or not _is_one_venue(first, second)


def _is_one_venue(first: Work, second: Work) -> bool:
    """Whether two venues may be one: all words of one are in the other, or begin alike."""
    one, other = (set(_WORD.findall(ascii_text(work.venue))) - _SMALL for work in (first, second))
    few, many = sorted((one, other), key=len)
    return all(any(each.startswith(word) or word.startswith(each) for each in many) for word in few)


def share_first_author(first: Work, second: Work) -> bool | None:
    """Return whether the first author of one is an author of the other; None where one has none.

    Databases sort authors in different ways. Initials, accents and the order of the parts of a name
    do not matter.
    """
    if not first.authors or not second.authors:
        return None
    return any(
        not _family_words(one.authors[0]).isdisjoint(_name_words(" ".join(other.authors)))
        for one, other in ((first, second), (second, first))
    )


def _family_words(name: str) -> set[str]:
    return _name_words(name.partition(",")[0])


def _name_words(name: str) -> set[str]:
    """Return the words of a name that are no initials, without accents."""
    words = {word for word in _WORD.findall(ascii_text(name)) if len(word) > 1}
    # Names in other scripts have no ASCII; a name of one letter is all that is known.
    words |= set(re.findall(r"[^\W\d_\x00-\u024f]+", name))
    return words or {name.strip().casefold()}


def _years_between(first: Work, second: Work) -> int | None:
    years = [re.match("[0-9]{4}", work.year or work.first_public) for work in (first, second)]
    if not years[0] or not years[1]:
        return None
    return abs(int(years[0][0]) - int(years[1][0]))


def _numbers(title: str) -> Counter[str]:
    """Return the numbers of a title: digits, Roman numerals, counted words, single letters."""
    found: Counter[str] = Counter()
    before = ""
    words = _WORD.findall(title)
    for place, word in enumerate(words):
        folded = word.casefold()
        counts = before in _BEFORE_A_NUMBER
        is_last = place == len(words) - 1
        is_numeral = counts or (word.isupper() and (len(word) > 1 or is_last))
        if folded in _COUNTED and (is_numeral or folded not in _ROMAN):
            found[_COUNTED[folded]] += 1
        elif len(word) == 1 and word.isalpha() and (counts or is_last):
            found[folded] += 1
        found.update(str(int(digits)) for digits in re.findall("[0-9]+", word) if digits.isascii())
        before = folded
    return found


def _is_typing_error(one: str, other: str) -> bool:
    """Whether two titles differ by spelling: a letter of a long word, small words, a hyphen."""
    first, second = (_WORD.findall(title.casefold()) for title in (one, other))
    for tag, start, end, begin, stop in SequenceMatcher(None, first, second, False).get_opcodes():
        before, after = first[start:end], second[begin:stop]
        if tag == "equal" or "".join(before) == "".join(after):
            continue
        for word, changed in zip_longest(before, after, fillvalue=""):
            # "Men" and "women" differ by two letters, "affect" and "effect" by the first one.
            is_near = OSA.distance(word, changed) == 1 and word[:1] == changed[:1]
            is_long = min(len(word), len(changed)) >= 5 and f"{word}{changed}".isascii()
            if not {word, changed} <= {"", *_SMALL} and not (is_long and is_near):
                return False
    return True
