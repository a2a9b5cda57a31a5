"""Networks in torch: batches of graphs, where weights lie, and forward passes."""
