#!/bin/sh
# The process by name; `exec` so that it is process 1 and gets the signals.
set -eu
process=${1:?one of api, worker, relay, internal, migrate, admin}
shift
case $process in
  api) exec bun src/api/main.ts "$@" ;;
  worker) exec bun src/worker/main.ts "$@" ;;
  relay) exec bun relay/main.ts "$@" ;;
  internal) exec bun src/internal/main.ts "$@" ;;
  migrate) exec bun src/db/main.ts "$@" ;;
  admin) exec bun src/admin/main.ts "$@" ;;
  *)
    echo "unknown process $process: one of api, worker, relay, internal, migrate, admin" >&2
    exit 2
    ;;
esac
