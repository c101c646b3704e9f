"""Commands: read arguments, call, print, choose the exit code; nothing else.

The exit codes are here, as docs/cli.md lists them; click itself uses 0, 1 and 2 in the same sense.
"""

#: Also where a file cannot be read or written, or output was lost.
FINDINGS = 1

#: The program did not start, or an unforeseen error stopped it: there is no result.
#:
#: Above 128, so that `git bisect run corpus check` stops instead of calling a commit bad, and git's
#: merge sees that a driver failed instead of finding a conflict.
FAILED = 255

#: As a shell reports a program that was ended by an interrupt (128 + SIGINT).
INTERRUPTED = 130

#: What a command prints then.
INTERRUPTION = "Interrupted: the command did not finish."

#: As a shell reports a program whose reader ended first (128 + SIGPIPE): output is lost.
CLOSED_PIPE = 141
