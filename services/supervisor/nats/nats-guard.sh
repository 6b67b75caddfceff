#!/bin/sh
# nats-guard.sh PID_FILE PROGRAM [ARGUMENT]... becomes a program that must not outlive the supervisor, however that ends.
# A shell stays beside it and kills the process group at the end of standard input, which the supervisor holds open. That
# shell alone holds standard output, whose end tells the supervisor that the program is unguarded.
# A shell instead of a Node process: the guard costs a quarter of a megabyte.
echo "$$" >"$1" || exit 1
shift
exec 3<&0
(
  read -r _
  kill -KILL 0
) <&3 3<&- 2>/dev/null &
exec "$@" </dev/null >/dev/null 3<&-
