"""Numbers as text: all digits written out, and numbers of running text read."""

import re
import unicodedata
from decimal import Decimal
from math import inf, isfinite

_TEENS = ("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen")
_UNITS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_ONES = ("zero", *_UNITS, "ten", "eleven", "twelve", *_TEENS)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
#: Words for numbers and their values.
VALUES = dict(zip(_ONES, range(20), strict=True))
VALUES |= zip(_TENS, range(20, 100, 10), strict=True)

#: Digits of the largest number that is read: no corpus counts more, and Python refuses to convert
#: thousands of them.
MOST_DIGITS = 18

#: Words that multiply what is before them: "two hundred and five", "a dozen".
_MULTIPLES = {"dozen": 12, "hundred": 100, "thousand": 1000}
_BELOW_HUNDRED = (
    rf"(?:(?:{'|'.join(_TENS)})[ \-](?:{'|'.join(_UNITS)})"
    rf"|{'|'.join([*reversed(_ONES), *_TENS])})"
)
_MULTIPLE = rf"[ \-](?:{'|'.join(_MULTIPLES)})\b"

#: A number: digits with or without separators, or words. Without groups; to be matched without
#: regard to case. "nineteen" comes before "nine", which is a part of it.
NUMBER = (
    rf"(?:(?<![\w.,])[0-9]{{1,3}}(?:,[0-9]{{3}}){{1,{MOST_DIGITS // 3 - 1}}}(?!,?[0-9])"
    rf"|(?<![\w.,\-])[0-9]{{1,{MOST_DIGITS}}}(?![0-9])"
    rf"|\b(?:a|{_BELOW_HUNDRED}){_MULTIPLE}(?:(?: and)?[ \-]{_BELOW_HUNDRED}\b|{_MULTIPLE})*"
    rf"|\b{_BELOW_HUNDRED}\b)"
)


def numeral(number: float) -> str:
    """Return a number with all of its digits; a whole one has no point.

    ``format(number, "g")`` keeps six digits, so that 1,000,001 and 1,000,002 would look the same.

    Examples
    --------
    >>> numeral(1_000_001), numeral(2.0), numeral(0.00001), numeral(float("nan"))
    ('1000001', '2', '0.00001', 'nan')
    """
    if not isfinite(number):
        return str(number)
    if number == int(number):
        return str(int(number))
    # The digits of the shortest form, not of the float, which may round the last one to another.
    return format(Decimal(str(number)), "f")


def number(value: float | None, digits: int = 4) -> str:
    """Write a measure for people.

    Whole numbers have separators, others so many significant digits, undefined ones a dash.

    Examples
    --------
    >>> number(1234567), number(0.123456), number(12345.6), number(None)
    ('1,234,567', '0.1235', '12,346', '-')
    """
    if value is None or value == inf:
        return "-"
    # Beyond it a double no longer has all digits of a whole number.
    if abs(value) >= 1e15:
        return f"{value:.{digits}g}"
    if value == int(value):
        return f"{int(value):,}"
    if abs(value) >= 10**digits:
        return f"{value:,.0f}"
    return f"{value:.{digits}g}"


def decimals(number: float) -> int:
    """Return how many decimal places a number has in its shortest form, such as 1 for 2.0.

    Examples
    --------
    >>> decimals(2.46), decimals(3), decimals(1e-05)
    (2, 0, 5)
    """
    return max(0, -int(Decimal(str(number)).as_tuple().exponent))


def parse_number(text: str) -> int:
    """Return the value of a text that :data:`NUMBER` matches.

    Examples
    --------
    >>> parse_number("1,500"), parse_number("Eighty-four"), parse_number("twelve")
    (1500, 84, 12)
    >>> parse_number("forty two"), parse_number("a hundred"), parse_number("Two thousand and five")
    (42, 100, 2005)
    """
    if text[0].isdigit():
        return int(text.replace(",", ""))
    total = current = 0
    for word in text.lower().replace("-", " ").split():
        if word == "thousand":
            total, current = total + 1000 * current, 0
        elif word in _MULTIPLES:
            current *= _MULTIPLES[word]
        elif word != "and":
            current += VALUES.get(word, 1)  # "a" hundred
    return total + current


#: Chinese numerals: two or more, or one that stands alone or before a word that counts.
_CHINESE = "〇零一二三四五六七八九十百千万亿兩两億壹贰叁肆伍陆柒捌玖拾佰仟壱弐参"
_IN_CHINESE = re.compile(
    rf"[{_CHINESE}]{{2,{MOST_DIGITS}}}"
    rf"|(?<![\u4e00-\u9fff])[{_CHINESE}](?![\u4e00-\u9fff])"
    rf"|[{_CHINESE}](?=[个個篇项項条條种種位部本名件])"
)


def _chinese(numeral: re.Match[str]) -> str:
    digits = [
        int(unicodedata.numeric(letter, 2)) for letter in numeral[0]
    ]  # not every release has two
    if max(digits) < 10:
        return "".join(map(str, digits))
    total = section = digit = 0
    for value in digits:
        if value < 10:
            digit = value
        elif value < 10_000:
            section += (digit or 1) * value
            digit = 0
        else:
            total += (section + digit or 1) * value
            section = digit = 0
    return str(total + section + digit)


def _plain_digit(letter: str) -> str:
    if unicodedata.decomposition(letter).startswith(("<circle>", "<compat>")):  # 5 in a circle
        value = unicodedata.numeric(letter, 0.5)
        return str(int(value)) if value == int(value) else letter
    return str(unicodedata.decimal(letter, letter))


def with_plain_digits(text: str) -> str:
    """Return a text with the numerals of other scripts in digits from 0 to 9.

    Examples
    --------
    >>> with_plain_digits("\uff18\uff15 of \u0668\u0665, \u516b\u5341\u4e94 of \u2178")
    '85 of 85, 85 of 9'
    """
    if text.isascii():
        return text
    return "".join(map(_plain_digit, _IN_CHINESE.sub(_chinese, text)))
