#!/bin/sh
# Copies the server $PRIMARY into an empty folder, and runs as its standby with the arguments given.
set -eu
: "${PGDATA:?}" "${PRIMARY:?}" "${PGPASSWORD:?}"
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  # What a copy that was cut off has left.
  find "$PGDATA" -mindepth 1 -delete
  pg_basebackup --dbname="host=$PRIMARY user=launchwire application_name=standby" \
    --pgdata="$PGDATA" --write-recovery-conf --wal-method=stream --checkpoint=fast
fi
chmod 0700 "$PGDATA"
exec postgres "$@"
