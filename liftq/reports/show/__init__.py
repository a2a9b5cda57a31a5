"""`liftq show`: a plan, and a policy's values along it, as one page to step through."""
