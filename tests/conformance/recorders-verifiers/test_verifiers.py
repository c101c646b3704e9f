import os
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).parent


def test_two_rollouts(play, compare, tmp_path):
    model = play(["lead team_lookup", "lead"] * 2)
    programs = Path(sys.prefix, "bin")
    # uv installs what the harness needs, from where it may.
    direct = {name: value for name, value in os.environ.items() if not name.endswith("_PROXY")}
    direct |= {"KEY": "none", "PYTHONPATH": str(FOLDER), "PATH": f"{programs}:{direct['PATH']}"}
    options = ["--env.agent.harness.id=null", "--env.agent.runtime.type=subprocess", "--no-push"]
    options += [f"--client.base-url={model.url}", "--client.api-key-var=KEY", "--model=gpt"]
    options += [f"--output-dir={tmp_path}", "--num-rollouts=2", "--max-concurrent=1"]
    options = [part for option in options for part in option.split("=", 1)]
    command = [programs / "vf-eval", "team-task", *options]
    done = subprocess.run(command, env=direct, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    compare("verifiers", model, *tmp_path.glob("*/traces.jsonl"), renamed=True)
