#!/bin/sh
# Starts MySQL as the official image does, with its settings: MYSQL_ROOT_PASSWORD, MYSQL_ALLOW_EMPTY_PASSWORD,
# MYSQL_ROOT_HOST, MYSQL_DATABASE, MYSQL_USER, MYSQL_PASSWORD and scripts in /docker-entrypoint-initdb.d.
set -eu
store=/var/lib/mysql

note() {
  printf '%s [Note] [Entrypoint]: %s\n' "$(date --rfc-3339=seconds)" "$*"
}

become_mysql() {
  if [ "$(id -u)" != 0 ]; then return; fi
  note 'Switching to dedicated user '\''mysql'\'
  mkdir -p "$store" /var/run/mysqld
  chown mysql:mysql "$store" /var/run/mysqld
  exec setpriv --reuid=mysql --regid=mysql --init-groups "$0" "$@"
}

require_password() {
  if [ -n "${MYSQL_ROOT_PASSWORD:-}${MYSQL_ALLOW_EMPTY_PASSWORD:-}" ]; then return; fi
  echo '[ERROR] [Entrypoint]: Database is uninitialized and password option is not specified. Set MYSQL_ROOT_PASSWORD.' >&2
  exit 1
}

make_store() {
  note 'Initializing database files'
  "$@" --initialize-insecure --default-time-zone=SYSTEM
  note 'Database files initialized'
}

quoted() {
  printf "'%s'" "$(printf %s "$1" | sed "s/\\\\/\\\\\\\\/g; s/'/''/g")"
}

users() {
  root=$(quoted "${MYSQL_ROOT_PASSWORD:-}")
  if [ -n "${MYSQL_DATABASE:-}" ]; then
    note "Creating database $MYSQL_DATABASE" >&2
    echo "create database if not exists \`$MYSQL_DATABASE\`;"
  fi
  if [ -n "${MYSQL_USER:-}" ] && [ -n "${MYSQL_PASSWORD:-}" ]; then
    user=$(quoted "$MYSQL_USER")@\'%\'
    note "Creating user $MYSQL_USER" >&2
    echo "create user $user identified by $(quoted "$MYSQL_PASSWORD");"
    if [ -n "${MYSQL_DATABASE:-}" ]; then echo "grant all on \`$MYSQL_DATABASE\`.* to $user;"; fi
  fi
  echo "create user root@$(quoted "${MYSQL_ROOT_HOST:-%}") identified by $root;"
  echo "grant all on *.* to root@$(quoted "${MYSQL_ROOT_HOST:-%}") with grant option;"
  # Last, because after this statement connections need the password.
  echo "alter user root@localhost identified by $root;"
}

sql() {
  MYSQL_PWD=${1:-} mysql --no-defaults --socket=/var/run/mysqld/mysqld.sock --user=root --database="${2:-}"
}

# Uses a server that does not listen on the network.
fill_store() {
  note 'Starting temporary server'
  "$@" --daemonize --skip-networking --default-time-zone=SYSTEM
  note 'Temporary server started.'
  users | sql ''
  for file in /docker-entrypoint-initdb.d/*; do
    case "$file" in
      *.sh) . "$file" ;;
      *.sql) sql "${MYSQL_ROOT_PASSWORD:-}" "${MYSQL_DATABASE:-}" <"$file" ;;
    esac
  done
  note 'Stopping temporary server'
  pid=$(cat /var/run/mysqld/mysqld.pid)
  kill "$pid"
  while kill -0 "$pid" 2>/dev/null; do sleep 0.1; done
  note 'Temporary server stopped'
  note 'MySQL init process done. Ready for start up.'
}

case "${1:-}" in -*) set -- mysqld "$@" ;; esac
if [ "${1:-}" = mysqld ]; then
  become_mysql "$@"
  if [ ! -d "$store/mysql" ]; then
    require_password
    make_store "$@"
    fill_store "$@"
  fi
fi
exec "$@"
