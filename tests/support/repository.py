"""Git repositories of tests."""

import subprocess


def git(folder, *arguments):
    """Run git in a folder, independent of who runs the tests and when."""
    settings = ["user.name=Tester", "user.email=tester@example.org", "commit.gpgsign=false"]
    settings += ["core.compression=0", "pack.window=0"]
    command = ["git", "-C", str(folder)]
    for setting in settings:
        command += ["-c", setting]
    command += arguments
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def commit_all(folder, message="change"):
    """Commit everything in a folder and return the commit."""
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "--allow-empty", "-m", message)
    return git(folder, "rev-parse", "HEAD")
