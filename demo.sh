#!/bin/sh
# A whole game on the screen: created, played, undone, redone, replayed, exported and verified.
set -eu
turnlog=${TURNLOG:-turnlog}
TURNLOG_DB=$(mktemp -d)/demo.db
export TURNLOG_DB

say() { printf '\n\033[1m$ turnlog %s\033[0m\n' "$*"; "$turnlog" "$@"; }

say games
say create power-vacuum -p lucia -p bot:greedy -o first=lucia --seed demo --id demo
say show demo --as lucia
say moves demo
say play demo play W8
say show demo --as lucia
say undo demo
say play demo --dry-run play R6
say redo demo
say log demo
printf '\nThe rest of a game, played by two bots:\n'
say --quiet create power-vacuum -p bot:greedy -p bot:random --seed demo --id bots
say show bots
say replay bots --from 2 --to 4
"$turnlog" export bots --format transcript | tail -n 12
say verify --all
say list
say standings
rm -rf "$(dirname "$TURNLOG_DB")"
