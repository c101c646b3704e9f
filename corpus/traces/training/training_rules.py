"""What can be wrong with rewards, labels, and traces that are to become training rows."""

from corpus.model.finding import WARNING, Rule

BAD_REWARD = Rule(
    "OT501",
    "{problem}",
    "give a finite number for a named run; `corpus trace reward --help` lists the kinds of files",
)
TWO_REWARDS = Rule(
    "OT502",
    "{what} has the reward {known} on channel {channel} already",
    "keep one of the two, or give them channels of their own",
)
SAME_REWARD = Rule(
    "OT503",
    "{what} has this reward on channel {channel} already",
    "remove one of the rows",
    WARNING,
)
UNMATCHED_REWARD = Rule(
    "OT504",
    "none of the traces is {what}",
    "name the trace by its id (`trace_id`), or choose it with --trace",
    WARNING,
)
NO_SUCH_UNIT = Rule(
    "OT505", "trace {trace}: {problem}", "name an agent, an x_call_id or an event id of this trace"
)
NO_REWARD = Rule(
    "OT506",
    "trace {value} has no reward on channel {channel}",
    "write it into the trace, with `corpus trace reward`",
    WARNING,
)
NO_GROUP = Rule(
    "OT507",
    "no other trace is of task {value}",
    "record several runs of the task, with the same `task_id`",
    WARNING,
)
NO_STEPS = Rule(
    "OT508",
    "agent {value} of trace {trace} has taken no step",
    "leave it, if the agent was never at work; else record its steps",
    WARNING,
)
BAD_LABEL = Rule(
    "OT509",
    "{problem}",
    "give trace, agent and step (a whole number from 0), once for each trace and rule",
)
WRONG_LABEL = Rule(
    "OT510", "{problem}", "name a trace, an agent and a step as `corpus trace blame` writes them"
)
NOT_FIT = Rule(
    "OT515",
    "trace {value} has {need} on {found} of {turns} trained turns; {purpose} needs all",
    "{fix}; docs/traces.md tells how each need is met",
)
FROZEN = Rule(
    "OT516",
    "trace {value} has a policy version on {found} of {turns} trained turns",
    "record `policy_version` in the tokens of the turn or in `x_run`; else train --for offline",
)
TWO_OWNERS = Rule(
    "OT517",
    "turn {value} of trace {trace} is of several models: {owners}",
    "record each model step as an event with `x_steps` and `x_model`",
)
TWO_RULES = Rule(
    "OT518",
    "turn {value} of trace {trace} has a share in rewards of its {rules} on channel {channel}",
    "give the rewards of steps, agents and runs channels of their own",
)
