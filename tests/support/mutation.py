"""How a sound file is damaged: a few random changes of its bytes, lines and cells, the same for the same seed."""

import random
from collections.abc import Callable

TOKENS = [
    b"", b" ", b"  ", b",", b",,", b'"', b'""', b"\n", b"\r\n", b"\r", b"\n\n", b";", b"; ", b"=", b"@", b"'", b"\\", b"{",
    b"}", b"{{", b"[", b"]", b"#", b"%", b"$", b"\x00", b"\x1b[31m", b"\xff", b"\xef\xbb\xbf", b"\xfe\xff", b"\xc2\xa0",
    b"\xe2\x80\x8b", b"\xe2\x80\xae", b"e\xcc\x81", b"\xc3\x83\xc2\xa9", b"<<<<<<< ours\n", b"=======\n", b"NA", b"nan", b"1e999",
    b"-1", b"0", b"9" * 40, b"true", b"TODO", b"::error::x", b"<b>", b"\xf0\x9f\x98\x80",
]  # fmt: skip


def damaged(sound, seed):
    """Return the bytes with one to three changes."""
    dice = random.Random(seed)
    data = sound
    for _ in range(dice.choice((1, 1, 2, 3))):
        data = dice.choice(CHANGES)(data, dice)
    return data


def _overwritten(data, dice):
    start = dice.randrange(len(data) + 1)
    return data[:start] + dice.choice(TOKENS) + data[start + dice.choice((0, 0, 1, 2, 9)) :]


def _flipped(data, dice):
    if not data:
        return data
    at = dice.randrange(len(data))
    return data[:at] + bytes([data[at] ^ 1 << dice.randrange(8)]) + data[at + 1 :]


def _moved(data, dice):
    start, length, to = (
        dice.randrange(len(data) + 1),
        dice.randint(1, 30),
        dice.randrange(len(data) + 1),
    )
    piece = data[start : start + length]
    rest = data[:start] + data[start + length :]
    return rest[:to] + piece + rest[to:]


def _line(data, dice):
    """Drop, double, swap or cut a line."""
    lines = data.split(b"\n")
    at, other = dice.randrange(len(lines)), dice.randrange(len(lines))
    match dice.randrange(4):
        case 0:
            del lines[at]
        case 1:
            lines.insert(other, lines[at])
        case 2:
            lines[at], lines[other] = lines[other], lines[at]
        case _:
            lines[at] = lines[at][: dice.randrange(len(lines[at]) + 1)]
    return b"\n".join(lines)


def _cell(data, dice):
    """Put one piece between commas in the place of another, or a token there."""
    pieces = data.split(b",")
    pieces[dice.randrange(len(pieces))] = dice.choice([*TOKENS, *pieces[:20]])
    return b",".join(pieces)


def _cut(data, dice):
    return data[: dice.randrange(len(data) + 1)]


def _recoded(data, dice):
    """Save the text as another program might."""
    text = data.decode("utf-8", "replace")
    return dice.choice([
        lambda: text.encode("utf-16"), lambda: text.encode("latin-1", "replace"), lambda: text.encode("utf-8-sig"),
        lambda: text.replace("\n", "\r\n").encode(), lambda: text.replace(",", ";").encode(),
        lambda: text.replace('"', "").encode(), lambda: text.replace('"', "\u201d").encode(),
    ])()  # fmt: skip


CHANGES: list[Callable[[bytes, random.Random], bytes]] = [
    _overwritten, _overwritten, _overwritten, _flipped, _moved, _line, _line, _cell, _cell, _cut, _recoded,
]  # fmt: skip
