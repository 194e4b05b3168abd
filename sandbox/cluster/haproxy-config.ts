/** Ports on which HAProxy listens, and ports of the servers to which it connects. */
export interface HaproxyPorts {
  /** The one address of the cluster. */
  readonly api: number;
  /** Where the pooler finds the primary. */
  readonly primary: number;
  /** Where the apis find the standby for reads. */
  readonly standby: number;
  readonly apis: readonly { readonly name: string; readonly port: number }[];
  readonly databases: readonly {
    readonly name: string;
    readonly port: number;
    readonly patroniPort: number;
  }[];
}

/** A connection without a byte ends after this time. Streams send heartbeats and requests get an answer in less. */
const IDLE_SECONDS = 75;

/**
 * Sends HTTP to the apis that are ready or, if none is, to those that are alive, which answer with a documented 503. A
 * request without an answer goes to another api if it may be repeated (contract/idempotency), and ends as a problem of
 * the contract if nobody answers. Forwards TCP to the Postgres whose Patroni holds the lease, and to its standby, and ends
 * sessions to a server that changes its role.
 */
export function haproxyConfig({ api, primary, standby, apis, databases }: HaproxyPorts): string {
  const servers = apis.map(({ name, port }) => `  server ${name} 127.0.0.1:${port}`);
  const members = databases.map(
    ({ name, port, patroniPort }) => `  server ${name} 127.0.0.1:${port} check port ${patroniPort}`,
  );
  return `${[
    'global',
    '  maxconn 8000',
    '  log stdout format raw local0 notice',
    'defaults',
    '  mode http',
    '  log global',
    '  retries 3',
    '  option redispatch 1',
    '  retry-on conn-failure empty-response',
    '  timeout connect 1s',
    '  timeout check 1s',
    '  timeout queue 5s',
    '  timeout http-request 10s',
    `  timeout http-keep-alive ${IDLE_SECONDS}s`,
    `  timeout client ${IDLE_SECONDS}s`,
    `  timeout server ${IDLE_SECONDS}s`,
    '  timeout tunnel 1h',
    'frontend api',
    `  bind 127.0.0.1:${api}`,
    '  http-request set-header X-Forwarded-For %[src]',
    '  http-request set-var(txn.request) uuid,regsub(-,,g)',
    '  http-request set-var(txn.path) path',
    '  http-request disable-l7-retry if !METH_GET !{ req.hdr(Idempotency-Key) -m found }',
    ...[502, 503, 504].map((status) => `  http-error status ${status} ${problem(api)}`),
    '  http-after-response set-status 503 if { status 502 504 }',
    '  use_backend ready if { nbsrv(ready) gt 0 }',
    '  default_backend alive',
    'backend ready',
    '  balance leastconn',
    '  option httpchk GET /readyz',
    '  http-check expect status 200',
    '  default-server check inter 500ms fall 2 rise 1',
    ...servers,
    'backend alive',
    '  balance leastconn',
    '  option httpchk GET /healthz',
    '  http-check expect status 200',
    '  default-server check inter 1s fall 2 rise 1',
    ...servers,
    ...databaseLines('primary', primary, '/primary', members),
    ...databaseLines('standby', standby, '/replica', members),
  ].join('\n')}\n`;
}

/** Forwards a port to the member whose Patroni answers the check of the path with 200. */
function databaseLines(name: string, port: number, path: string, members: readonly string[]): string[] {
  return [
    `frontend ${name}`,
    '  mode tcp',
    `  bind 127.0.0.1:${port}`,
    '  timeout client 24h',
    `  default_backend ${name}`,
    `backend ${name}`,
    '  mode tcp',
    '  timeout server 24h',
    // Without a body: the check closes the connection after the status.
    `  option httpchk OPTIONS ${path}`,
    '  http-check expect status 200',
    '  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions',
    ...members,
  ];
}

function problem(port: number): string {
  const body = {
    type: `http://127.0.0.1:${port}/docs/reference/errors#api_dependency_unavailable`,
    title: 'Dependency unavailable',
    status: 503,
    detail: 'No api process completed the request. Send it again, a change with the same Idempotency-Key.',
    instance: '%[var(txn.path),json(utf8s)]',
    code: 'api_dependency_unavailable',
    requestId: 'req_%[var(txn.request)]',
  };
  const headers = [
    'hdr X-Request-Id "req_%[var(txn.request)]"',
    'hdr Retry-After 1',
    'hdr Cache-Control no-store',
  ];
  return `content-type application/problem+json lf-string '${JSON.stringify(body)}' ${headers.join(' ')}`;
}
