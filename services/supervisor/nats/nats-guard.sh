#!/bin/sh
# nats-guard.sh PID_FILE PROGRAM [ARGUMENT]... becomes a program that must not outlive the supervisor, however that ends.
# A background shell kills the process group at the end of standard input, which the supervisor holds open. Only that shell
# holds standard output, so its end shows the supervisor that the program is unguarded.
# A shell instead of a Node process, because it takes only a quarter of a megabyte.
echo "$$" >"$1" || exit 1
shift
exec 3<&0
(
  read -r _
  kill -KILL 0
) <&3 3<&- 2>/dev/null &
exec "$@" </dev/null >/dev/null 3<&-
