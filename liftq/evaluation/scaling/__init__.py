"""Coverage by size, on fresh problems of a generator (Gros et al. 2025)."""
