import { SolanaRpc } from '../../sandbox/shared/solana-rpc.ts';
import { SPL_TOKEN, TOKEN_2022 } from '../../src/chain/accounts/programs.ts';
import {
  getSignaturesForAddress,
  getTransaction,
  type HistoryOutcome,
  SIGNATURES_MAX,
  type SignatureRecord,
} from '../../src/chain/rpc/history-calls.ts';
import { type ChainRpc, createChainRpc } from '../../src/chain/rpc.ts';
import type { Database } from '../../src/db/client.ts';
import { readChainTransaction } from '../../src/indexer/decode/chain-transaction.ts';
import { decodeTransaction } from '../../src/indexer/decode/decode-transaction.ts';
import type { DecodedTrade } from '../../src/indexer/decode/decoded-transaction.ts';
import { checkTrade } from '../../src/indexer/ingest/kinds/trade.ts';
import type { IndexedTrade } from '../../src/indexer/market/indexed-trade.ts';
import { type IndexedPool, listIndexedPools } from '../../src/indexer/pool-history/list-pools.ts';
import { encodeBase58 } from '../../src/shared/base58.ts';
import type { ChainFacts } from './facts.ts';

const TIMEOUT_MS = 20_000;
const OWNER_AT = 32;
const AMOUNT_AT = 64;
/** A curve that has migrated rests; its trades count all the same. */
const LONG_AGO = new Date('9999-01-01T00:00:00Z');

/** A wallet of a bot, and the transaction that gave it its first lamports. */
export interface FundedWallet {
  readonly address: string;
  readonly fundedBy: string;
}

/** Reads the whole history of the bots' wallets and of every pool from one healthy node. */
export async function readChain(
  rpcUrl: string,
  sql: Database,
  wallets: readonly FundedWallet[],
): Promise<ChainFacts> {
  const rpc = createChainRpc(rpcUrl);
  const landed = new Map<string, { wallet: string; failed: boolean }>();
  for (const { address, fundedBy } of wallets)
    for (const { signature, failed } of await allSignatures(rpc, address))
      if (signature !== fundedBy) landed.set(signature, { wallet: address, failed });
  const trades: IndexedTrade[] = [];
  for (const pool of await listIndexedPools(sql, LONG_AGO)) trades.push(...(await tradesOf(rpc, pool)));
  return { landed, trades: distinct(trades), holders: await holdersOf(rpcUrl, sql) };
}

async function allSignatures(rpc: ChainRpc, address: string): Promise<SignatureRecord[]> {
  const all: SignatureRecord[] = [];
  for (;;) {
    const range = { before: all.at(-1)?.signature, limit: SIGNATURES_MAX };
    const page = answerOf(await getSignaturesForAddress(rpc, address, range, TIMEOUT_MS));
    all.push(...page);
    if (page.length < SIGNATURES_MAX) return all;
  }
}

async function tradesOf(rpc: ChainRpc, pool: IndexedPool): Promise<IndexedTrade[]> {
  const trades: IndexedTrade[] = [];
  for (const { signature, failed } of await allSignatures(rpc, pool.poolAddress)) {
    if (failed) continue;
    const transaction = readChainTransaction(answerOf(await getTransaction(rpc, signature, TIMEOUT_MS)));
    const place = transaction.transactionIndex ?? 0;
    trades.push(...decodeTransaction(transaction, pool).trades.map((trade) => stored(trade, place)));
  }
  return trades;
}

/** The trade as ingest makes it of the message of a reader of pools. */
function stored(
  { venue, signature, slot, blockTime, ...trade }: DecodedTrade,
  transactionIndex: number,
): IndexedTrade {
  const checked = checkTrade({
    ...trade,
    onCurve: venue === 'dbc',
    slot: String(slot),
    blockTime: blockTime.toISOString(),
    transactionIndex,
    transactionSignature: signature,
  });
  if (!checked.ok) throw new Error(`a trade of ${signature} is malformed: ${JSON.stringify(checked)}`);
  return checked.message;
}

/** The transaction of a migration is in the history of both pools. */
function distinct(trades: readonly IndexedTrade[]): IndexedTrade[] {
  return [...new Map(trades.map((trade) => [trade.id, trade])).values()];
}

async function holdersOf(rpcUrl: string, sql: Database): Promise<Map<string, number>> {
  const rpc = new SolanaRpc(rpcUrl);
  const counted = await sql<{ mint: string; protocolAccounts: string[] }[]>`
    select mint_address as mint, protocol_accounts from holder_counting where snapshot_slot is not null`;
  const holders = new Map<string, number>();
  for (const { mint, protocolAccounts } of counted) {
    const excluded = new Set(protocolAccounts);
    const owners = new Set<string>();
    for (const program of [SPL_TOKEN, TOKEN_2022]) {
      const accounts = await rpc.call<{ pubkey: string; account: { data: [string, string] } }[]>(
        'getProgramAccounts',
        [
          program,
          { encoding: 'base64', commitment: 'confirmed', filters: [{ memcmp: { offset: 0, bytes: mint } }] },
        ],
      );
      for (const { pubkey, account } of accounts) {
        const data = Buffer.from(account.data[0], 'base64');
        const owner = encodeBase58(data.subarray(OWNER_AT, AMOUNT_AT));
        if (data.readBigUInt64LE(AMOUNT_AT) > 0n && !excluded.has(owner) && !excluded.has(pubkey))
          owners.add(owner);
      }
    }
    holders.set(mint, owners.size);
  }
  return holders;
}

function answerOf<Value>(outcome: HistoryOutcome<Value>): Value {
  if (!outcome.ok) throw new Error(`the node did not answer: ${JSON.stringify(outcome.failure)}`);
  return outcome.value;
}
