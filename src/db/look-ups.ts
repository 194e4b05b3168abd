import type postgres from 'postgres';
import type { DatabaseAccess } from './access.ts';
import { connectDatabase, type DatabaseOptions } from './client.ts';
import { NativePool } from './native-pool.ts';
import { composer } from './statement-text.ts';

/** Runs single statements: a pool, a transaction, or a pool of look-ups, which has neither. */
export interface Reader {
  <Rows extends readonly (object | undefined)[] = postgres.Row[]>(
    template: TemplateStringsArray,
    ...parameters: readonly postgres.ParameterOrFragment<bigint>[]
  ): postgres.PendingQuery<Rows>;
  /** The name of a table or column. */
  (identifier: string): postgres.Helper<string, []>;
}

/** A pool for statements that need no session. */
export interface LookUps extends Reader {
  end(options: { timeout: number }): Promise<void>;
}

/**
 * Opens a pool for statements that need no session: Bun's client, which takes half the CPU (decision 0120).
 * Through a pooler the patched driver, which knows what a pooler may do to statements that follow each other.
 */
export function connectLookUps(access: DatabaseAccess | string, options: DatabaseOptions): LookUps {
  const pooler = typeof access === 'string' ? 'none' : (access.databasePooler ?? 'none');
  if (pooler !== 'none') return connectDatabase(access, options);
  const pool = new NativePool(access, options);
  const end: LookUps['end'] = ({ timeout }) => pool.end(timeout);
  const tag = composer((text, parameters) => pool.run(text, parameters));
  // Its statements can be awaited and nested, and no more.
  return Object.assign(tag, { end }) as unknown as LookUps;
}
