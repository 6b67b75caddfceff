#!/bin/sh
# Starts nats-server as the official image does: a command that begins with an option is passed to nats-server.
set -eu
case "${1:-}" in -*) set -- nats-server "$@" ;; esac
exec "$@"
