import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { decimal, instant, int64 } from './columns.ts';
import { tokens } from './tokens.ts';

/** Progress of counting the holders of a token (contract/market-data#holder-counting). */
export const holderCounting = pgTable(
  'holder_counting',
  {
    mintAddress: text('mint_address')
      .primaryKey()
      .references(() => tokens.mintAddress),
    /** Whether `holder_accounts` has the token's accounts; the largest tokens are only counted. */
    isFollowed: boolean('is_followed').notNull().default(true),
    /** Slot of the counted snapshot; null before the first one. */
    snapshotSlot: int64('snapshot_slot'),
    /** Slot of a snapshot that is being written: the published count does not change until it is complete. */
    mergingSlot: int64('merging_slot'),
    /** Oldest slot that a snapshot may have: balances before it were not kept. */
    requiredSlot: int64('required_slot').notNull().default(sql`0`),
    /** The newest slot of an indexed transaction that moved the token. */
    seenSlot: int64('seen_slot').notNull().default(sql`0`),
    /** Newest slot that the count includes, and its time. */
    latestSlot: int64('latest_slot'),
    latestAt: instant('latest_at'),
    holderCount: integer('holder_count'),
    /** Owners and accounts that are not holders. */
    protocolAccounts: text('protocol_accounts').array().notNull(),
    nextSnapshotAt: instant('next_snapshot_at').notNull(),
    /** Failed snapshots since the last successful one. */
    failures: integer().notNull().default(0),
  },
  (table) => [
    index('holder_counting_due').on(table.nextSnapshotAt),
    index('holder_counting_new')
      .on(table.nextSnapshotAt)
      .where(sql`${table.snapshotSlot} is null and ${table.failures} = 0`),
    check('holder_counting_count', sql`${table.holderCount} >= 0`),
  ],
);

/** Token accounts of followed tokens, from the snapshot and from newer transactions. */
export const holderAccounts = pgTable(
  'holder_accounts',
  {
    /** Written with the token locked: a reference would be checked again for each row. */
    mintAddress: text('mint_address').notNull(),
    accountAddress: text('account_address').notNull(),
    ownerAddress: text('owner_address').notNull(),
    /** Zero for an account that was emptied or closed after the snapshot. */
    balanceRaw: decimal('balance_raw').notNull(),
    /** Chain position of this balance: the newest position wins, in any order of arrival. */
    slot: int64('slot').notNull(),
    place: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.mintAddress, table.accountAddress] }),
    index('holder_accounts_owner')
      .on(table.mintAddress, table.ownerAddress)
      .where(sql`${table.balanceRaw} > 0`),
    check('holder_accounts_balance', sql`${table.balanceRaw} >= 0`),
  ],
);
