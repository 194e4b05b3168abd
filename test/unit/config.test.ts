import { describe, expect, test } from 'bun:test';
import { loadAdminConfig, loadConfig, variables } from '../../src/config.ts';
import { ConfigurationError } from '../../src/shared/configuration.ts';

const complete = {
  DATABASE_URL: 'postgres://user:hunter2@127.0.0.1/launchwire',
  NATS_URL: 'nats://127.0.0.1:4222',
  SOLANA_RPC_URL: 'http://127.0.0.1:8899, https://rpc.example',
  SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
};

function mistakes(environment: Record<string, string>): readonly string[] {
  try {
    loadConfig(environment);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return error.mistakes;
  }
}

describe('configuration', () => {
  test('needs four variables and has safe defaults for the rest', () => {
    const config = loadConfig(complete);
    expect(config).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      publicUrl: 'http://localhost:3000',
      docsUrl: 'http://localhost:3000/docs',
      apiEnvironment: 'test',
      solanaRpcUrls: ['http://127.0.0.1:8899', 'https://rpc.example'],
      webhookAllowHttp: false,
      webhookAllowedCidrs: [],
      redisUrl: undefined,
    });
    expect(config.webhookRetrySchedule.length).toBe(9);
    expect(Object.isFrozen(config)).toBe(true);
  });

  test('reports every mistake at once, by name', () => {
    const found = mistakes({
      PORT: '99999',
      SECRET_KEY: 'short',
      API_ENVIRONMENT: 'prod',
      RATE_LIMITS: '{"a":{"limit":0}}',
      WEBHOOK_ALLOWED_CIDRS: '10.0.0.0/99',
      WEBHOOK_ALLOW_HTTP: 'yes',
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
      ].sort(),
    );
  });

  test('keeps events longer than their deliveries are tried, and attempts as long as events', () => {
    expect(mistakes({ ...complete, RETENTION_EVENTS_DAYS: '7' })).toEqual([
      'RETENTION_EVENTS_DAYS must be a whole number from 8 to 3650',
    ]);
    expect(mistakes({ ...complete, RETENTION_TRADES_DAYS: '29' })).toHaveLength(1);
    expect(
      mistakes({
        ...complete,
        WEBHOOK_RETRY_SCHEDULE: '864000,864000',
        RETENTION_EVENTS_DAYS: '24',
        RETENTION_ATTEMPTS_DAYS: '23',
      }),
    ).toEqual([
      'RETENTION_EVENTS_DAYS must be at least 25 with this WEBHOOK_RETRY_SCHEDULE',
      'RETENTION_ATTEMPTS_DAYS must not be less than RETENTION_EVENTS_DAYS',
    ]);
    const { retentionEventsDays, retentionAttemptsDays, retentionTradesDays } = loadConfig(complete);
    expect({ retentionEventsDays, retentionAttemptsDays, retentionTradesDays }).toEqual({
      retentionEventsDays: 30,
      retentionAttemptsDays: 30,
      retentionTradesDays: undefined,
    });
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
    'postgres://user:hunter2@one,two/launchwire',
    'postgres://user:hunter2%@127.0.0.1/launchwire',
    'postgres://user:hunter2@127.0.0.1:port/launchwire',
    'postgres://user:hunter2/3@127.0.0.1/launchwire',
    'postgres://user:hunter2@127.0.0.1/launch wire',
    '127.0.0.1/launchwire',
  ])('refuses a DATABASE_URL that is not whole: %s', (DATABASE_URL) => {
    expect(mistakes({ ...complete, DATABASE_URL })).toEqual([
      'DATABASE_URL must be postgres://user:password@host:port/database, with a host and the name of a database',
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

  test('describes every variable', () => {
    for (const variable of Object.values(variables)) expect(variable.description).toBeString();
  });

  test('lets the admin CLI work with a database alone, else with the sandbox', () => {
    expect(loadAdminConfig(() => ({}), { DATABASE_URL: complete.DATABASE_URL }).databaseUrl).toBe(
      complete.DATABASE_URL,
    );
    const sandbox = { DATABASE_URL: 'postgres://127.0.0.1/sandbox', PUBLIC_URL: 'http://localhost:4000' };
    expect(loadAdminConfig(() => sandbox, {}).publicUrl).toBe('http://localhost:4000');
    expect(() => loadAdminConfig(() => ({}), {})).toThrow(ConfigurationError);
  });

  test('lets the admin CLI ask the chain when it is told where', () => {
    const { DATABASE_URL } = complete;
    const SOLANA_RPC_URL = 'https://one.test,https://two.test';
    expect(loadAdminConfig(() => ({}), { DATABASE_URL }).solanaRpcUrls).toBeUndefined();
    expect(loadAdminConfig(() => ({}), { DATABASE_URL, SOLANA_RPC_URL }).solanaRpcUrls).toEqual([
      'https://one.test',
      'https://two.test',
    ]);
  });
});
