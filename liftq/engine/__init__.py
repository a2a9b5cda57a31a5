"""Planning tasks on the C++ core: states and choices, heuristics, search, the validator, and what solvers share."""
