import postgres from 'postgres';
import { checkToken } from '../../indexer/ingest/kinds/token.ts';
import { Refusal } from '../../shared/refusal.ts';
import type { ReportedToken } from './upsert-token.ts';

/** A report that the platform makes itself, checked as one of the ingest stream. Throws Refusal. */
export function reportedToken(value: unknown): ReportedToken {
  const checked = checkToken(value);
  if (checked.ok) return checked.message;
  const field = /^\/[\w/]*/.exec(checked.detail)?.[0] ?? '';
  throw new Refusal('invalid', `the token is invalid: ${checked.detail}`, field);
}

const UNIQUE_VIOLATION = '23505';

/** Throws Refusal for a pool that another token has. Everything else that the database could refuse has been checked before. */
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
