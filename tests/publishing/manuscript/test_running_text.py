"""What a manuscript states in words, with everything else as spaces."""

import pytest

from corpus.publishing.manuscript.running_text import running_text


@pytest.mark.parametrize(
    ("sink", "text", "kept"),
    [
        ("tex", "a % 9 tags\nb \\% c", "b"),
        ("tex", "\\begin{verbatim}9 tags\\end{verbatim}x", "x"),
        ("tex", "% corpus: PoolSize\n84 retained entries\n% /corpus\nx", "x"),
        ("tex", "\\cite{a84} \\PoolSize{} x", "x"),
        ("md", "```\n9 tags\n```\nx", "x"),
        ("md", "`9 tags` <!-- corpus: PoolSize -->84<!-- /corpus --> x", "x"),
        ("md", "[x](https://a.example/9)", "x"),
        ("html", "<script>9 tags</script><p title='9 tags'>x</p>", "x"),
    ],
)
def test_only_running_text_is_read_and_places_stay(sink, text, kept):
    plain = running_text(text, sink)
    assert len(plain) == len(text)
    assert plain.count("\n") == text.count("\n")
    assert kept in plain
    assert not any(character.isdigit() for character in plain)


@pytest.mark.parametrize(("sink", "text", "plain"), [
    ("tex", "1{,}500 a\\,b {c}~d\\_e", "1  ,500 a  b  c  d _e"), ("md", "1{,}500 {c}~d\\_e", "1{,}500 {c}~d\\_e"),
])  # fmt: skip
def test_latex_spacing_is_whitespace_in_latex_alone(sink, text, plain):
    assert running_text(text, sink) == plain


@pytest.mark.parametrize(("sink", "text", "plain"), [
    ("tex", "\\begin{verbatim}9", "                9"),  # nothing closes it
    ("tex", "\\begin{comment}9\\end{verbatim}8\\end{comment}7", " " * 44 + "7"),
    ("md", "<!-- 9", "<!-- 9"),
    ("md", "~~~\n9\n```\n8", "   \n \n   \n "),  # another fence closes nothing
    ("md", "```\n9\n   ```\n8", "   \n \n      \n8"),
    ("html", "<SCRIPT>9</script >8", " " * 19 + "8"),
    ("html", "<style>9</script>8</style>7", " " * 26 + "7"),
    ("html", "a < 9 and 8 > 7", "a < 9 and 8 > 7"),
])  # fmt: skip
def test_a_block_ends_where_it_is_closed(sink, text, plain):
    assert running_text(text, sink) == plain


@pytest.mark.parametrize(("text", "plain"), [
    ("50\\% of % 9\n8", "50 % of    \n8"),
    ("a\\\\% 9\n8", "a     \n8"),  # a line break, then a comment
    ("a\\\\\\% 9", "a\\\\ % 9"),
    ("\\footnote{9 tags} \\cite[p.~9]{a9}8", "          9 tags                 8"),
])  # fmt: skip
def test_a_comment_of_latex_begins_at_a_percent_character_alone(text, plain):
    assert running_text(text, "tex") == plain
