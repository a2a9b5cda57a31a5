"""A plan and the policy behind it as one page to step through."""
