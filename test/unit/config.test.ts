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
