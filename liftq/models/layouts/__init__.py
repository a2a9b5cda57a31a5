"""Where the weights of models lie."""
