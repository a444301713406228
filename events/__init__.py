"""Events, their codec and the log. Knows nothing above it."""
