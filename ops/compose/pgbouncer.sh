#!/bin/sh
# Starts PgBouncer with ops/pgbouncer/pgbouncer.ini before the server $PRIMARY, for the logins of api and internal.
set -eu
: "${PRIMARY:?}" "${API_DATABASE_PASSWORD:?}"
umask 077
folder=$(mktemp -d)
sed -e "s/host=127\.0\.0\.1/host=$PRIMARY/" \
  -e "s/^listen_addr = .*/listen_addr = ${LISTEN:-0.0.0.0}/" \
  -e "s|^auth_file = .*|auth_file = $folder/userlist.txt|" \
  -e 's/^;max_prepared_statements/max_prepared_statements/' \
  "${SETTINGS:-/etc/launchwire/pgbouncer.ini}" > "$folder/pgbouncer.ini"
{
  printf '"launchwire_api_login" "%s"\n' "$API_DATABASE_PASSWORD"
  # Reads the limits for `doctor`, by DATABASE_POOLER_URL.
  [ -z "${PGBOUNCER_STATS_PASSWORD:-}" ] || printf '"launchwire_stats" "%s"\n' "$PGBOUNCER_STATS_PASSWORD"
  [ -z "${INTERNAL_DATABASE_PASSWORD:-}" ] || printf '"launchwire_internal_login" "%s"\n' "$INTERNAL_DATABASE_PASSWORD"
} > "$folder/userlist.txt"
exec pgbouncer "$folder/pgbouncer.ini"
