import type { Database } from '../../../src/db/client.ts';
import { insertKey } from '../../../src/features/identity/key-rows.ts';
import { generateApiKey, hashSecret } from '../../../src/shared/api-key.ts';
import { scopes as allScopes } from '../../../src/shared/scopes.ts';

export interface TestKey {
  /** The whole key, as a client sends it. */
  text: string;
  keyId: string;
  accountId: string;
  walletAddress: string;
  /** `{ authorization: 'Bearer …' }`. */
  header: { authorization: string };
}

export interface TestKeyOptions {
  walletAddress?: string;
  scopes?: readonly string[];
  /** An existing account. If unset, the key gets a new account. */
  accountId?: string;
  environment?: 'live' | 'test';
  expiresAt?: Date;
}

/** A stored, valid API key. */
export async function createTestKey(database: Database, options: TestKeyOptions = {}): Promise<TestKey> {
  const key = generateApiKey(options.environment ?? 'test');
  const accountId = options.accountId ?? Bun.randomUUIDv7();
  const walletAddress = options.walletAddress ?? 'So11111111111111111111111111111111111111112';
  const record = {
    id: key.keyId,
    accountId,
    environment: key.environment,
    name: 'test',
    secretHash: hashSecret(key.secret),
    walletAddress,
    scopes: [...(options.scopes ?? allScopes)],
    createdAt: new Date(),
    expiresAt: options.expiresAt ?? null,
  };
  await insertKey(database, record, options.accountId === undefined);
  return {
    text: key.text,
    keyId: key.keyId,
    accountId,
    walletAddress,
    header: { authorization: `Bearer ${key.text}` },
  };
}
