"""The minimal corpus: three made-up sensors on disk, and what every survey begins with.

Beside the pool are an exclusion log, a bibliography, a table of accepted warnings and a protocol.
One axis has a single term per entry, the other several; there is one rule, one impossible cell and
one crosstab. :mod:`tests.corpora.full` has the rest: evidence, claims, audits, sparsity.
"""

from tests.corpora.making import write_files

CODEBOOK = """\
format = 1

[corpus]
id = "soil"
title = "Soil sensors"
entries = "sensors"

[documents]
protocol = "protocol.toml"

[tables.sensors]
file = "sensors.csv"
title = "Sensors"
role = "pool"
key = ["id"]
columns = [
  { name = "id", type = "key", role = "key", definition = "Name." },
  { name = "name", type = "text", role = "title", definition = "Title of the paper." },
  { name = "who", type = "name", role = "first_author", definition = "First author." },
  { name = "year", type = "year", role = "year", definition = "Year." },
  { name = "arxiv", type = "arxiv", role = "arxiv", required = false, definition = "Preprint." },
  { name = "link", type = "url", role = "url", required = false, definition = "Address." },
  { name = "probe", type = "term", axis = true, role = "group", definition = "Kind of probe." },
  { name = "measures", type = "term", axis = true, separator = "; ", definition = "What it measures." },
  { name = "remark", type = "text", role = "notes", required = false, definition = "Remark." },
]

[tables.rejected]
file = "rejected.csv"
role = "exclusions"
key = ["nr"]
columns = [
  { name = "nr", type = "key", role = "key", definition = "Number." },
  { name = "source", type = "text", role = "source", definition = "Source." },
  { name = "label", type = "text", role = "title", definition = "Title." },
  { name = "found", type = "text", role = "identifier", definition = "Identifier." },
  { name = "stage", type = "term", vocabulary = "stage", role = "stage", definition = "Stage." },
]

[tables.papers]
file = "papers.csv"
role = "bibliography"
key = ["id"]
columns = [
  { name = "id", type = "ref", references = "sensors", role = "key", definition = "Name." },
  { name = "authors", type = "names", role = "authors", definition = "Authors." },
  { name = "doi", type = "doi", role = "doi", required = false, definition = "DOI." },
  { name = "public", type = "date", role = "date", definition = "First public." },
]

[tables.ok]
file = "ok.csv"
role = "accepted"
key = ["code", "row"]
columns = [
  { name = "code", type = "text", role = "code", definition = "Code." },
  { name = "file", type = "text", role = "file", definition = "File." },
  { name = "row", type = "text", role = "key", definition = "Row." },
  { name = "column", type = "text", role = "column", definition = "Column." },
  { name = "value", type = "verbatim", role = "value", definition = "Value." },
  { name = "reason", type = "text", role = "reason", definition = "Reason." },
]

[vocabularies.probe]
not_applicable = "none"
terms = [
  { id = "dielectric", short = "diel", definition = "By permittivity." },
  { id = "optical", definition = "By light." },
  { id = "acoustic", definition = "By sound; nobody has built one." },
  { id = "none", definition = "No probe." },
]

[vocabularies.measures]
terms = [
  { id = "moisture", definition = "Water." },
  { id = "salt", definition = "Salinity." },
  { id = "heat", definition = "Temperature." },
]

[vocabularies.stage]
terms = [
  { id = "abstract", label = "title and abstract", definition = "By abstract." },
  { id = "full_text", label = "full text", definition = "By full text." },
]

[[rules]]
id = "optical-is-dry"
when = { probe = ["none"] }
then = { measures = ["heat"] }
reason = "without a probe only heat is known"

[[impossible]]
cells = { probe = ["optical"], measures = ["salt"] }
reason = "salt cannot be seen"

[[crosstabs]]
id = "probe_by_measure"
rows = "probe"
columns = "measures"
title = "Probe by measure"
"""

FILES = {
    "sensors.csv": """\
id,name,who,year,arxiv,link,probe,measures,remark
clay,A capacitive probe for clay,"Loam, Ann",2020,2003.00001,https://arxiv.org/abs/2003.00001,dielectric,moisture; salt,
fen,Light in the fen,"Moor, Bo",2021,,https://fen.example/paper,optical,moisture,"Wet, ""readable"" peat"
till,Temperatures of till,"Stein, Cy",2019,,,none,heat,
""",
    "rejected.csv": """\
nr,source,label,found,stage
X1,arXiv,A survey of mud,arXiv:1901.00001,abstract
X2,library,Dowsing for beginners,LIB-77,full_text
""",
    "papers.csv": """\
id,authors,doi,public
clay,"Loam, Ann; Silt, Dee",,2020-03
fen,"Moor, Bo",10.1234/fen.1,2021-02-03
till,"Stein, Cy",,2019
""",
    "ok.csv": "code,file,row,column,value,reason\n",
    "protocol.toml": """\
[[sources]]
id = "arXiv"
[[sources]]
id = "library"
[[stages]]
id = "abstract"
[[stages]]
id = "full_text"
""",
}


def write_minimal(root):
    """Write the corpus into `root`/data and return that."""
    return write_files(root / "data", {"codebook.toml": CODEBOOK, **FILES})
