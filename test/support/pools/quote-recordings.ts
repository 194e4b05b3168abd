import { readFileSync } from 'node:fs';
import type { ChainAccount } from '../../../src/chain/accounts/account-data.ts';
import { BONDING_CURVE, DAMM_V2 } from '../../../src/chain/accounts/programs.ts';
import type { PoolClock, SwapTerms } from '../../../src/chain/pools/swap-request.ts';

/** A recorded swap against a state (test/fixtures/quotes/README.md). */
export interface RecordedSwap extends SwapTerms {
  /** The line of the file. */
  line: number;
  side: 'buy' | 'sell';
  /** True for the first swap in the transaction that creates the pool. */
  isFirstAtLaunch: boolean;
  /** The custom error's number, or the columns of a success in the file. */
  expected: number | string[];
}

export interface RecordedState {
  id: string;
  /** The config of a curve, or the name of an AMM pool. */
  of: string;
  address: string;
  account: ChainAccount;
  clock: PoolClock;
  swaps: RecordedSwap[];
}

interface Line {
  t: 'columns' | 'config' | 'pool' | 'state';
  id: string;
  config?: string;
  pool?: string;
  address?: string;
  slot: string;
  time: string;
  tokenA: string;
  len: number;
  data: string;
}

type SwapLine = [
  'q',
  string,
  'buy' | 'sell',
  'swap' | 0 | 1 | 2,
  string,
  string,
  string,
  ...(string | number)[],
];

const WRAPPED_SOL = 'So11111111111111111111111111111111111111112';
const modes = { swap: 'exact_in', 0: 'exact_in', 1: 'partial_fill', 2: 'exact_out' } as const;

/** The states of the curve in the order of the file, and the account of each config by its id. */
export function readCurveRecordings(): { configs: Map<string, ChainAccount>; states: RecordedState[] } {
  const { heads, states } = readFile('curve.jsonl', BONDING_CURVE);
  return { configs: new Map(heads.map((head) => [head.id, accountOf(head, BONDING_CURVE)])), states };
}

/** The states of the AMM in the order of the file, and the pools whose token A is SOL. */
export function readDammRecordings(): { solIsTokenA: Set<string>; states: RecordedState[] } {
  const { heads, states } = readFile('damm.jsonl', DAMM_V2);
  return {
    solIsTokenA: new Set(heads.filter(({ tokenA }) => tokenA === WRAPPED_SOL).map(({ id }) => id)),
    states,
  };
}

function readFile(name: string, program: string): { heads: Line[]; states: RecordedState[] } {
  const text = readFileSync(new URL(`../../fixtures/quotes/${name}`, import.meta.url), 'utf8');
  const heads: Line[] = [];
  const states = new Map<string, RecordedState>();
  text
    .trim()
    .split('\n')
    .forEach((json, index) => {
      const line: Line | SwapLine = JSON.parse(json);
      if (Array.isArray(line)) states.get(line[1])?.swaps.push(toSwap(line, index + 1));
      else if (line.t === 'state') states.set(line.id, toState(line, program, heads));
      else if (line.t !== 'columns') heads.push(line);
    });
  return { heads, states: [...states.values()] };
}

function toState(line: Line, program: string, heads: readonly Line[]): RecordedState {
  const of = line.config ?? line.pool ?? '';
  return {
    id: line.id,
    of,
    // All states of an AMM pool have one account. Each state of a curve's config has a different pool.
    address: line.address ?? heads.find(({ id }) => id === of)?.address ?? '',
    account: accountOf(line, program),
    clock: { slot: BigInt(line.slot), unixSeconds: BigInt(line.time) },
    swaps: [],
  };
}

function toSwap([, , side, mode, amount, limit, flags, ...rest]: SwapLine, line: number): RecordedSwap {
  return {
    line,
    side,
    mode: modes[mode],
    amountRaw: BigInt(amount),
    limitRaw: BigInt(limit),
    hasReferral: flags.includes('r'),
    isFirstAtLaunch: flags.includes('f'),
    provesSingleSwap: true,
    expected: typeof rest[0] === 'number' ? rest[0] : rest.map(String),
  };
}

/** The file stores account data without trailing zero bytes. */
function accountOf({ len, data }: Line, owner: string): ChainAccount {
  const bytes = Buffer.alloc(len);
  bytes.set(Buffer.from(data, 'base64'));
  return { owner, data: bytes };
}
