import { Value } from '@sinclair/typebox/value';
import type { Operation } from '../../src/http/operation.ts';

const UUID = '0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e';
const ADDRESS = 'So11111111111111111111111111111111111111112';

/** Bodies that pass the schema of their operation. */
const bodies: Readonly<Record<string, object>> = {
  createPrediction: { roundId: UUID, walletAddress: ADDRESS, predictedPriceInSol: '1.5' },
  submitTransactionIntent: { signedTransaction: 'AAAA' },
  createWebhookEndpoint: { url: 'https://example.com/hook' },
  updateWebhookEndpoint: { description: 'changed' },
  rotateWebhookSecret: { previousSecretTtlSeconds: 60 },
};

const queries: Readonly<Record<string, string>> = {
  listTokenCandles: '?from=2026-11-20T00:00:00Z&to=2026-11-20T01:00:00Z&interval=1m',
};

/** A request that passes every check of the pipeline, up to the operation's own. */
export function sampleRequest(operation: Operation): {
  path: string;
  init: RequestInit;
  headers: Record<string, string>;
} {
  const isMutation = operation.method !== 'GET';
  const body = bodies[operation.id];
  if (operation.body !== undefined && !Value.Check(operation.body, body))
    throw new Error(`no valid body for ${operation.id}`);
  const path = operation.path.replace(/:(mint|address)/g, ADDRESS).replace(/:\w+/g, UUID);
  return {
    path: path + (queries[operation.id] ?? ''),
    init: { method: operation.method, ...(body !== undefined && { body: JSON.stringify(body) }) },
    headers: {
      ...(isMutation && { 'idempotency-key': crypto.randomUUID() }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(operation.versioned === true && { 'if-match': '"1"' }),
    },
  };
}
