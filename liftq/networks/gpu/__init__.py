"""What torch does slowly on a GPU, as kernels of our own. They need triton, which comes with torch for GPUs only."""
