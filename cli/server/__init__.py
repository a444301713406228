"""Games over HTTP: another face of the command line, with its documents and errors. Loaded by `serve` only."""
