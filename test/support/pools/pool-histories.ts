import { readdirSync, readFileSync } from 'node:fs';
import bs58 from 'bs58';
import type { ChainAccount } from '../../../src/chain/accounts/account-data.ts';
import type { PoolClock, SwapTerms } from '../../../src/chain/pools/swap-request.ts';
import type { RecordedTransaction } from './curve-fixtures.ts';
import { toAccounts } from './damm-fixtures.ts';

/** An event of a successful transaction, with its top-level instruction. */
export interface RecordedEvent {
  program: string;
  /** The event's first eight bytes in hex. */
  discriminator: string;
  /** The fields after the discriminator. */
  body: Buffer;
  clock: PoolClock;
  instruction: { accounts: string[]; data: Buffer };
}

/** A recorded history of pools (test/fixtures/dbc, test/fixtures/damm) and its final accounts. */
export interface PoolHistory {
  name: string;
  events: RecordedEvent[];
  accountsAfter: ReadonlyMap<string, ChainAccount>;
}

interface HistoryFile {
  name: string;
  steps: { transaction: RecordedTransaction }[];
  accountsAfter: Record<string, { owner: string; dataBase64: string }>;
}

const EVENT_PREFIX = 'e445a52e51cb9a1d';

export function readPoolHistories(): PoolHistory[] {
  return ['dbc', 'damm'].flatMap((folder) => {
    const url = new URL(`../../fixtures/${folder}/`, import.meta.url);
    return readdirSync(url)
      .filter((file) => file.endsWith('.json'))
      .sort()
      .map((file) => toHistory(`${folder}/${file}`, JSON.parse(readFileSync(new URL(file, url), 'utf8'))));
  });
}

function toHistory(name: string, { steps, accountsAfter }: HistoryFile): PoolHistory {
  const succeeded = steps.filter(({ transaction }) => transaction.meta.err === null);
  return {
    name,
    events: succeeded.flatMap(({ transaction }) => eventsOf(transaction)),
    accountsAfter: toAccounts(accountsAfter),
  };
}

function eventsOf({ slot, blockTime, meta, transaction }: RecordedTransaction): RecordedEvent[] {
  const { accountKeys, instructions } = transaction.message;
  const keys = [...accountKeys, ...meta.loadedAddresses.writable, ...meta.loadedAddresses.readonly];
  const clock = { slot: BigInt(slot), unixSeconds: BigInt(blockTime ?? 0) };
  return meta.innerInstructions.flatMap(({ index, instructions: inner }) => {
    const outer = instructions[index];
    if (outer === undefined) throw new Error('no such instruction');
    const instruction = {
      accounts: outer.accounts.map((account) => keys[account] ?? ''),
      data: Buffer.from(bs58.decode(outer.data)),
    };
    return inner.flatMap(({ programIdIndex, data }) => {
      const bytes = Buffer.from(bs58.decode(data));
      if (bytes.subarray(0, 8).toString('hex') !== EVENT_PREFIX) return [];
      const discriminator = bytes.subarray(8, 16).toString('hex');
      return [
        { program: keys[programIdIndex] ?? '', discriminator, body: bytes.subarray(16), clock, instruction },
      ];
    });
  });
}

const SWAP2 = '414b3f4ceb5b5b88';
const modes = ['exact_in', 'partial_fill', 'exact_out'] as const;

/** The terms of a `swap` or `swap2` instruction. The program's own address means that there is no
 * referral. */
export function swapTermsOf({ program, instruction }: RecordedEvent, referralAccount: number): SwapTerms {
  const { accounts, data } = instruction;
  const isSwap2 = data.subarray(0, 8).toString('hex') === SWAP2;
  return {
    mode: modes[isSwap2 ? data.readUInt8(24) : 0] ?? 'exact_in',
    amountRaw: data.readBigUInt64LE(8),
    limitRaw: data.readBigUInt64LE(16),
    hasReferral: accounts[referralAccount] !== program,
    provesSingleSwap: false,
  };
}
