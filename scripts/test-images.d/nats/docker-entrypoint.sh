#!/bin/sh
# Starts nats-server as the official image does: arguments alone are its arguments.
set -eu
case "${1:-}" in -*) set -- nats-server "$@" ;; esac
exec "$@"
