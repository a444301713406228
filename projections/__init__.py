"""What follows from a log: the fold, the timeline, snapshots, read models. Knows no game."""
