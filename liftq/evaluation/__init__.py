"""How well solvers do: protocols that run them, and one line of JSON for whatever came of each attempt."""
