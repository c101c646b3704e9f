"""What can be wrong with rewards, labels, and traces that are to become training rows."""

from __future__ import annotations

from typing import Final

from corpus.model.finding import ERROR, WARNING, Rule

BAD_REWARD: Final = Rule(
    "OT501",
    ERROR,
    "Reward not readable",
    "{problem}",
    "give a finite number for a named run; `corpus trace reward --help` lists the kinds of files",
    "NaN and infinity would spread over every mean of the group.",
)
TWO_REWARDS: Final = Rule(
    "OT502",
    ERROR,
    "Two rewards for one thing",
    "{what} has the reward {known} on channel {channel} already",
    "keep one of the two, or give them channels of their own",
    "Which of two graders is right cannot be told from their numbers, and nobody gave their mean.",
)
SAME_REWARD: Final = Rule(
    "OT503",
    WARNING,
    "Reward given twice",
    "{what} has this reward on channel {channel} already",
    "remove one of the rows",
    "The reward counts once.",
)
UNMATCHED_REWARD: Final = Rule(
    "OT504",
    WARNING,
    "Reward of no trace",
    "none of the traces is {what}",
    "name the trace by its id (`trace_id`), or choose it with --trace",
    "The reward is left out. A converted trace has the id of its session, or a hash of it where "
    "the id is not a plain name.",
)
NO_SUCH_UNIT: Final = Rule(
    "OT505",
    ERROR,
    "Reward of nothing in its trace",
    "trace {trace}: {problem}",
    "name an agent, an x_call_id or an event id of this trace",
    "A reward at another step than its own teaches the opposite, so none is moved to a neighbour.",
)
NO_REWARD: Final = Rule(
    "OT506",
    WARNING,
    "Run without the reward",
    "trace {value} has no reward on channel {channel}",
    "write it into the trace, with `corpus trace reward`",
    "It gets no advantage and is left out of the mean of its group: unknown is not 0.",
)
NO_GROUP: Final = Rule(
    "OT507",
    WARNING,
    "Group of one run",
    "no other trace is of task {value}",
    "record several runs of the task, with the same `task_id`",
    "There is nothing to compare with. What such a run gets differs between trainers, so it is "
    "part of the variant.",
)
NO_STEPS: Final = Rule(
    "OT508",
    WARNING,
    "Agent without steps",
    "agent {value} of trace {trace} has taken no step",
    "leave it, if the agent was never at work; else record its steps",
    "There is nothing that such an agent could learn from, so it and its reward are in no row.",
)
BAD_LABEL: Final = Rule(
    "OT509",
    ERROR,
    "Label or prediction not readable",
    "{problem}",
    "give trace, agent and step (a whole number from 0), once for each trace and rule",
    "It would have to be guessed, so it is left out of the score.",
)
WRONG_LABEL: Final = Rule(
    "OT510",
    ERROR,
    "Label of nothing in its trace",
    "{problem}",
    "name a trace, an agent and a step as `corpus trace blame` writes them",
    "It was probably made for another trace, or counts steps differently, so it is left out of the"
    " score.",
)
NOT_FIT: Final = Rule(
    "OT515",
    ERROR,
    "Trace not fit for training",
    "trace {value} has {need} on {found} of {turns} trained turns; {purpose} needs all",
    "{fix}; docs/traces.md tells how each need is met",
    "A trainer stops, or goes on with a default that nobody recorded.",
)
FROZEN: Final = Rule(
    "OT516",
    ERROR,
    "Recording of a frozen model",
    "trace {value} has a policy version on {found} of {turns} trained turns",
    "record `policy_version` in the tokens of the turn or in `x_run`; else train --for offline",
    "Online training corrects for the difference between the model that acted and the one that "
    "learns. Without a version of the policy, that is unknown.",
)
TWO_OWNERS: Final = Rule(
    "OT517",
    ERROR,
    "Turn of several owners",
    "turn {value} of trace {trace} is of several models: {owners}",
    "record each model step as an event with `x_steps` and `x_model`",
    "Otherwise one model is taught what another one did.",
)
TWO_RULES: Final = Rule(
    "OT518",
    ERROR,
    "Turn rewarded by several rules",
    "turn {value} of trace {trace} has a share in rewards of its {rules} on channel {channel}",
    "give the rewards of steps, agents and runs channels of their own",
    "Of rewards of several units on one channel, one scheme takes the sum and another only one.",
)
