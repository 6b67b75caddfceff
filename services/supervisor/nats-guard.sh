#!/bin/sh
# Runs a program that must not outlive the supervisor, however the supervisor ends.
# Each line on standard input asks the program to stop; the end of standard input kills it.
# Two shells instead of a Node process: the guard costs half a megabyte.
exec 3<&0
"$@" </dev/null 3<&- &
program=$!
(
  while read -r _; do kill -TERM "$program"; done
  kill -KILL "$program"
) <&3 2>/dev/null &
watch=$!
exec 3<&-
wait "$program"
status=$?
kill -KILL "$watch" 2>/dev/null
exit "$status"
