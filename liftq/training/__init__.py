"""From a corpus of optimal plans to trained models."""
