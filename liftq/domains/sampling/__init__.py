"""The random pieces that generators are made of."""
