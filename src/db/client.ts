import postgres from 'postgres';
import type { DatabaseRole } from './role.ts';

/** Column types beyond the driver's defaults: 64-bit integers are bigint. */
type ColumnTypes = { bigint: bigint };

/** A connection pool. Rows come with camelCase keys, `bigint` for int8, `string` for numeric, `Date`, `Buffer`. */
export type Database = postgres.Sql<ColumnTypes>;
/** A transaction of a pool; what changes state takes one of these. */
export type Transaction = postgres.TransactionSql<ColumnTypes>;
/** Where a read may run: a pool or inside a transaction. */
export type Queryable = Database | Transaction;

export interface DatabaseOptions {
  /** Shown in pg_stat_activity. */
  applicationName: string;
  connections: number;
  /** Every connection works with the rights of this role; without it with those of the user in the URL. */
  role?: DatabaseRole;
  /** The server ends a statement that takes longer. */
  statementTimeoutMs?: number;
}

/** Opens a pool; connections are made on demand and re-made after a loss. */
export function connectDatabase(
  url: string,
  { applicationName, connections, role, statementTimeoutMs }: DatabaseOptions,
): Database {
  return postgres(url, {
    max: connections,
    connect_timeout: 5,
    connection: {
      application_name: applicationName,
      // Part of the connection's first message, so no statement ever runs with the rights of the user in the URL.
      ...(role === undefined ? {} : { role }),
      ...(statementTimeoutMs === undefined ? {} : { statement_timeout: statementTimeoutMs }),
    },
    transform: postgres.camel,
    types: { bigint: postgres.BigInt },
    onnotice: () => {},
  });
}
