import { contractDefinitions } from '../../../src/api/routes.ts';
import type { Database } from '../../../src/db/client.ts';
import { isIdempotent } from '../../../src/http/route.ts';
import { insertRows } from '../rows/insert-rows.ts';
import type { Owner } from './owner.ts';

const HOUR_MS = 3_600_000;

/** The idempotency key under which an account has the response of an operation. */
export const storedKey = ({ mark }: Pick<Owner, 'mark'>, operationId: string) => `${mark}-${operationId}`;

/** Stores a response of every mutation of the contract. */
export async function insertStoredResponses(db: Database, owner: Owner): Promise<void> {
  const changes = contractDefinitions.filter(isIdempotent);
  await insertRows(
    db,
    'idempotency_records',
    changes.map(({ id, successStatus }) => ({
      accountId: owner.accountId,
      key: storedKey(owner, id),
      fingerprint: crypto.getRandomValues(new Uint8Array(32)),
      responseStatus: successStatus,
      responseHeaders: {},
      responseBody: Buffer.from(JSON.stringify({ of: owner.mark })),
      sealed: false,
      createdAt: new Date(),
      expiresAt: new Date(Date.now() + HOUR_MS),
    })),
  );
}
