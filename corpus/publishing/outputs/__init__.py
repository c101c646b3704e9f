"""What a corpus generates: which file is made how, when it is stale, and where it is written."""
