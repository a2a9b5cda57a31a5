"""Random numbers and structures that several generators share."""
