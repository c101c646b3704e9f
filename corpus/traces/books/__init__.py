"""The books of a conversion: a second reading of the source, compared with the trace."""
