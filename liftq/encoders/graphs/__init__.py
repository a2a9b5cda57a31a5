"""What encoders make: graphs, and the relations that a domain gives them."""
