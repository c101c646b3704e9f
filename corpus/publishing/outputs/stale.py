"""Which generated files say something else than the corpus does now, the checksum of the data apart."""

from __future__ import annotations

import os
from collections.abc import Mapping

from corpus.model.finding import CorpusError
from corpus.publishing.outputs.build import read
from corpus.publishing.outputs.catalogue import artefacts
from corpus.publishing.outputs.manifest import MANIFEST, recorded_sums, sha256
from corpus.publishing.outputs.output import Output
from corpus.publishing.outputs.sources import Sources


def outdated(sources: Sources, root: str) -> tuple[str, ...]:
    """Return the paths of committed files whose content has to change; none where nothing was ever built.

    Every change of the data changes the checksum in every file; that alone makes none outdated here, though
    ``corpus build --check`` asks for it to be written.
    """
    if not os.path.exists(os.path.join(root, MANIFEST)):
        return ()
    sums = recorded_sums(root)
    return tuple(a.path for a in artefacts(sources) if not a.local and _differs(a, sources, root, sums))


def _differs(artefact: Output, sources: Sources, root: str, sums: Mapping[str, str]) -> bool:
    found = read(root, artefact.path)
    if found is None:
        return True
    try:
        if artefact.digest is not None and artefact.recorded is not None:
            edited = sums.get(artefact.path) != sha256(found)
            return edited or artefact.recorded(found) != artefact.digest(sources)
        return _without_checksum(found) != _without_checksum(artefact.content(sources))
    except CorpusError:  # `corpus build` says why it cannot be made
        return True


def _without_checksum(content: bytes) -> list[bytes]:
    return [line for line in content.split(b"\n") if b"SHA-256" not in line]
