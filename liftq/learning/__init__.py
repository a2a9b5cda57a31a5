"""From a few problems to a policy: problems are split and derived, taught, trained on and played, round by round."""
