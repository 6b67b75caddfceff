#!/bin/sh
# Starts Postgres as the official image does, with its settings: POSTGRES_PASSWORD, POSTGRES_USER, POSTGRES_DB,
# POSTGRES_INITDB_ARGS, each also from a file (POSTGRES_PASSWORD_FILE), POSTGRES_HOST_AUTH_METHOD and scripts in
# /docker-entrypoint-initdb.d.
set -eu

for name in POSTGRES_PASSWORD POSTGRES_USER POSTGRES_DB POSTGRES_INITDB_ARGS; do
  eval "file=\${${name}_FILE:-}"
  # shellcheck disable=SC2154 # the line before sets it
  if [ -n "$file" ]; then export "$name=$(cat "$file")"; fi
done

POSTGRES_USER=${POSTGRES_USER:-postgres}
POSTGRES_DB=${POSTGRES_DB:-$POSTGRES_USER}
POSTGRES_HOST_AUTH_METHOD=${POSTGRES_HOST_AUTH_METHOD:-scram-sha-256}

become_postgres() {
  if [ "$(id -u)" != 0 ]; then return; fi
  mkdir -p "$PGDATA" /var/run/postgresql
  chown -R postgres:postgres "$PGDATA" /var/run/postgresql
  chmod 700 "$PGDATA"
  exec setpriv --reuid=postgres --regid=postgres --init-groups "$0" "$@"
}

require_password() {
  if [ -n "${POSTGRES_PASSWORD:-}" ] || [ "$POSTGRES_HOST_AUTH_METHOD" = trust ]; then return; fi
  echo 'Error: Database is uninitialized and superuser password is not specified. Set POSTGRES_PASSWORD.' >&2
  exit 1
}

make_store() {
  password=$(mktemp)
  printf '%s\n' "${POSTGRES_PASSWORD:-}" >"$password"
  # shellcheck disable=SC2086 # several arguments in one setting
  initdb --username="$POSTGRES_USER" ${POSTGRES_PASSWORD:+--pwfile="$password"} ${POSTGRES_INITDB_ARGS:-}
  rm "$password"
  printf "\nlisten_addresses = '*'\n" >>"$PGDATA/postgresql.conf"
  printf '\nhost all all all %s\n' "$POSTGRES_HOST_AUTH_METHOD" >>"$PGDATA/pg_hba.conf"
}

sql() {
  PGPASSWORD=${POSTGRES_PASSWORD:-} psql -v ON_ERROR_STOP=1 --username "$POSTGRES_USER" --no-password --no-psqlrc "$@"
}

# Uses a server that does not listen on the network.
fill_store() {
  shift
  PGPASSWORD=${POSTGRES_PASSWORD:-} pg_ctl -D "$PGDATA" -o "-c listen_addresses='' -p 5432 $*" -w start
  if [ "$POSTGRES_DB" != postgres ]; then
    echo 'CREATE DATABASE :"db"' | sql --dbname postgres --set db="$POSTGRES_DB"
  fi
  for file in /docker-entrypoint-initdb.d/*; do
    case "$file" in
      *.sh) . "$file" ;;
      *.sql) sql --dbname "$POSTGRES_DB" -f "$file" ;;
    esac
  done
  pg_ctl -D "$PGDATA" -m fast -w stop
  printf '\nPostgreSQL init process complete; ready for start up.\n\n'
}

case "${1:-}" in -*) set -- postgres "$@" ;; esac
if [ "${1:-}" = postgres ]; then
  become_postgres "$@"
  if [ ! -s "$PGDATA/PG_VERSION" ]; then
    require_password
    make_store
    fill_store "$@"
  else
    printf '\nPostgreSQL Database directory appears to contain a database; Skipping initialization\n\n'
  fi
fi
exec "$@"
