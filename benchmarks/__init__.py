"""What turnlog promises of speed, measured as ratios taken in one run."""
