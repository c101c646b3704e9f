"""Validate with the frictionless package: types, required cells and enumerations of the pool."""

import sys
import tomllib
from pathlib import Path

import frictionless

folder = Path(sys.argv[1])
book = tomllib.loads((folder / "codebook.toml").read_text(encoding="utf-8"))
fields = []
for column in book["tables"]["pool"]["columns"]:
    rules = {"required": column.get("required", True)}
    if column["type"] == "term":
        terms = book["vocabularies"][column.get("vocabulary", column["name"])]["terms"]
        rules["enum"] = [term["id"] for term in terms]
    fields.append({"name": column["name"], "type": "string", "constraints": rules})
schema = frictionless.Schema.from_descriptor(
    {"fields": fields, "primaryKey": "key", "missingValues": [""]}
)
frictionless.system.trusted = True
report = frictionless.validate(frictionless.Resource(path=str(folder / "pool.csv"), schema=schema))
print(report.valid, len(report.tasks))
