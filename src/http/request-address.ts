/**
 * The path of a request without its query, as Bun gives it: percent-encoded, and with the dot segments of most requests
 * resolved. Bun's `request.url` has an origin only where `Host` names one. Without `Host` (HTTP/1.0), with an empty one or
 * with characters that no host has, it begins with the path. Nothing else may read it (`.config/request-url.grit`).
 */
export function pathOf({ url }: Request): string {
  const pathStart = url.startsWith('/') ? 0 : url.indexOf('/', url.indexOf('://') + '://'.length);
  const queryStart = url.indexOf('?', pathStart);
  return queryStart === -1 ? url.slice(pathStart) : url.slice(pathStart, queryStart);
}

/** The query of a request without its question mark; empty if there is none. No host in a URL has a question mark. */
export function queryOf({ url }: Request): string {
  const queryStart = url.indexOf('?');
  return queryStart === -1 ? '' : url.slice(queryStart + 1);
}
