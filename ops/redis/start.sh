#!/bin/sh
# redis-server with one user, who may do what the rate limiter does and nothing else. The password comes through standard
# input, so no command line and no file shows it. Arguments are further settings (`--port 6379`). REDIS_SERVER names another
# program than redis-server.
set -eu
case ${REDIS_PASSWORD:?} in
  *[!A-Za-z0-9]*)
    echo 'REDIS_PASSWORD may hold letters and digits only' >&2
    exit 2
    ;;
esac
exec "${REDIS_SERVER:-redis-server}" "$(dirname "$0")/redis.conf" "$@" - <<USERS
user default off
user api on >$REDIS_PASSWORD ~launchwire:rate:* +hello +auth +ping +eval +evalsha +time +get +set +del
USERS
