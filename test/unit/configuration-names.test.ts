import { describe, expect, test } from 'bun:test';
import { unknownVariables } from '../../src/config/load.ts';
import { variables } from '../../src/config/variables.ts';

describe('names that look like variables', () => {
  test.each([
    ['WEBHOOK_RETRY_SHEDULE', 'WEBHOOK_RETRY_SCHEDULE'],
    ['RETENTION_TRADE_DAYS', 'RETENTION_TRADES_DAYS'],
    ['RATE_LIMIT', 'RATE_LIMITS'],
    ['SOLANA_RPC_URLS', 'SOLANA_RPC_URL'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['API_WORKER', 'API_WORKERS'],
    ['LOG_LEVLE', 'LOG_LEVEL'],
    ['IMAGE_FOLDERS', 'IMAGE_FOLDER'],
    ['TIP_ACCOUNT', 'TIP_ACCOUNTS'],
    ['STREAMS_PER_KEYS', 'STREAMS_PER_KEY'],
    ['ORDER_KEY', 'ORDER_KEYS'],
  ])('%s is refused, and %s named', (name, meant) => {
    expect(unknownVariables({ [name]: 'secret-value' })).toEqual([
      `${name} is no variable of Launchwire: the most similar is ${meant}`,
    ]);
  });

  test('every known variable passes, and so do variables of other programs', () => {
    const all = Object.values(variables).map(({ name }) => name);
    const others = [
      'PATH',
      'HOME',
      'API_TOKEN',
      'NATS_API_PASSWORD',
      'REDIS_PASSWORD',
      'POSTGRES_PASSWORD',
      'NATS_IMAGE',
      'API_DATABASE_PASSWORD',
      'OTEL_EXPORTER_OTLP_PROTOCOL',
      'SOLANA_KEYPAIR',
      'LOG_FORMAT',
      // Kubernetes adds these for services called redis, launch-api and webhook-relay.
      'REDIS_SERVICE_HOST',
      'REDIS_PORT',
      'REDIS_PORT_6379_TCP_ADDR',
      'LAUNCH_API_SERVICE_PORT_HTTP',
      'WEBHOOK_RELAY_SERVICE_HOST',
    ];
    expect(unknownVariables(Object.fromEntries([...all, ...others].map((name) => [name, 'x'])))).toEqual([]);
  });

  test('a name close to a variable that is set passes, and so does an empty value', () => {
    expect(unknownVariables({ DATABASE_URL: 'x', DATABASE_URI: 'y' })).toEqual([]);
    expect(unknownVariables({ WEBHOOK_ANYTHING: '' })).toEqual([]);
  });
});
