"""What can be wrong with rewards, labels, and traces that are to become training rows."""

from corpus.model.finding import WARNING, Rule

BAD_REWARD = Rule(
    "OT501",
    "{problem}",
    "give a finite number for a named run; `corpus trace reward --help` lists the kinds of files",
    title="Reward not readable",
    reason="NaN and infinity would spread over every mean of the group.",
)
TWO_REWARDS = Rule(
    "OT502",
    "{what} has the reward {known} on channel {channel} already",
    "keep one of the two, or give them channels of their own",
    title="Two rewards for one thing",
    reason="Which of two graders is right cannot be told from their numbers, and "
    "nobody gave their mean.",
)
SAME_REWARD = Rule(
    "OT503",
    "{what} has this reward on channel {channel} already",
    "remove one of the rows",
    WARNING,
    title="Reward given twice",
    reason="The reward counts once.",
)
UNMATCHED_REWARD = Rule(
    "OT504",
    "none of the traces is {what}",
    "name the trace by its id (`trace_id`), or choose it with --trace",
    WARNING,
    title="Reward of no trace",
    reason="The reward is left out. A converted trace has the id of its session, or a "
    "hash of it where the id is not a plain name.",
)
NO_SUCH_UNIT = Rule(
    "OT505",
    "trace {trace}: {problem}",
    "name an agent, an x_call_id or an event id of this trace",
    title="Reward of nothing in its trace",
    reason="A reward at another step than its own teaches the opposite, so none is "
    "moved to a neighbour.",
)
NO_REWARD = Rule(
    "OT506",
    "trace {value} has no reward on channel {channel}",
    "write it into the trace, with `corpus trace reward`",
    WARNING,
    title="Run without the reward",
    reason="It gets no advantage and is left out of the mean of its group: unknown is not 0.",
)
NO_GROUP = Rule(
    "OT507",
    "no other trace is of task {value}",
    "record several runs of the task, with the same `task_id`",
    WARNING,
    title="Group of one run",
    reason="There is nothing to compare with. What such a run gets differs between "
    "trainers, so it is part of the variant.",
)
OTHER_PROMPTS = Rule(
    "OT519",
    "the runs of task {value} begin with {count} different prompts",
    "give different tasks different ids; leave it, if attempts at one task are told other things",
    WARNING,
    title="Group of different prompts",
    reason="The runs of a group are compared as attempts at one task. Two data sets may number "
    "their tasks alike.",
)
NO_STEPS = Rule(
    "OT508",
    "agent {value} of trace {trace} has taken no step",
    "leave it, if the agent was never at work; else record its steps",
    WARNING,
    title="Agent without steps",
    reason="There is nothing that such an agent could learn from, so it and its reward "
    "are in no row.",
)
BAD_LABEL = Rule(
    "OT509",
    "{problem}",
    "give trace, agent and step (a whole number from 0), once for each trace and rule",
    title="Label or prediction not readable",
    reason="It would have to be guessed, so it is left out of the score.",
)
WRONG_LABEL = Rule(
    "OT510",
    "{problem}",
    "name a trace, an agent and a step as `corpus trace blame` writes them",
    title="Label of nothing in its trace",
    reason="It was probably made for another trace, or counts steps differently, so it "
    "is left out of the score.",
)
NOT_FIT = Rule(
    "OT515",
    "trace {value} has {need} on {found} of {turns} trained turns; {purpose} needs all",
    "{fix}; docs/traces.md tells how each need is met",
    title="Trace not fit for training",
    reason="A trainer stops, or goes on with a default that nobody recorded.",
)
FROZEN = Rule(
    "OT516",
    "trace {value} has a policy version on {found} of {turns} trained turns",
    "record `policy_version` in the tokens of the turn or in `x_run`; else train --for offline",
    title="Recording of a frozen model",
    reason="Online training corrects for the difference between the model that acted "
    "and the one that learns. Without a version of the policy, that is unknown.",
)
TWO_OWNERS = Rule(
    "OT517",
    "turn {value} of trace {trace} is of several models: {owners}",
    "record each model step as an event with `x_steps` and `x_model`",
    title="Turn of several owners",
    reason="Otherwise one model is taught what another one did.",
)
TWO_RULES = Rule(
    "OT518",
    "turn {value} of trace {trace} has a share in rewards of its {rules} on channel {channel}",
    "give the rewards of steps, agents and runs channels of their own",
    title="Turn rewarded by several rules",
    reason="Of rewards of several units on one channel, one scheme takes the sum and "
    "another only one.",
)
MASKED = Rule(
    "OT520",
    "turn {value} of trace {trace} has tokens that are not to be trained",
    "write the rows with --to verifiers, which keeps masks; or leave the run out by --skip-unfit",
    title="Mask without a place",
    reason="Episodes of rLLM have no mask within an answer: all of its tokens would be trained.",
)
