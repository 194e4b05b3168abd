import { Database, type SQLQueryBindings } from 'bun:sqlite';

/** A landed transaction as kept in history. `metaJson` is the finished `meta` object of getTransaction. */
export interface TransactionRecord {
  readonly sequence: number;
  readonly signature: string;
  readonly slot: bigint;
  readonly indexInSlot: number;
  readonly blockTimeSeconds: number;
  /** JSON of the error, or null for success. */
  readonly errJson: string | null;
  readonly wire: Uint8Array;
  readonly metaJson: string;
}

export type NewRecord = Omit<TransactionRecord, 'sequence'> & { readonly accountKeys: readonly string[] };

interface Row {
  sequence: number;
  signature: string;
  slot: number;
  index_in_slot: number;
  block_time: number;
  err: string | null;
  wire: Uint8Array;
  meta: Uint8Array;
}

const SCHEMA = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  CREATE TABLE IF NOT EXISTS transactions (
    sequence INTEGER PRIMARY KEY, signature TEXT NOT NULL UNIQUE, slot INTEGER NOT NULL,
    index_in_slot INTEGER NOT NULL, block_time INTEGER NOT NULL, err TEXT, wire BLOB NOT NULL, meta BLOB NOT NULL);
  CREATE INDEX IF NOT EXISTS transactions_slot ON transactions (slot);
  CREATE TABLE IF NOT EXISTS transaction_keys (
    address TEXT NOT NULL, sequence INTEGER NOT NULL, PRIMARY KEY (address, sequence)) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS transaction_keys_sequence ON transaction_keys (sequence);
  CREATE TABLE IF NOT EXISTS state (name TEXT PRIMARY KEY, value BLOB NOT NULL);
`;
const PRUNE_EVERY = 500;

/**
 * Transaction history and the chain's saved state in one SQLite file (or in memory). One database transaction is
 * always open and `commit` ends it, so history, account snapshot and clock reach the disk together: a process
 * killed at any moment restarts at the last commit, never in between. The open write lock also keeps a second
 * process off the same directory.
 */
export class HistoryStore {
  readonly #db: Database;
  readonly #maxTransactions: number;
  #sequence: number;
  /** Transactions in the history. */
  #kept: number;

  constructor(file: string | null, maxTransactions: number) {
    this.#maxTransactions = maxTransactions;
    this.#db = new Database(file ?? ':memory:', { create: true, strict: true });
    try {
      this.#db.run(SCHEMA);
      this.#db.run('BEGIN IMMEDIATE');
    } catch (error) {
      this.#db.close();
      throw new Error(`cannot open ${file ?? 'memory'}: is another chain running on it?`, { cause: error });
    }
    const newest = this.#db.query<{ top: number | null }, []>(
      'SELECT max(sequence) AS top FROM transactions',
    );
    this.#sequence = newest.get()?.top ?? 0;
    this.#kept = this.count();
  }

  append(record: NewRecord): void {
    this.#sequence += 1;
    this.#db
      .query('INSERT INTO transactions VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
      .run(
        this.#sequence,
        record.signature,
        Number(record.slot),
        record.indexInSlot,
        record.blockTimeSeconds,
        record.errJson,
        record.wire,
        Bun.zstdCompressSync(record.metaJson),
      );
    const insertKey = this.#db.query('INSERT OR IGNORE INTO transaction_keys VALUES (?, ?)');
    for (const key of record.accountKeys) insertKey.run(key, this.#sequence);
    this.#kept += 1;
    if (this.#sequence % PRUNE_EVERY === 0) this.#prune();
  }

  bySignature(signature: string): TransactionRecord | null {
    const row = this.#db
      .query<Row, [string]>('SELECT * FROM transactions WHERE signature = ?')
      .get(signature);
    return row === null ? null : toRecord(row);
  }

  /** Slot and error only: what a status needs, without unpacking the rest. */
  statusOf(signature: string): { slot: bigint; errJson: string | null } | null {
    const row = this.#db
      .query<{ slot: number; err: string | null }, [string]>(
        'SELECT slot, err FROM transactions WHERE signature = ?',
      )
      .get(signature);
    return row === null ? null : { slot: BigInt(row.slot), errJson: row.err };
  }

  sequenceOf(signature: string): number | null {
    const sql = 'SELECT sequence FROM transactions WHERE signature = ?';
    return this.#db.query<{ sequence: number }, [string]>(sql).get(signature)?.sequence ?? null;
  }

  bySlot(slot: bigint): TransactionRecord[] {
    const sql = 'SELECT * FROM transactions WHERE slot = ? ORDER BY sequence';
    return this.#db.query<Row, [number]>(sql).all(Number(slot)).map(toRecord);
  }

  sinceSlot(slot: bigint): TransactionRecord[] {
    const sql = 'SELECT * FROM transactions WHERE slot >= ? ORDER BY sequence';
    return this.#db.query<Row, [number]>(sql).all(Number(slot)).map(toRecord);
  }

  /** Deletes the transactions after a slot. Returns their bytes, oldest first. */
  dropAfter(slot: bigint): Uint8Array[] {
    const dropped = this.#db
      .query<{ wire: Uint8Array }, [number]>('SELECT wire FROM transactions WHERE slot > ? ORDER BY sequence')
      .all(Number(slot));
    this.#db
      .query(
        'DELETE FROM transaction_keys WHERE sequence IN (SELECT sequence FROM transactions WHERE slot > ?)',
      )
      .run(Number(slot));
    this.#db.query('DELETE FROM transactions WHERE slot > ?').run(Number(slot));
    this.#kept -= dropped.length;
    return dropped.map(({ wire }) => wire);
  }

  /** Deletes the transactions of an address before a slot. */
  forgetOf(address: string, beforeSlot: bigint): void {
    const { changes } = this.#db
      .query(
        `DELETE FROM transactions WHERE slot < ? AND sequence IN (SELECT sequence FROM transaction_keys WHERE address = ?)`,
      )
      .run(Number(beforeSlot), address);
    if (changes === 0) return;
    this.#kept -= changes;
    this.#db
      .query(
        `DELETE FROM transaction_keys WHERE sequence IN (
           SELECT k.sequence FROM transaction_keys k LEFT JOIN transactions t USING (sequence)
           WHERE k.address = ? AND t.sequence IS NULL)`,
      )
      .run(address);
  }

  /** Newest first, strictly between the sequences `after` and `before`, up to slot `maxSlot`. */
  byAddress(
    address: string,
    bounds: { before: number; after: number; maxSlot: bigint; limit: number },
  ): {
    signature: string;
    slot: bigint;
    indexInSlot: number;
    blockTimeSeconds: number;
    errJson: string | null;
    wire: Uint8Array;
  }[] {
    return this.#db
      .query<Row, SQLQueryBindings[]>(
        `SELECT t.signature, t.slot, t.index_in_slot, t.block_time, t.err, t.wire FROM transaction_keys k
         JOIN transactions t USING (sequence)
         WHERE k.address = ? AND k.sequence < ? AND k.sequence > ? AND t.slot <= ?
         ORDER BY k.sequence DESC LIMIT ?`,
      )
      .all(address, bounds.before, bounds.after, Number(bounds.maxSlot), bounds.limit)
      .map((row) => ({
        signature: row.signature,
        slot: BigInt(row.slot),
        indexInSlot: row.index_in_slot,
        blockTimeSeconds: row.block_time,
        errJson: row.err,
        wire: row.wire,
      }));
  }

  /** Every account of a transaction, loaded ones included. */
  accountKeys(sequence: number): ReadonlySet<string> {
    const sql = 'SELECT address FROM transaction_keys WHERE sequence = ?';
    const rows = this.#db.query<{ address: string }, [number]>(sql).all(sequence);
    return new Set(rows.map(({ address }) => address));
  }

  /** Transactions kept of the slots up to and including this one. */
  countUpTo(slot: bigint): number {
    const sql = 'SELECT count(*) AS n FROM transactions WHERE slot <= ?';
    return this.#db.query<{ n: number }, [number]>(sql).get(Number(slot))?.n ?? 0;
  }

  count(): number {
    const row = this.#db.query<{ n: number }, []>('SELECT count(*) AS n FROM transactions').get();
    return row?.n ?? 0;
  }

  readState(name: string): Uint8Array | null {
    const row = this.#db
      .query<{ value: Uint8Array }, [string]>('SELECT value FROM state WHERE name = ?')
      .get(name);
    return row?.value ?? null;
  }

  writeState(name: string, value: Uint8Array): void {
    this.#db.query('INSERT OR REPLACE INTO state VALUES (?, ?)').run(name, value);
  }

  /** Makes everything since the last commit durable. */
  commit(): void {
    this.#db.run('COMMIT');
    this.#db.run('BEGIN IMMEDIATE');
  }

  /** Drops what was not committed and releases the file. */
  close(): void {
    this.#db.run('ROLLBACK');
    this.#db.close();
  }

  /** Deletes the oldest transactions above the maximum. Sequences have gaps where some were dropped or forgotten. */
  #prune(): void {
    const excess = this.#kept - this.#maxTransactions;
    if (excess <= 0) return;
    const sql = 'SELECT sequence FROM transactions ORDER BY sequence LIMIT 1 OFFSET ?';
    const last = this.#db.query<{ sequence: number }, [number]>(sql).get(excess - 1)?.sequence ?? 0;
    this.#db.query('DELETE FROM transaction_keys WHERE sequence <= ?').run(last);
    this.#db.query('DELETE FROM transactions WHERE sequence <= ?').run(last);
    this.#kept -= excess;
  }
}

function toRecord(row: Row): TransactionRecord {
  return {
    sequence: row.sequence,
    signature: row.signature,
    slot: BigInt(row.slot),
    indexInSlot: row.index_in_slot,
    blockTimeSeconds: row.block_time,
    errJson: row.err,
    wire: row.wire,
    metaJson: Buffer.from(Bun.zstdDecompressSync(row.meta)).toString(),
  };
}
