import { createHash, timingSafeEqual } from 'node:crypto';
import { Type } from '@sinclair/typebox';
import postgres from 'postgres';

/** What the clients have in common. A column without an alias keeps the name that it has in the database. */
type Sql = <Rows extends readonly object[]>(
  strings: TemplateStringsArray,
  ...values: unknown[]
) => Promise<Rows & { count: number }>;

/**
 * The database access of the peers, on Node and Bun: the product's driver with its pool size, or, with
 * `BENCH_CLIENT=bun`, Bun's own client with the three connections at which it is fastest.
 */
export const sql: Sql = process.env.BENCH_CLIENT === 'bun' ? connectByBun() : connectByDriver();

function connectByDriver(): Sql {
  const driver = postgres(process.env.DATABASE_URL ?? '', {
    max: 12,
    connection: { application_name: 'bench-peer' },
    types: { bigint: postgres.BigInt },
  });
  return driver as unknown as Sql;
}

function connectByBun(): Sql {
  return new Bun.SQL(process.env.DATABASE_URL ?? '', { max: 3, bigint: true }) as unknown as Sql;
}

const KEY_FRESH_MS = 3_000;
const API_KEY = /^Bearer lw_test_([0-9A-Za-z]{16})_([0-9A-Za-z]{43})$/;

export interface Principal {
  /** The id of the key. */
  id: string;
  accountId: string;
  walletAddress: string;
}

interface CachedKey extends Principal {
  secretHash: Uint8Array;
  loadedAtMs: number;
}

const keys = new Map<string, CachedKey>();

/** The owner of an API key, looked up at most every 3 seconds; null when the key is wrong. */
export async function authenticate(header: string | null | undefined): Promise<Principal | null> {
  const [, keyId = '', secret = ''] = API_KEY.exec(header ?? '') ?? [];
  let key = keys.get(keyId);
  if (key === undefined || performance.now() - key.loadedAtMs > KEY_FRESH_MS) {
    const [row] = await sql<Omit<CachedKey, 'loadedAtMs'>[]>`
      select id, account_id as "accountId", wallet_address as "walletAddress", secret_hash as "secretHash"
      from api_keys where id = ${keyId} and revoked_at is null`;
    if (row === undefined) return null;
    key = { ...row, loadedAtMs: performance.now() };
    keys.set(keyId, key);
  }
  const hash = createHash('sha256').update(secret).digest();
  return timingSafeEqual(hash, key.secretHash) ? key : null;
}

/** The pattern of an id in the path of an operation. */
export const UUID = '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$';

export const operationParams = Type.Object({
  operationId: Type.String({ pattern: UUID }),
});

interface OperationRow {
  id: string;
  kind: string;
  status: string;
  progressCompleted: bigint | null;
  progressTotal: bigint | null;
  progressUnit: string | null;
  createdAt: Date;
  startedAt: Date | null;
  completedAt: Date | null;
  resultUrl: string | null;
}

/** The product's statement and response for a running operation; null when there is none. */
export async function readOperation(operationId: string, accountId: string): Promise<object | null> {
  const [row] = await sql<OperationRow[]>`
    select o.id, o.account_id, o.kind, o.status, o.progress_completed as "progressCompleted",
      o.progress_total as "progressTotal", o.progress_unit as "progressUnit", o.created_at as "createdAt",
      o.started_at as "startedAt", o.completed_at as "completedAt", o.result_url as "resultUrl", o.error_code,
      o.error_detail, o.error_request_id, r.expires_at as result_expires_at
    from operations o left join operation_results r on r.operation_id = o.id
    where o.id = ${operationId} and o.account_id = ${accountId}`;
  if (row === undefined) return null;
  const { progressCompleted, progressTotal, progressUnit } = row;
  return {
    id: row.id,
    kind: row.kind,
    status: row.status,
    progress: { completed: Number(progressCompleted), total: Number(progressTotal), unit: progressUnit },
    createdAt: row.createdAt.toISOString(),
    startedAt: row.startedAt?.toISOString() ?? null,
    completedAt: row.completedAt?.toISOString() ?? null,
    resultUrl: row.resultUrl,
    error: null,
  };
}
