"""What has to be done by hand before a release can be made."""

from corpus.model.finding import Rule

NO_VALUE = Rule(
    "V101",
    "{id} is tracked and no longer true: expected {before}, observed {after}",
    "complete the tables, or reword or remove the claim: it states no number to replace",
    title="Tracked claim cannot be brought up to date",
    reason="An ordering or an emptiness that no longer holds has no new value, so a "
    "person has to decide what the text states instead.",
)
REWORD = Rule(
    "V102",
    "{id} is {after} now and was {before}; its sentence is to be read again",
    "write the sentence and commit it; where it is right as it is: corpus release ID --confirm",
    title="Sentence of a claim needs its new number",
    reason="A release writes new values, and never a sentence: people know which of "
    "its words depend on a value.",
)
LATER = Rule(
    "V103",
    "{rows} dated after {day}",
    "release up to the last of them: corpus release {id} --date {last}",
    title="Row dated after the release",
    reason="The day of a release is its cutoff: nothing was first public or screened later.",
)
ACKNOWLEDGED = Rule(
    "V110",
    "{id} does not hold: {differs}; somebody has accepted that",
    "correct the claim and the text that makes it, or: corpus release ID --confirm",
    title="Guard does not hold, and is only acknowledged",
    reason="Somebody has to decide that a release has a sentence which the data contradicts.",
)
