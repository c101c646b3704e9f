"""What the columns of somebody's own table are: bibliographic fields, vocabularies, tags or free text."""
