"""The table games are played at, the games (a folder each), the kit they share."""
