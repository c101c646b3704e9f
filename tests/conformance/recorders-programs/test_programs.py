"""Programs of npm, with an account at a provider that is this machine."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from harbor.agents.installed.codex import Codex
from team import KINDS

PACKAGES = {
    "claude": "@anthropic-ai/claude-code",
    "codex": "@openai/codex",
    "gemini": "@google/gemini-cli",
}
#: Lead and scout; in the second prompt the lead works alone.
LINES = ["lead {0}", "lead ask scout", "scout {0}", "scout", "lead", "lead {0}", "lead"]


@pytest.fixture(scope="session")
def programs():
    """Return the folder with the newest programs."""
    folder = Path(sys.prefix, "programs")
    direct = {name: value for name, value in os.environ.items() if not name.endswith("_PROXY")}
    newest = [f"{package}@latest" for package in PACKAGES.values()]
    npm = [Path(sys.prefix, "bin", "npm"), "install", "--no-audit", "--no-fund", "--prefix", folder]
    subprocess.run([*npm, *newest], check=True, env=direct, capture_output=True)
    return folder / "node_modules"


@pytest.fixture
def run(programs, tmp_path):
    """Return a function that runs a program in a home of its own."""
    (tmp_path / "project").mkdir()

    def run(name, *arguments, **environment):
        path = f"{sys.prefix}/bin:{os.environ['PATH']}"
        proxies = {key: os.environ[key] for key in ("HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY")}
        done = subprocess.run(
            [programs / ".bin" / name, *arguments],
            cwd=tmp_path / "project",
            env={"HOME": str(tmp_path), "PATH": path, **proxies, **environment},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    run.release = lambda name: json.loads((programs / PACKAGES[name] / "package.json").read_text())[
        "version"
    ]
    return run


def write(file, text):
    """Write a file of a program's settings."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


@pytest.fixture
def claude(play, run, tmp_path):
    """Return a function that talks with Claude Code, and has the model and the folder of its sessions."""
    helper = {
        "description": "ask",
        "prompt": "Find one.",
        "subagent_type": "{}",
        "run_in_background": False,
    }
    write(
        tmp_path / ".claude/agents/scout.md",
        "---\nname: scout\ndescription: Looks up.\n---\nYou are scout.\n",
    )

    def claude(*arguments):
        options = [
            "--output-format=stream-json",
            "--verbose",
            "--permission-mode=bypassPermissions",
        ]
        said = ["--append-system-prompt", "You are lead."]
        told_to = {
            "ANTHROPIC_BASE_URL": claude.model.url,
            "ANTHROPIC_API_KEY": "none",
            "IS_SANDBOX": "1",
        }
        quiet = {"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1"}
        return run("claude", "-p", *arguments, *options, *said, **told_to, **quiet)

    def plays(*lines):
        tools = {"Bash": {"command": "echo fact", "description": "look"}, "ask": helper}
        claude.model = play([line.format("Bash") for line in lines], {"ask": "Agent"}, tools)
        return claude

    claude.plays = plays
    claude.sessions = tmp_path / ".claude/projects"
    return claude


def session_of(output):
    return json.loads(output.splitlines()[-1])["session_id"]


CLAUDE = {"kinds": KINDS[:3], "renamed": True}


def test_claude_code_resumed_and_compacted(claude, compare, run):
    claude.plays(*LINES, *LINES[-2:])
    session = session_of(claude("Find two facts."))
    claude("And a third one.", "--resume", session)
    claude("/compact", "--resume", session)
    claude("And a fourth one.", "--resume", session)
    compare("Claude Code", claude.model, claude.sessions, release=run.release("claude"), **CLAUDE)


@pytest.mark.parametrize("later", [(), LINES[-2:]])
def test_claude_code_forked(claude, compare, run, later):
    claude.plays(*LINES, *later)
    session = session_of(claude("Find two facts."))
    claude("And a third one.", "--resume", session, "--fork-session")
    if later:
        claude("And a fourth one.", "--resume", session)
    name = "Claude Code (fork" + (", the first goes on)" if later else ")")
    compare(
        name, claude.model, claude.sessions, release=run.release("claude"), ordered=False, **CLAUDE
    )


CODEX = """
model = "gpt-5.5"
model_provider = "fake"
[model_providers.fake]
name = "fake"
base_url = "{}"
env_key = "KEY"
wire_api = "responses"
[features]
multi_agent_v2 = true
"""


@pytest.mark.parametrize("going_on", ["resume", "fork"])
def test_codex(play, run, compare, tmp_path, going_on):
    lines = [line.format("exec_command") for line in LINES]
    lines.insert(2, "lead wait_agent")
    helper = {"task_name": "{}", "message": "You are {}. Find one.", "fork_turns": "none"}
    tools = {
        "exec_command": {"cmd": "echo fact"},
        "ask": helper,
        "wait_agent": {"timeout_ms": 30000},
    }
    model = play(lines, {"ask": "spawn_agent"}, tools)
    write(tmp_path / ".codex/config.toml", CODEX.format(model.url))
    codex = [
        "exec",
        "--skip-git-repo-check",
        "--dangerously-bypass-approvals-and-sandbox",
        "--json",
    ]
    started = json.loads(
        run("codex", *codex, "You are lead. Find two facts.", KEY="none").splitlines()[0]
    )
    run("codex", *codex, going_on, started["thread_id"], "And a third one.", KEY="none")
    name = {"resume": "Codex", "fork": "Codex (fork)"}[going_on]
    compare(
        name,
        model,
        tmp_path / ".codex/sessions",
        release=run.release("codex"),
        renamed=True,
        ordered=False,
    )
    if going_on == "resume":  # what Harbor makes of the same rollouts
        home = tmp_path / ".codex"
        trajectory = tmp_path / "trajectory.json"
        made = Codex(logs_dir=home).convert_trajectory(home)
        trajectory.write_text(made.model_dump_json(exclude_none=True))
        compare("harbor", model, trajectory, renamed=True, ordered=False)


def test_gemini_cli(play, run, compare, tmp_path):
    lines = [line.format("run_shell_command") for line in LINES]
    lines[3] = "scout complete_task"
    tools = {
        "run_shell_command": {"command": "echo fact"},
        "ask": {"agent_name": "{}", "prompt": "Find one."},
        "complete_task": {"result": "found"},
    }
    model = play(lines, {"ask": "invoke_agent"}, tools)
    home = tmp_path / ".gemini"
    quiet = {"privacy": {"usageStatisticsEnabled": False}, "general": {"enableAutoUpdate": False}}
    write(
        home / "settings.json",
        json.dumps({"security": {"auth": {"selectedType": "gemini-api-key"}}, **quiet}),
    )
    write(
        home / "agents/scout.md", "---\nname: scout\ndescription: Looks up.\n---\nYou are scout.\n"
    )
    account = {"GEMINI_API_KEY": "none", "GOOGLE_GEMINI_BASE_URL": model.url}
    talk = ["--yolo", "--skip-trust", "--model", "gemini-2.5-pro"]
    run("gemini", *talk, "--prompt", "You are lead. Find two facts.", **account)
    run("gemini", *talk, "--resume", "latest", "--prompt", "And a third one.", **account)
    compare(
        "Gemini CLI", model, home / "tmp/project/chats", release=run.release("gemini"), renamed=True
    )
