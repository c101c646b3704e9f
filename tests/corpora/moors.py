"""A made-up corpus about moors, small enough to read every word of a report about it: pool, log, judgements, claims."""

from __future__ import annotations

from pathlib import Path

from tests.corpora.making import write_files
from tests.support.repository import commit_all, git

CODEBOOK = """\
format = 1

[corpus]
id = "moors"
title = "Moors"

[documents]
claims = "claims.toml"

[tables.moors]
file = "moors.csv"
role = "pool"
key = ["moor"]
columns = [
  { name = "moor", type = "key", role = "key", definition = "Key." },
  { name = "name", type = "text", role = "title", definition = "Title." },
  { name = "arxiv", type = "arxiv", role = "arxiv", required = false, definition = "arXiv id." },
  { name = "kind", type = "term", axis = true, definition = "Kind of moor." },
  { name = "moss", type = "term", axis = true, definition = "Moss that grows there." },
  { name = "notes", type = "text", role = "notes", required = false, definition = "Notes." },
]

[tables.left_out]
file = "left_out.csv"
role = "exclusions"
key = ["record"]
columns = [
  { name = "record", type = "key", role = "key", definition = "Record." },
  { name = "label", type = "text", role = "title", definition = "Title." },
  { name = "found", type = "text", role = "identifier", definition = "Identifier." },
]

[tables.judged]
file = "judged.csv"
key = ["moor"]
columns = [
  { name = "moor", type = "ref", references = "moors", role = "key", definition = "Moor." },
  { name = "how", type = "term", definition = "How well it is known." },
]

[tables.second]
file = "second.csv"
role = "audit"
key = ["moor", "reader"]
columns = [
  { name = "moor", type = "ref", references = "moors", role = "key", definition = "Moor." },
  { name = "reader", type = "text", role = "reader", definition = "Reader." },
  { name = "kind", type = "term", definition = "Kind." },
  { name = "moss", type = "term", definition = "Moss." },
]

[vocabularies.kind]
terms = [ { id = "high", definition = "Fed by rain." }, { id = "low", definition = "Fed by springs." },
          { id = "fen", definition = "Fed by rivers." } ]

[vocabularies.moss]
not_applicable = "none"
terms = [ { id = "red", definition = "Red." }, { id = "green", definition = "Green." },
          { id = "none", definition = "None." } ]

[vocabularies.how]
terms = [ { id = "well", definition = "Well." }, { id = "hardly", definition = "Hardly." } ]

[[crosstabs]]
id = "kind_by_moss"
rows = "kind"
columns = "moss"
title = "Kind by moss"

[[impossible]]
cells = { kind = ["fen"], moss = ["red"] }
reason = "red moss drowns"
"""

CLAIMS = """\
format = 1

[[claims]]
id = "size"
statement = "Five moors are known."
count = 5

[[claims]]
id = "red-moss"
statement = "Red moss grows on two moors."
where = { moss = "red" }
keys = ["ash", "birch"]

[[claims]]
id = "high-lead"
statement = "High moors are the most frequent."
by = ["kind"]
descending = ["high", "low"]
"""

FILES = {
    "codebook.toml": CODEBOOK,
    "claims.toml": CLAIMS,
    "moors.csv": """\
moor,name,arxiv,kind,moss,notes
ash,Rain and peat in the ash moor,2101.00001,high,red,
birch,Birches that drink from the sky,2102.00002,high,red,
carr,A carr by the slow river,,fen,green,flooded in spring
dune,Springs behind the second dune,2104.00004,low,green,
elm,Elms on dry ground,,high,none,
""",
    "left_out.csv": """\
record,label,found
x1,A meadow and no moor,DOI:10.1234/meadow
x2,The hidden spring moor of the west,arXiv:2107.00007
""",
    "judged.csv": "moor,how\nash,well\ncarr,hardly\n",
    "second.csv": "moor,reader,kind,moss\nash,two,high,red\nbirch,two,high,green\ncarr,two,fen,green\n",
}


def write_moors(folder: Path) -> Path:
    """Write the corpus into `folder`/data and return that."""
    return write_files(folder / "data", FILES)


def repository(folder: Path) -> Path:
    """Start a repository with the corpus on branch main; return its data folder."""
    data = write_moors(folder)
    git(folder, "init", "-q", "-b", "main", ".")
    commit_all(folder, "start")
    return data


#: The table that `corpus claims --acknowledge` writes; not every corpus declares it.
ACCEPTED_CLAIMS = """

[tables.accepted_claims]
file = "accepted_claims.csv"
role = "accepted_claims"
key = ["claim", "sign", "key"]
columns = [
  { name = "claim", type = "text", role = "claim", definition = "Claim." },
  { name = "sign", type = "verbatim", role = "sign", definition = "Sign." },
  { name = "key", type = "verbatim", role = "key", definition = "Key." },
  { name = "reason", type = "text", role = "reason", definition = "Reason." },
]
"""


def declare_accepted_claims(data: Path) -> None:
    """Add an empty table of accepted differences to a corpus."""
    with (data / "codebook.toml").open("a", encoding="utf-8") as book:
        book.write(ACCEPTED_CLAIMS)
    (data / "accepted_claims.csv").write_text("claim,sign,key,reason\n", encoding="utf-8")
