#!/bin/sh
# Runs a database server that must not outlive its test run, however that ends, and removes its folder.
# usage: guard.sh <folder> <program> [argument...]; a line on standard input, or its end, ends the server.
folder=$1
shift
exec 3<&0
"$@" </dev/null 3<&- &
server=$!
(
  read -r _
  # Postgres ends at once and leaves no shared memory behind; MariaDB does not listen to it.
  kill -QUIT "$server"
  n=0
  while [ "$n" -lt 20 ] && kill -0 "$server"; do
    sleep 0.1
    n=$((n + 1))
  done
  kill -KILL "$server"
) <&3 2>/dev/null &
watch=$!
exec 3<&-
wait "$server"
status=$?
kill -KILL "$watch" 2>/dev/null
rm -rf "$folder"
exit "$status"
