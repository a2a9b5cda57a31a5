"""Corpora of teachers' plans, and the lessons that learners read from them."""
