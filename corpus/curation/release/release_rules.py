"""What has to be done by hand before a release can be made."""

from corpus.model.finding import Rule

NO_VALUE = Rule(
    "V101",
    "{id} is tracked and no longer true: expected {before}, observed {after}",
    "complete the tables, or reword or remove the claim: it states no number to replace",
)
REWORD = Rule(
    "V102",
    "{id} is {after} now and was {before}; its sentence is to be read again",
    "write the sentence and commit it; where it is right as it is: corpus release ID --confirm",
)
LATER = Rule(
    "V103",
    "{rows} dated after {day}",
    "release up to the last of them: corpus release {id} --date {last}",
)
ACKNOWLEDGED = Rule(
    "V110",
    "{id} does not hold: {differs}; somebody has accepted that",
    "correct the claim and the text that makes it, or: corpus release ID --confirm",
)
