"""The flow of records in each version of a living review, as its PRISMA extension asks for.

PRISMA-LSR (BMJ 2024;387:e079183) wants the results of searching and screening of every version;
here a version is a release.
"""

from collections import Counter
from itertools import chain

from corpus.analysis.claims.releases import load_release, read_releases
from corpus.analysis.counting.identification import identification
from corpus.model.study import Study
from corpus.printing.grid import Grid


def flow_by_version(study: Study) -> Grid:
    """Return the boxes of the flow: a column for each release, and one for today."""
    versions = {}
    # A study that was made in memory has no releases.
    for release in read_releases(study.root) if study.sources else ():
        versions[release.id] = _boxes(load_release(release, study.root))
    versions["now"] = _boxes(study)
    header = ("Records", *versions)
    rows = []
    # In the order of today; what only an older version has is last.
    for box in dict.fromkeys(chain.from_iterable(reversed(versions.values()))):
        rows.append((box, *[counted.get(box, "") for counted in versions.values()]))
    return Grid("Flow of records by version", header, tuple(rows), frozenset(range(1, len(header))))


def _boxes(study: Study) -> dict[str, str]:
    found = identification(study)
    boxes = {}
    if found.is_recorded:
        boxes = {box: str(number) for box, _, number in found.boxes()}
    for log in study.by_role("exclusions"):
        stage = log.spec.by_role("stage")
        if stage is not None and stage.type == "term":
            labels = study.codebook.vocabulary_of(stage).labels
            counted = Counter(log.column(stage.name)) + Counter(found.excluded_before)
            boxes |= {f"Excluded: {labels[term]}": str(counted[term]) for term in labels}
        else:
            boxes[f"In {log.spec.title}"] = str(len(log.rows))
    boxes["Included"] = str(len(study.pool.rows))
    return boxes
