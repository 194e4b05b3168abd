import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { loadAdminConfig, loadConfig, loadConfigOf, secretsOf } from '../../src/config/load.ts';
import { variables } from '../../src/config/variables.ts';
import { driverAccess } from '../../src/db/access.ts';
import { ConfigurationError } from '../../src/shared/configuration-error.ts';
import { defaultRateLimits } from '../../src/shared/rate-policies.ts';
import { createRedactor } from '../../src/shared/redact.ts';
import { deriveKey, ORDER_KEY_PURPOSE, RESULT_KEY_PURPOSE } from '../../src/shared/secret-box.ts';

const complete = {
  DATABASE_URL: 'postgres://user:hunter2@127.0.0.1/launchwire',
  NATS_URL: 'nats://127.0.0.1:4222',
  SOLANA_RPC_URL: 'http://127.0.0.1:8899, https://rpc.example',
  SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
};

function mistakes(
  environment: Record<string, string>,
  load: (environment: Record<string, string>) => unknown = loadConfig,
): readonly string[] {
  try {
    load(environment);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return error.mistakes;
  }
}

const RATE_LIMITS = '{"public-read-cheap":{"limit":1000,"windowSeconds":60}}';

describe('configuration', () => {
  test('needs four variables and has safe defaults for the rest', () => {
    const config = loadConfig(complete);
    expect(config).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      publicUrl: 'http://localhost:3000',
      docsUrl: 'http://localhost:3000/docs',
      apiEnvironment: 'test',
      solanaNodes: [
        { name: '127.0.0.1:8899', url: 'http://127.0.0.1:8899', isProtected: false },
        { name: 'rpc.example', url: 'https://rpc.example', isProtected: false },
      ],
      webhookAllowHttp: false,
      webhookAllowedCidrs: [],
      redisUrl: undefined,
    });
    expect(config.webhookRetrySchedule.length).toBe(9);
    expect(Object.isFrozen(config)).toBe(true);
  });

  test('takes name servers as addresses with or without a port, never as names', () => {
    const read = (value: string) => loadConfig({ ...complete, WEBHOOK_DNS_SERVERS: value }).webhookDnsServers;
    expect(read('10.0.0.2, 10.0.0.3:5353,fd00::2,[fd00::3]:53')).toEqual([
      '10.0.0.2',
      '10.0.0.3:5353',
      'fd00::2',
      '[fd00::3]:53',
    ]);
    for (const value of [
      'resolver.example',
      '10.0.0.2:0',
      '10.0.0.2:65536',
      '[10.0.0.2]:53',
      '10.0.0.2,',
      '::1]:53',
    ])
      expect(() => read(value)).toThrow('WEBHOOK_DNS_SERVERS');
  });

  test('reports every mistake at once, by name', () => {
    const found = mistakes({
      PORT: '99999',
      SECRET_KEY: 'short',
      API_ENVIRONMENT: 'prod',
      RATE_LIMITS: '{"a":{"limit":0}}',
      WEBHOOK_ALLOWED_CIDRS: '10.0.0.0/99',
      WEBHOOK_ALLOW_HTTP: 'yes',
      WEBHOOK_DNS_SERVERS: '10.0.0.2,resolver.example',
    });
    const names = found.map((mistake) => mistake.split(' ')[0] ?? '').sort();
    expect(names).toEqual(
      [
        'API_ENVIRONMENT',
        'DATABASE_URL',
        'NATS_URL',
        'PORT',
        'RATE_LIMITS',
        'SECRET_KEY',
        'SOLANA_RPC_URL',
        'WEBHOOK_ALLOWED_CIDRS',
        'WEBHOOK_ALLOW_HTTP',
        'WEBHOOK_DNS_SERVERS',
      ].sort(),
    );
  });

  test('keeps events longer than the retries of their deliveries, and attempts as long as events', () => {
    // Below 30 a request that waits would be cut off, above 255 Bun closes nothing.
    for (const seconds of ['29', '256'])
      expect(mistakes({ ...complete, IDLE_TIMEOUT_SECONDS: seconds })).toEqual([
        expect.stringContaining('IDLE_TIMEOUT_SECONDS'),
      ]);
    for (const seconds of ['30', '255'])
      expect(mistakes({ ...complete, IDLE_TIMEOUT_SECONDS: seconds })).toEqual([]);
    expect(loadConfig(complete).idleTimeoutSeconds).toBeGreaterThan(60);
    expect(mistakes({ ...complete, RETENTION_EVENTS_DAYS: '29' })).toEqual([
      'RETENTION_EVENTS_DAYS must be a whole number from 30 to 3650',
    ]);
    expect(mistakes({ ...complete, RETENTION_TRADES_DAYS: '29' })).toHaveLength(1);
    expect(
      mistakes({
        ...complete,
        WEBHOOK_RETRY_SCHEDULE: '1296000,1296000',
        RETENTION_EVENTS_DAYS: '34',
        RETENTION_ATTEMPTS_DAYS: '33',
      }),
    ).toEqual([
      'RETENTION_EVENTS_DAYS must be at least 37 with this WEBHOOK_RETRY_SCHEDULE',
      'RETENTION_ATTEMPTS_DAYS must not be less than RETENTION_EVENTS_DAYS',
    ]);
    const { retentionEventsDays, retentionAttemptsDays, retentionTradesDays } = loadConfig(complete);
    expect({ retentionEventsDays, retentionAttemptsDays, retentionTradesDays }).toEqual({
      retentionEventsDays: 30,
      retentionAttemptsDays: 30,
      retentionTradesDays: undefined,
    });
  });

  test('finds a metrics port for every api process', () => {
    expect(mistakes({ ...complete, METRICS_PORT: '65534', API_WORKERS: '2' })).toEqual([]);
    expect(mistakes({ ...complete, METRICS_PORT: '65534', API_WORKERS: '3' })).toEqual([
      'METRICS_PORT leaves too few ports for API_WORKERS',
    ]);
  });

  test('refuses unknown query parameters only where no client relies on the contract', () => {
    expect(loadConfig(complete).strictQuery).toBe(false);
    expect(mistakes({ ...complete, STRICT_QUERY: 'true' })).toEqual([]);
    expect(mistakes({ ...complete, API_ENVIRONMENT: 'live', STRICT_QUERY: 'false' })).toEqual([]);
    expect(mistakes({ ...complete, API_ENVIRONMENT: 'live', STRICT_QUERY: 'true' })).toEqual([
      'STRICT_QUERY must not be true with API_ENVIRONMENT=live, whose clients rely on the contract',
    ]);
  });

  test('never repeats a value, so that no secret gets into a log', () => {
    const found = mistakes({
      ...complete,
      DATABASE_URL: 'mysql://user:hunter2@host',
      SECRET_KEY: 'c2VjcmV0',
    });
    expect(found.length).toBe(2);
    expect(found.join()).not.toContain('hunter2');
    expect(found.join()).not.toContain('c2VjcmV0');
  });

  test.each([
    'postgres://user:hunter2@127.0.0.1',
    'postgres://user:hunter2@127.0.0.1/',
    'postgres:///launchwire',
    'postgres:launchwire',
    'postgres://user:hunter2@127.0.0.1/one/two',
    'postgres://user:hunter2@one,,two/launchwire',
    'postgres://user:hunter2@one:1,two:port/launchwire',
    'postgres://user:hunter2%@127.0.0.1/launchwire',
    'postgres://user:hunter2@127.0.0.1:port/launchwire',
    'postgres://user:hunter2/3@127.0.0.1/launchwire',
    'postgres://user:hunter2@127.0.0.1/launch wire',
    '127.0.0.1/launchwire',
  ])('refuses a DATABASE_URL that is not whole: %s', (DATABASE_URL) => {
    expect(mistakes({ ...complete, DATABASE_URL })).toEqual([
      'DATABASE_URL must be postgres://user:password@host:port/database, with a host (or several, host:port,host:port) and the name of a database',
    ]);
  });

  test('takes a DATABASE_URL with several hosts, of which the one that accepts writes is used', () => {
    const DATABASE_URL = 'postgres://user:hunter2@one:5433,[::1],two/launchwire';
    const loaded = loadConfig({ ...complete, DATABASE_URL }).databaseUrl;
    expect(loaded).toBe(DATABASE_URL);
    expect(driverAccess(loaded)).toEqual({
      url: 'postgres://user:hunter2@one:5433/launchwire',
      ssl: false,
      hosts: {
        host: ['one', '[::1]', 'two'],
        port: [5433, 5432, 5432],
        target_session_attrs: 'read-write',
      },
    });
    expect(
      mistakes({ ...complete, DATABASE_URL: `${DATABASE_URL}?target_session_attrs=prefer-standby` }),
    ).toEqual([
      'DATABASE_URL must have no target_session_attrs but read-write, which it has with several hosts anyway',
    ]);
  });

  test('takes a DATABASE_URL with escaped parts, an IPv6 host and options', () => {
    const DATABASE_URL = 'postgresql://us%40er:p%2Fw@[::1]:5433/launchwire?sslmode=require';
    expect(loadConfig({ ...complete, DATABASE_URL }).databaseUrl).toBe(DATABASE_URL);
  });

  test.each([
    ['NATS_URL', 'nats:', 'nats:// or tls://'],
    ['NATS_URL', 'nats://', 'nats:// or tls://'],
    ['NATS_URL', 'nats:127.0.0.1:4222', 'nats:// or tls://'],
    ['NATS_URL', '127.0.0.1:4222', 'nats:// or tls://'],
    ['REDIS_URL', 'redis://', 'redis:// or rediss://'],
    ['REDIS_URL', 'redis:cache', 'redis:// or rediss://'],
    ['SOLANA_RPC_URL', 'http:node', 'http:// or https://'],
    ['SOLANA_RPC_URL', 'https://one.test,,https://two.test', 'http:// or https://'],
    ['SOLANA_RPC_URL', 'wss://one.test', 'http:// or https://'],
  ])('refuses %s=%s', (name, value, schemes) => {
    expect(mistakes({ ...complete, [name]: value })).toEqual([
      `${name} must be a URL with a host (${schemes})`,
    ]);
  });

  test.each([
    ['{', `must be JSON like ${RATE_LIMITS}`],
    ['[]', `must be a JSON object like ${RATE_LIMITS}, not a list`],
    ['7', `must be a JSON object like ${RATE_LIMITS}, not a number`],
    ['{"login":7}', `names no policy "login": there are ${Object.keys(defaultRateLimits).join(', ')}`],
    ['{"webhook-admin":7}', 'webhook-admin must be an object with "limit" and "windowSeconds", not a number'],
    [
      '{"webhook-admin":{"limit":"7"},"public-read-cheap":{"limit":0,"windowSeconds":1.5}}',
      'webhook-admin.limit must be a whole number of at least 1, not a string; webhook-admin.windowSeconds is missing; ' +
        'public-read-cheap.limit must be a whole number of at least 1, not 0; ' +
        'public-read-cheap.windowSeconds must be a whole number of at least 1, not 1.5',
    ],
    [
      '{"webhook-admin":{"limit":1000000000000000,"windowSeconds":999999999999999}}',
      'webhook-admin.limit must be at most 999999999999999, not 1000000000000000',
    ],
    [
      '{"webhook-admin":{"limit":7,"windowSeconds":60,"window":60}}',
      'webhook-admin has no field "window", only limit and windowSeconds',
    ],
  ])('refuses RATE_LIMITS=%s with its reason', (value, reason) => {
    expect(mistakes({ ...complete, RATE_LIMITS: value })).toEqual([`RATE_LIMITS ${reason}`]);
  });

  test('refuses a rate policy that does not exist, and names the nearest', () => {
    const limit = { limit: 1, windowSeconds: 1 };
    expect(mistakes({ ...complete, RATE_LIMITS: JSON.stringify({ 'public-reads-cheap': limit }) })).toEqual([
      'RATE_LIMITS names no policy "public-reads-cheap": the nearest is "public-read-cheap"',
    ]);
    expect(
      loadConfig({ ...complete, RATE_LIMITS: '{"webhook-admin":{"limit":7,"windowSeconds":60}}' }),
    ).toMatchObject({
      rateLimits: { 'webhook-admin': { limit: 7, windowSeconds: 60 } },
    });
  });

  describe('a node that is named twice', () => {
    const REPEATED =
      'SOLANA_RPC_URL must name each node once: a repeated one would count as a second witness';
    const written = (SOLANA_RPC_URL: string) => ({ ...complete, SOLANA_RPC_URL });

    test.each([
      'https://one.example,https://two.example,https://one.example',
      'https://one.example,https://one.example/',
      'https://one.example/key,https://one.example/key//',
      'https://one.example,https://ONE.example:443',
      'https://one.example,https://one.example.',
      'http://one.example,https://one.example',
      'https://user:one@one.example,https://other:two@one.example',
      'https://one.example?api-key=a,https://one.example/?api-key=a',
      'a=https://one.example,b:own=https://one.example',
      'http://localhost:8899,http://127.0.0.1:8899',
      'http://[::1]:8899,http://127.0.0.1:8899/',
    ])('is refused by every program that asks nodes: %s', (SOLANA_RPC_URL) => {
      const environment = { ...written(SOLANA_RPC_URL), INTERNAL_PORT: '0' };
      expect(mistakes(environment)).toEqual([REPEATED]);
      for (const program of ['api', 'worker', 'internal'] as const)
        expect(mistakes(environment, (given) => loadConfigOf(program, given))).toEqual([REPEATED]);
      expect(mistakes(environment, (given) => loadAdminConfig(() => ({}), given))).toEqual([REPEATED]);
    });

    test.each([
      'https://one.example?api-key=a,https://one.example?api-key=b',
      'https://one.example/a,https://one.example/b',
      'http://127.0.0.1:8899,http://127.0.0.1:8900',
    ])('is not what differs by port, path or key: %s', (SOLANA_RPC_URL) => {
      expect(mistakes(written(SOLANA_RPC_URL))).toEqual([]);
    });
  });

  describe('addresses for sending alone', () => {
    const SOLANA_SEND_URL = 'https://one.example/send?api-key=urlsecret-1,http://two.example:8080';
    const sending = { ...complete, SOLANA_SEND_URL };
    const SOLANA_SEND_HEADERS =
      '{"one.example":{"x-token":"a,b\\"c secret"},"two.example:8080":{"X-Auth":"other-secret"}}';

    test('and their headers are read, none by default', () => {
      expect(loadConfig(complete)).toMatchObject({ solanaSendAddresses: [], solanaSendHeaders: {} });
      expect(loadConfig({ ...sending, SOLANA_SEND_HEADERS })).toMatchObject({
        solanaSendAddresses: [
          { name: 'one.example', url: 'https://one.example/send?api-key=urlsecret-1', isProtected: false },
          { name: 'two.example:8080', url: 'http://two.example:8080', isProtected: false },
        ],
        solanaSendHeaders: { 'one.example': { 'x-token': 'a,b"c secret' } },
      });
    });

    test('are shown in no log: keys of the addresses, and every value of a header', () => {
      const redact = createRedactor(secretsOf({ ...sending, SOLANA_SEND_HEADERS }));
      const text = redact(
        JSON.stringify({ told: ['urlsecret-1', 'a,b"c secret', 'other-secret', 'one.example'] }),
      );
      expect(text).not.toMatch(/urlsecret|c secret|other-secret/);
      expect(text).toContain('one.example');
      expect(createRedactor(secretsOf({ SOLANA_SEND_HEADERS: '{"broken-secret' }))('{"broken-secret')).toBe(
        '[redacted]',
      );
    });

    test.each([
      ['nonsense-secret', 'must be JSON like {"sender.example":{"x-token":"…"}}'],
      ['["a-secret"]', 'must be JSON like {"sender.example":{"x-token":"…"}}'],
      ['{"one.example":"a-secret"}', 'must be JSON like {"sender.example":{"x-token":"…"}}'],
      ['{"one.example":{"x-token":7}}', 'must be JSON like {"sender.example":{"x-token":"…"}}'],
      ['{"one.example":{"x token":"a-secret"}}', 'must contain valid header names and values'],
      ['{"one.example":{"x-token":"a-secret\\r\\nX: y"}}', 'must contain valid header names and values'],
      ['{"one.example":{"x-token":""}}', 'must contain valid header names and values'],
      [
        '{"one.example":{"Content-Length":"1"}}',
        'must not set a header of the request itself (accept, connection, content-encoding, content-length, content-type, host, transfer-encoding)',
      ],
      [
        '{"elsewhere.example":{"x-token":"a-secret"}}',
        'must name hosts of SOLANA_SEND_URL only, with their ports',
      ],
      ['{"two.example":{"x-token":"a-secret"}}', 'must name hosts of SOLANA_SEND_URL only, with their ports'],
    ])('refuse headers %s without showing them', (SOLANA_SEND_HEADERS, expectation) => {
      expect(mistakes({ ...sending, SOLANA_SEND_HEADERS })).toEqual([`SOLANA_SEND_HEADERS ${expectation}`]);
    });

    test.each(['https://rpc.example', 'https://one.example,https://one.example'])(
      'are named once, and are no nodes: %s',
      (SOLANA_SEND_URL) => {
        expect(mistakes({ ...complete, SOLANA_SEND_URL })).toEqual([
          'SOLANA_SEND_URL must name each address once, and none of SOLANA_RPC_URL',
        ]);
      },
    );

    test('are other addresses than the nodes, however both are written', () => {
      expect(mistakes({ ...complete, SOLANA_SEND_URL: 'https://RPC.example:443/' })).toEqual([
        'SOLANA_SEND_URL must name each address once, and none of SOLANA_RPC_URL',
      ]);
    });

    const read = (SOLANA_SEND_URL: string, SOLANA_RPC_URL = complete.SOLANA_RPC_URL) => {
      const config = loadConfig({ ...complete, SOLANA_SEND_URL, SOLANA_RPC_URL });
      return [...config.solanaNodes, ...config.solanaSendAddresses];
    };

    test('have the name that they are given, else that of their host, and a number where it is taken', () => {
      const named = read(
        'lander:protected=https://lander.example/send?key=a=b, plain=http://two.example ,https://one.example/?x=y,https://one.example/2,https://u:pw@rpc.example:9000/key',
        'mine=https://rpc.example:9000,https://one.example/node',
      );
      expect(named.map(({ name, isProtected, url }) => [name, isProtected, new URL(url).host])).toEqual([
        ['mine', false, 'rpc.example:9000'],
        ['one.example', false, 'one.example'],
        ['lander', true, 'lander.example'],
        ['plain', false, 'two.example'],
        ['one.example-2', false, 'one.example'],
        ['one.example-3', false, 'one.example'],
        ['rpc.example:9000', false, 'rpc.example:9000'],
      ]);
      expect(named[2]?.url).toBe('https://lander.example/send?key=a=b');
    });

    test('have no name that is probably a key', () => {
      const hosts = ['0123456789abcdef0123', '8f14e45f-ceea-467f-a8e6-0d1f2b3c4d5e', 'x'.repeat(40)];
      const names = read(hosts.map((host) => `https://${host}.sender.example`).join()).slice(2);
      expect(names.map(({ name }) => name)).toEqual([
        'key.sender.example',
        'key.sender.example-2',
        'key.sender.example-3',
      ]);
    });

    test('are shown in no log with a name either', () => {
      const secrets = secretsOf({
        ...complete,
        SOLANA_SEND_URL:
          'one:protected=https://one.example/send?api-key=urlsecret-1,two=https://:urlsecret-2@two.example',
        SOLANA_RPC_URL: 'rpc=https://rpc.example/urlsecret-3-long',
      });
      const redact = createRedactor(secrets);
      const text = redact('urlsecret-1 urlsecret-2 urlsecret-3-long one.example two rpc protected');
      expect(text).toBe('[redacted] [redacted] [redacted] one.example two rpc protected');
    });

    const form = 'must name addresses with 1 to 40 lowercase letters, digits, dots and hyphens';
    const reserved = 'must name no address protected: a mark follows a name, as in name:protected=URL';
    test.each([
      ['=https://one.example', form],
      ['One=https://one.example', form],
      ['a b=https://one.example', form],
      ['-a=https://one.example', form],
      [`${'a'.repeat(41)}=https://one.example`, form],
      ['a:protected:protected=https://one.example', form],
      [':protected=https://one.example', form],
      ['protected=https://one.example', reserved],
      ['a:secret=https://one.example', 'must mark addresses only as protected, as in name:protected=URL'],
      ['a:=https://one.example', 'must mark addresses only as protected, as in name:protected=URL'],
      ['a-key-1=https://one.example/?k=A-Key-1', 'must name no address by its key'],
      ['a=https://one.example,a=https://two.example', 'must give each address another name'],
      ['a=one.example', 'must be a URL with a host (http:// or https://)'],
      ['a', 'must be a URL with a host (http:// or https://)'],
      ['a=', 'must be a URL with a host (http:// or https://)'],
      ['a:protected', 'must be a URL with a host (http:// or https://)'],
    ])('are refused as %s, without showing it', (SOLANA_SEND_URL, expectation) => {
      expect(mistakes({ ...complete, SOLANA_SEND_URL })).toEqual([`SOLANA_SEND_URL ${expectation}`]);
    });

    test('have no name of a node, and nodes another mark', () => {
      const named = { ...complete, SOLANA_RPC_URL: 'a=https://rpc.example' };
      expect(mistakes({ ...named, SOLANA_SEND_URL: 'a=https://one.example' })).toEqual([
        'SOLANA_SEND_URL must give no address a name of SOLANA_RPC_URL',
      ]);
      const marked = { ...complete, SOLANA_RPC_URL: 'a:own=https://rpc.example,https://other.example' };
      expect(loadConfig(marked).solanaNodes.map(({ isOwn }) => isOwn)).toEqual([true, undefined]);
      expect(mistakes({ ...complete, SOLANA_SEND_URL: 'a:own=https://one.example' })).toEqual([
        'SOLANA_SEND_URL must mark addresses only as protected, as in name:protected=URL',
      ]);
      expect(mistakes({ ...complete, SOLANA_RPC_URL: 'a:protected=https://rpc.example' })).toEqual([
        'SOLANA_RPC_URL must mark addresses only as own, as in name:own=URL',
      ]);
    });
  });

  describe('tips', () => {
    const account = '1'.repeat(32);
    const named = { ...complete, SOLANA_SEND_URL: 'lander=https://one.example,https://two.example' };

    test('are paid to accounts, with or without the name of their service', () => {
      const environment = { ...named, TIP_LAMPORTS: '5', TIP_ACCOUNTS: `lander=${account}, ${account}` };
      expect(loadConfig(environment)).toMatchObject({
        tipLamports: 5,
        minTipLamports: 0,
        tipAccounts: [
          { service: 'lander', address: account },
          { service: null, address: account },
        ],
      });
    });

    test('may be left to requests, and to no default', () => {
      expect(loadConfig({ ...complete, TIP_ACCOUNTS: account })).toMatchObject({ tipLamports: 0 });
      const great = { ...complete, TIP_ACCOUNTS: account, TIP_LAMPORTS: '900000000' };
      expect(loadConfig(great)).toMatchObject({ tipLamports: 900_000_000, maxTipLamports: undefined });
    });

    test.each([
      [{ TIP_LAMPORTS: '5' }, 'TIP_LAMPORTS needs TIP_ACCOUNTS'],
      [{ TIP_ACCOUNTS: 'nobody' }, 'TIP_ACCOUNTS must be a Solana address'],
      [{ TIP_ACCOUNTS: `other=${account}` }, 'TIP_ACCOUNTS must name services as SOLANA_SEND_URL does'],
      [{ TIP_ACCOUNTS: `two.example=${account}` }, 'TIP_ACCOUNTS must name services as SOLANA_SEND_URL does'],
      [
        { TIP_ACCOUNTS: account, TIP_LAMPORTS: '5', MIN_TIP_LAMPORTS: '6' },
        'TIP_LAMPORTS must be from MIN_TIP_LAMPORTS to MAX_TIP_LAMPORTS',
      ],
      [
        { TIP_ACCOUNTS: account, TIP_LAMPORTS: '5', MAX_TIP_LAMPORTS: '4' },
        'TIP_LAMPORTS must be from MIN_TIP_LAMPORTS to MAX_TIP_LAMPORTS',
      ],
      [{ MAX_TIP_LAMPORTS: '1.5' }, 'MAX_TIP_LAMPORTS must be a whole number from 0 to 1000000000'],
    ])('are refused as %p', (tips, mistake) => {
      expect(mistakes({ ...named, ...tips })).toEqual([mistake]);
    });
  });

  describe('launch configs', () => {
    const [one, other] = ['1'.repeat(32), 'So11111111111111111111111111111111111111112'];

    test('have names in their order; the older variable is one named standard', () => {
      expect(loadConfig(complete).launchCurveConfigs).toEqual([]);
      const several = { ...complete, LAUNCH_CURVE_CONFIGS: `steep=${one}, flat-2=${other}` };
      expect(loadConfig(several).launchCurveConfigs).toEqual([
        { name: 'steep', address: one },
        { name: 'flat-2', address: other },
      ]);
      const standard = [{ name: 'standard', address: one }];
      const single = { ...complete, LAUNCH_CURVE_CONFIG: one };
      expect(loadConfig(single).launchCurveConfigs).toEqual(standard);
      expect(loadConfigOf('api', single).launchCurveConfigs).toEqual(standard);
      expect(loadAdminConfig(() => ({}), single).launchCurveConfigs).toEqual(standard);
    });

    const form =
      'LAUNCH_CURVE_CONFIGS must be name=address, comma-separated, with names of 1 to 32 lowercase letters, digits and hyphens';
    const long = `https://${'a'.repeat(140)}.example`;
    test.each([
      [{ LAUNCH_CURVE_CONFIGS: one }, form],
      [{ LAUNCH_CURVE_CONFIGS: `Steep=${one}` }, form],
      [{ LAUNCH_CURVE_CONFIGS: `a/b=${one}` }, form],
      [{ LAUNCH_CURVE_CONFIGS: `a=${one},` }, form],
      [{ LAUNCH_CURVE_CONFIGS: `a=b=${one}` }, form],
      [{ LAUNCH_CURVE_CONFIGS: 'a=nobody' }, 'LAUNCH_CURVE_CONFIGS must be a Solana address'],
      [
        { LAUNCH_CURVE_CONFIGS: `a=${one},a=${other}` },
        'LAUNCH_CURVE_CONFIGS must give each config another name',
      ],
      [
        { LAUNCH_CURVE_CONFIGS: Array.from({ length: 21 }, (_, at) => `c${at}=${one}`).join() },
        'LAUNCH_CURVE_CONFIGS must name at most 20 configs',
      ],
      [
        { LAUNCH_CURVE_CONFIG: one, LAUNCH_CURVE_CONFIGS: `a=${one}` },
        'LAUNCH_CURVE_CONFIG and LAUNCH_CURVE_CONFIGS have the same meaning: set one of them',
      ],
      [
        { PUBLIC_URL: long, LAUNCH_CURVE_CONFIGS: `a=${one}` },
        'PUBLIC_URL must have at most 140 bytes with LAUNCH_CURVE_CONFIGS',
      ],
    ])('are refused as %p', (configs, mistake) => {
      expect(mistakes({ ...complete, ...configs })).toEqual([mistake]);
    });
  });

  describe('gates of nonces', () => {
    const [one, other] = ['1'.repeat(32), 'So11111111111111111111111111111111111111112'];

    test('are none unless they are given, each with its account', () => {
      expect(loadConfig(complete).nonceGates).toEqual([]);
      const both = { ...complete, NONCE_GATES: `removal=${one}, priority=${other}` };
      const gates = [
        { gate: 'removal', address: one },
        { gate: 'priority', address: other },
      ] as const;
      expect(loadConfigOf('api', both).nonceGates).toEqual(gates);
      expect(loadAdminConfig(() => ({}), both).nonceGates).toEqual(gates);
    });

    const form = 'NONCE_GATES must be gate=address, comma-separated, with the gates priority and removal';
    test.each([
      [one, form],
      [`fees=${one}`, form],
      [`priority=${one},`, form],
      [`priority=removal=${one}`, form],
      ['priority=nobody', 'NONCE_GATES must be a Solana address'],
      [`priority=${one},priority=${other}`, 'NONCE_GATES must name each gate once'],
      [`priority=${one},removal=${one}`, 'NONCE_GATES must name each address once'],
    ])('are refused as %p', (NONCE_GATES, mistake) => {
      expect(mistakes({ ...complete, NONCE_GATES })).toEqual([mistake]);
    });
  });

  test('describes every variable', () => {
    for (const { text } of Object.values(variables)) expect(text).toMatch(/^[A-Z].*\.$/);
  });

  test('lets the admin CLI work with DATABASE_URL alone, else with the sandbox', () => {
    expect(loadAdminConfig(() => ({}), { DATABASE_URL: complete.DATABASE_URL }).databaseUrl).toBe(
      complete.DATABASE_URL,
    );
    const sandbox = { DATABASE_URL: 'postgres://127.0.0.1/sandbox', PUBLIC_URL: 'http://localhost:4000' };
    expect(loadAdminConfig(() => sandbox, {}).publicUrl).toBe('http://localhost:4000');
    expect(() => loadAdminConfig(() => ({}), {})).toThrow(ConfigurationError);
  });

  test('names the sandbox for the admin CLI, and needs none beside DATABASE_URL', () => {
    const { DATABASE_URL } = complete;
    const asked: (string | undefined)[] = [];
    const sandbox = (folder: string | undefined) => {
      asked.push(folder);
      return { DATABASE_URL };
    };
    loadAdminConfig(sandbox, { SANDBOX_DIR: '/srv/second' });
    loadAdminConfig(sandbox, { SANDBOX_DIR: '' });
    loadAdminConfig(sandbox, { SANDBOX_DIR: '/srv/second', DATABASE_URL });
    expect(asked).toEqual(['/srv/second', undefined]);
  });

  test('lets the admin CLI ask the chain when its address is given', () => {
    const { DATABASE_URL } = complete;
    const SOLANA_RPC_URL = 'https://one.test,https://two.test';
    expect(loadAdminConfig(() => ({}), { DATABASE_URL }).solanaNodes).toBeUndefined();
    expect(loadAdminConfig(() => ({}), { DATABASE_URL, SOLANA_RPC_URL }).solanaNodes).toEqual([
      { name: 'one.test', url: 'https://one.test', isProtected: false },
      { name: 'two.test', url: 'https://two.test', isProtected: false },
    ]);
  });
});

const base64 = (byte: number) => Buffer.alloc(32, byte).toString('base64');

describe('the configuration of one program', () => {
  const { DATABASE_URL, NATS_URL, SOLANA_RPC_URL, SECRET_KEY } = complete;

  test('needs nothing but what that program reads', () => {
    expect(Object.keys(loadConfigOf('migrate', { DATABASE_URL }))).toEqual(['databaseUrl', 'databaseCa']);
    const relay = loadConfigOf('relay', { DATABASE_URL, NATS_URL, SECRET_KEY });
    expect(relay).toMatchObject({ databaseUrl: DATABASE_URL, docsUrl: 'http://localhost:3000/docs' });
    expect(relay).not.toHaveProperty('solanaNodes');
    expect(relay).not.toHaveProperty('resultLinkKeys');
    expect(mistakes({}, (environment) => loadConfigOf('api', environment))).toHaveLength(4);
    expect(mistakes({}, (environment) => loadConfigOf('relay', environment))).toHaveLength(3);
  });

  test('ignores variables that the program does not read, even invalid ones', () => {
    const wrong = { SECRET_KEY: 'short', REDIS_URL: 'nonsense', API_WORKERS: 'many', PORT: 'none' };
    expect(loadConfigOf('migrate', { DATABASE_URL, ...wrong })).toEqual({
      databaseCa: undefined,
      databaseUrl: DATABASE_URL,
    });
  });

  test('lets the worker do without SECRET_KEY when links have keys of their own', () => {
    const worker = { DATABASE_URL, NATS_URL, SOLANA_RPC_URL };
    const keys = { RESULT_LINK_KEYS: base64(2), ORDER_KEYS: base64(3) };
    const own = loadConfigOf('worker', { ...worker, ...keys, SECRET_KEY: 'unread' });
    expect(own).toMatchObject({
      resultLinkKeys: [Buffer.alloc(32, 2)],
      orderKeys: [Buffer.alloc(32, 3)],
    });
    expect(own).not.toHaveProperty('secretKey');
    const derived = loadConfigOf('worker', { ...worker, SECRET_KEY });
    expect(derived.resultLinkKeys).toEqual([deriveKey(Buffer.alloc(32, 1), RESULT_KEY_PURPOSE)]);
    expect(derived).not.toHaveProperty('secretKey');
    expect(mistakes(worker, (environment) => loadConfigOf('worker', environment))).toEqual([
      'SECRET_KEY is required without RESULT_LINK_KEYS',
    ]);
  });

  test('lets the worker derive the key of orders, or do without orders', () => {
    const worker = { DATABASE_URL, NATS_URL, SOLANA_RPC_URL, RESULT_LINK_KEYS: base64(2) };
    expect(loadConfigOf('worker', worker).orderKeys).toEqual([]);
    const derived = loadConfigOf('worker', { ...worker, SECRET_KEY });
    expect(derived.orderKeys).toEqual([deriveKey(Buffer.alloc(32, 1), ORDER_KEY_PURPOSE)]);
    expect(derived).not.toHaveProperty('secretKey');
  });

  test('lets the api seal orders under a key of their own, and open those of every other key', () => {
    const api = loadConfigOf('api', {
      ...complete,
      SECRET_KEY_PREVIOUS: base64(4),
      ORDER_KEYS: `${base64(2)},${base64(3)}`,
    });
    const derivedFrom = (byte: number) => deriveKey(Buffer.alloc(32, byte), ORDER_KEY_PURPOSE);
    expect(api.orderKeys.map((key) => Buffer.from(key))).toEqual(
      [Buffer.alloc(32, 2), Buffer.alloc(32, 3), derivedFrom(1), derivedFrom(4)].map((key) =>
        Buffer.from(key),
      ),
    );
  });

  test('lets the api verify links of every key while keys change', () => {
    const api = loadConfigOf('api', {
      ...complete,
      SECRET_KEY_PREVIOUS: base64(4),
      RESULT_LINK_KEYS: `${base64(2)},${base64(3)}`,
    });
    const derivedFrom = (byte: number) => deriveKey(Buffer.alloc(32, byte), RESULT_KEY_PURPOSE);
    expect(api.resultLinkKeys.map((key) => Buffer.from(key))).toEqual(
      [Buffer.alloc(32, 2), Buffer.alloc(32, 3), derivedFrom(1), derivedFrom(4)].map((key) =>
        Buffer.from(key),
      ),
    );
  });
});

describe('TLS to Postgres', () => {
  const at = (query: string) => ({ ...complete, DATABASE_URL: `${complete.DATABASE_URL}?${query}` });

  test.each(['disable', 'require', 'verify-ca', 'verify-full'])('may be sslmode=%s', (mode) => {
    expect(mistakes(at(`sslmode=${mode}`))).toEqual([]);
  });

  test.each([
    ['sslmode=prefer', 'must have one of disable, require, verify-ca, verify-full as sslmode'],
    ['sslmode=', 'must have one of disable, require, verify-ca, verify-full as sslmode'],
    ['sslmode=disable&sslmode=verify-full', 'must name sslmode once'],
    ['ssl=true', 'must set the encryption with sslmode and sslrootcert, not with ssl'],
    ['sslcert=/c', 'must set the encryption with sslmode and sslrootcert, not with sslcert'],
    [
      'channel_binding=require',
      'must set the encryption with sslmode and sslrootcert, not with channel_binding',
    ],
  ])('is refused as %s', (query, expectation) => {
    expect(mistakes(at(query))).toEqual([`DATABASE_URL ${expectation}`]);
  });

  test('has one authority, which verifies something', () => {
    const DATABASE_CA = '/ca';
    expect(mistakes({ ...complete, DATABASE_CA })).toEqual([]);
    expect(mistakes({ ...at('sslrootcert=/other'), DATABASE_CA })).toHaveLength(1);
    expect(mistakes({ ...at('sslmode=disable'), DATABASE_CA })).toHaveLength(1);
    expect(mistakes(at('sslmode=disable&sslrootcert=/ca'))).toHaveLength(1);
    expect(mistakes(at('sslmode=require&sslrootcert=system'))).toHaveLength(1);
    expect(mistakes(at('sslmode=verify-full&sslrootcert=system'))).toEqual([]);
  });

  test('hides no word of it from the log', () => {
    const secrets = secretsOf(at('sslmode=verify-full&sslrootcert=/etc/authority.pem'));
    expect(secrets).not.toContain('verify-full');
    expect(secrets).toContain('hunter2');
  });
});

describe('access to broker and limiter', () => {
  test('is proven in one way', () => {
    const NATS_URL = 'nats://user:password@127.0.0.1:4222';
    const expected = 'NATS_CREDENTIALS_FILE, NATS_NKEY_SEED_FILE and a user in NATS_URL exclude each other';
    expect(mistakes({ ...complete, NATS_URL, NATS_CREDENTIALS_FILE: '/c' })).toEqual([expected]);
    expect(mistakes({ ...complete, NATS_CREDENTIALS_FILE: '/c', NATS_NKEY_SEED_FILE: '/n' })).toEqual([
      expected,
    ]);
    expect(mistakes({ ...complete, NATS_NKEY_SEED_FILE: '/n' })).toEqual([]);
  });

  test('takes files of TLS only where TLS is insisted on', () => {
    const needsTls = 'NATS_URL must begin with tls:// when NATS_CA_FILE or NATS_CERT_FILE is set';
    expect(mistakes({ ...complete, NATS_CA_FILE: '/ca' })).toEqual([needsTls]);
    expect(mistakes({ ...complete, NATS_URL: 'tls://127.0.0.1', NATS_CA_FILE: '/ca' })).toEqual([]);
    expect(mistakes({ ...complete, NATS_URL: 'tls://127.0.0.1', NATS_CERT_FILE: '/c' })).toEqual([
      'NATS_CERT_FILE and NATS_KEY_FILE must be set together',
    ]);
    const needsRediss = ['REDIS_URL must begin with rediss:// when REDIS_CA_FILE is set'];
    expect(mistakes({ ...complete, REDIS_CA_FILE: '/ca' })).toEqual(needsRediss);
    expect(mistakes({ ...complete, REDIS_CA_FILE: '/ca', REDIS_URL: 'redis://127.0.0.1' })).toEqual(
      needsRediss,
    );
    expect(mistakes({ ...complete, REDIS_CA_FILE: '/ca', REDIS_URL: 'rediss://127.0.0.1' })).toEqual([]);
  });

  test('refuses a user or password that is not percent-encoded', () => {
    expect(mistakes({ ...complete, NATS_URL: 'nats://user:100%@127.0.0.1' })).toEqual([
      'NATS_URL must name user and password percent-encoded',
    ]);
    expect(mistakes({ ...complete, NATS_URL: 'nats://user:100%25@127.0.0.1' })).toEqual([]);
  });

  test('takes several nodes of one cluster, of which each has its scheme, user and password', () => {
    const NATS_URL = 'tls://a:p,w%2C@one.test:4333, tls://a:p,w%2C@two.test';
    expect(loadConfig({ ...complete, NATS_URL }).natsUrls).toEqual([
      'tls://a:p,w%2C@one.test:4333',
      'tls://a:p,w%2C@two.test',
    ]);
    expect(
      createRedactor(secretsOf({ NATS_URL: 'nats://a:secret-1@one,nats://a:secret-1@two' }))('secret-1'),
    ).toBe('[redacted]');
  });

  test.each([
    ['nats://one.test,nats://one.test:4222', 'NATS_URL must name each address once'],
    ['nats://one.test,two.test', 'NATS_URL must begin each of its addresses with nats:// or tls://'],
    ['nats://one.test:4222,two.test:4222', 'NATS_URL must be a URL with a host (nats:// or tls://)'],
    ['nats://one.test,', 'NATS_URL must begin each of its addresses with nats:// or tls://'],
    [
      'nats://one.test,tls://two.test',
      'NATS_URL must begin every address with the same scheme, nats:// or tls://',
    ],
    [
      'nats://a:one@one.test,nats://a:two@two.test',
      'NATS_URL must name the same user and password in every address, or none in any',
    ],
    [
      'nats://a:one@one.test,nats://two.test',
      'NATS_URL must name the same user and password in every address, or none in any',
    ],
  ])('refuses %s', (NATS_URL, mistake) => {
    expect(mistakes({ ...complete, NATS_URL })).toEqual([mistake]);
  });

  test('makes streams with 1, 3 or 5 replicas', () => {
    expect(loadConfig(complete).natsStreamReplicas).toBe(1);
    expect(loadConfig({ ...complete, NATS_STREAM_REPLICAS: '3' }).natsStreamReplicas).toBe(3);
    for (const NATS_STREAM_REPLICAS of ['0', '2', '7', 'three'])
      expect(mistakes({ ...complete, NATS_STREAM_REPLICAS })).toEqual([
        'NATS_STREAM_REPLICAS must be 1, 3 or 5',
      ]);
  });

  test('is checked for the admin CLI too', () => {
    const { DATABASE_URL } = complete;
    const load = (environment: Record<string, string>) => loadAdminConfig(() => ({}), environment);
    expect(mistakes({ DATABASE_URL, NATS_URL: 'nats://h', NATS_CA_FILE: '/ca' }, load)).toHaveLength(1);
  });
});

describe('variables that contradict each other', () => {
  const at = (query: string) => ({ DATABASE_URL: `${complete.DATABASE_URL}?${query}` });
  const bucket = { IMAGE_BUCKET_KEY_ID: 'id', IMAGE_BUCKET_SECRET_KEY: 'secret' };

  test.each<[string, Record<string, string>]>([
    [
      'DATABASE_CA and sslrootcert in DATABASE_URL have the same meaning: set one of them',
      { ...at('sslrootcert=/other'), DATABASE_CA: '/ca' },
    ],
    [
      'DATABASE_URL must not have sslmode=disable with an authority, which would then verify nothing',
      at('sslmode=disable&sslrootcert=/ca'),
    ],
    [
      'DATABASE_URL must have sslmode=verify-full with sslrootcert=system, because any server may have such a certificate',
      at('sslmode=require&sslrootcert=system'),
    ],
    [
      'DATABASE_REPLICA_URL must name one server',
      { DATABASE_REPLICA_URL: 'postgres://user@one,two/launchwire' },
    ],
    ['SECRET_KEY_PREVIOUS must not repeat SECRET_KEY', { SECRET_KEY_PREVIOUS: complete.SECRET_KEY }],
    [
      'SOLANA_SLOT_MS_MIN must be less than SOLANA_SLOT_MS_MAX',
      { SOLANA_SLOT_MS_MIN: '400', SOLANA_SLOT_MS_MAX: '400' },
    ],
    ['GEYSER_TOKEN needs GEYSER_URL', { GEYSER_TOKEN: 'token' }],
    ['WEBHOOK_ONLY_ALLOWED_CIDRS needs WEBHOOK_ALLOWED_CIDRS', { WEBHOOK_ONLY_ALLOWED_CIDRS: 'true' }],
    ['IMAGE_FOLDER and IMAGE_BUCKET exclude each other', { IMAGE_FOLDER: '/images', IMAGE_BUCKET: 'images' }],
    ['IMAGE_BUCKET_ENDPOINT and the keys of the bucket need IMAGE_BUCKET', bucket],
    [
      'IMAGE_BUCKET_KEY_ID and IMAGE_BUCKET_SECRET_KEY must be set together',
      { IMAGE_BUCKET: 'images', IMAGE_BUCKET_KEY_ID: 'id' },
    ],
  ])('%s', (mistake, environment) => {
    expect(mistakes({ ...complete, ...environment })).toEqual([mistake]);
  });

  test('each have a case in this file', () => {
    const [cases, rules] = ['config.test.ts', '../../src/config/rules.ts'].map((path) =>
      readFileSync(new URL(path, import.meta.url), 'utf8'),
    );
    const texts = [...(rules ?? '').matchAll(/yield\s+(['`])(.+?)\1;/g)].map(([, , text = '']) => text);
    // A value in a text, and the variable in front of it, may stand apart in a table.
    const parts = texts.map((text) =>
      text.split(/\$\{[^}]*\}|SOLANA_SEND_HEADERS /).filter((part) => part !== ''),
    );
    expect(parts.filter((text) => !text.every((part) => cases?.includes(part)))).toEqual([]);
    expect(texts.length).toBeGreaterThan(25);
  });
});
