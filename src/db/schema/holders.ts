import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { decimal, instant, int64 } from './columns.ts';
import { tokens } from './tokens.ts';

/** How far the holders of a token are counted (contract/market-data#holder-counting). */
export const holderCounting = pgTable(
  'holder_counting',
  {
    mintAddress: text('mint_address')
      .primaryKey()
      .references(() => tokens.mintAddress),
    /** Whether `holder_accounts` has the token's accounts; those of the largest tokens are only counted. */
    isFollowed: boolean('is_followed').notNull().default(true),
    /** Of the snapshot that is counted; null before the first one. */
    snapshotSlot: int64('snapshot_slot'),
    /** Of a snapshot that is being written: the published count stands still until it is whole. */
    mergingSlot: int64('merging_slot'),
    /** An older snapshot lacks balances that were not kept. */
    requiredSlot: int64('required_slot').notNull().default(sql`0`),
    /** The newest slot of an indexed transaction that moved the token. */
    seenSlot: int64('seen_slot').notNull().default(sql`0`),
    /** What the count includes last, and when that was. */
    latestSlot: int64('latest_slot'),
    latestAt: instant('latest_at'),
    holderCount: integer('holder_count'),
    /** Owners and accounts that are not holders. */
    protocolAccounts: text('protocol_accounts').array().notNull(),
    nextSnapshotAt: instant('next_snapshot_at').notNull(),
    /** Attempts without a snapshot since the last one. */
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

/** Token accounts of followed tokens: those of the snapshot, and those of newer transactions. */
export const holderAccounts = pgTable(
  'holder_accounts',
  {
    /** Written with the token locked: a reference would be checked again for each row. */
    mintAddress: text('mint_address').notNull(),
    accountAddress: text('account_address').notNull(),
    ownerAddress: text('owner_address').notNull(),
    /** Zero for an account that was emptied or closed after the snapshot. */
    balanceRaw: decimal('balance_raw').notNull(),
    /** Where on the chain this balance stood: a newer place wins, whatever arrives first. */
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
