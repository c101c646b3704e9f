"""Which faults in a part of the package its tests find: `make mutants PART=tables BUDGET=600`."""
