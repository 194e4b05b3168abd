import postgres from 'postgres';
import { checkToken } from '../../indexer/ingest/kinds/token.ts';
import { Refusal } from '../../shared/refusal.ts';
import type { ReportedToken } from './upsert-token.ts';

/** Checks a report of the platform like one of the ingest stream. Throws Refusal. */
export function reportedToken(value: unknown): ReportedToken {
  const checked = checkToken(value);
  if (checked.ok) return checked.message;
  const field = /^\/[\w/]*/.exec(checked.detail)?.[0] ?? '';
  throw new Refusal('invalid', `the token is invalid: ${checked.detail}`, field);
}

const UNIQUE_VIOLATION = '23505';

/** Throws Refusal for a pool of another token. All other constraints of the database were checked before. */
export function refuseTakenPool(error: unknown): never {
  const isTaken =
    error instanceof postgres.PostgresError &&
    error.code === UNIQUE_VIOLATION &&
    error.constraint_name === 'tokens_pool_address';
  throw isTaken
    ? new Refusal(
        'invalid',
        'the token is invalid: /poolAddress is the pool of another token',
        '/poolAddress',
      )
    : error;
}
