"""Plans of teachers: corpora of them, how they are made, and what a learner reads from them."""
