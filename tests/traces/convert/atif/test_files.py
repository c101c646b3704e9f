"""Which trajectories belong to one run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.support.recorded_samples import atif_run
from tests.support.recorded_traces import Run


def save(path: Path, run: dict[str, Any]) -> Path:
    path.write_text(json.dumps(run, indent=2))
    return path


def test_a_continuation_is_read_once_without_its_copies(tmp_path: Path, run: Run) -> None:
    first, second = atif_run(), atif_run()
    first["continued_trajectory_ref"] = "t.cont-1.json"
    for step in second["steps"][:3]:
        step["is_copied_context"] = True
    save(tmp_path / "t.cont-1.json", second)
    (found,) = run(save(tmp_path / "t.json", first))
    assert found.trace["costs"]["tokens"] == 145 + 80
    assert [loss.count for loss in found.losses if "copied" in loss.what] == [3]


def test_trajectories_that_continue_each_other_end(tmp_path: Path, run: Run) -> None:
    for one, other in (("a", "b"), ("b", "a")):
        save(tmp_path / f"{one}.json", {**atif_run(), "continued_trajectory_ref": f"{other}.json"})
    assert len(run(tmp_path)) == 1
