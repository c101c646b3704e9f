"""The recorders whose runs are read, one module each."""
