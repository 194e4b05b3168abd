import bs58 from 'bs58';
import type { Ledger } from '../../../sandbox/chain/ledger.ts';
import { sighash } from '../../../sandbox/chain/programs/anchor/anchor-program.ts';
import { fieldsOf } from '../../../src/chain/accounts/account-data.ts';

const TAGS_BYTES = 16;
const SWAP_TAG = Buffer.from(sighash('event', 'EvtSwap2'));

/** A swap from its own event. */
export interface SwapEvent {
  outerIndex: number;
  innerIndex: number;
  pool: string;
  /** Amounts, the price afterwards, fees and reserves, in the event's order. */
  numbers: bigint[];
}

/** The `EvtSwap2` events of a transaction, in order. */
export function swapEventsOf(ledger: Ledger, signature: string): SwapEvent[] {
  const stored = ledger.history.bySignature(signature);
  if (stored === null) throw new Error(`${signature} is not in the history`);
  const meta: {
    innerInstructions: { index: number; instructions: { data: string; accounts: number[] }[] }[];
  } = JSON.parse(stored.metaJson);
  return meta.innerInstructions.flatMap(({ index, instructions }) =>
    instructions.flatMap(({ data }, innerIndex) => {
      const bytes = Buffer.from(bs58.decode(data));
      if (!bytes.subarray(8, TAGS_BYTES).equals(SWAP_TAG)) return [];
      return [{ outerIndex: index, innerIndex, ...numbersOf(bytes.subarray(TAGS_BYTES)) }];
    }),
  );
}

/** Events of curves have 179 bytes, those of the AMM 180 (fixtures' README). */
function numbersOf(body: Buffer): { pool: string; numbers: bigint[] } {
  const fields = fieldsOf(body);
  const [at, reserves] = body.length === 179 ? [83, [155]] : [52, [164, 172]];
  const u64 = (offset: number) => fields.u64(offset);
  const fees = body.length === 179 ? [48, 56, 64] : [48, 56, 64, 72];
  return {
    pool: fields.address(0),
    numbers: [
      ...[0, 8, 16, 24].map((offset) => u64(at + offset)),
      fields.u128(at + 32),
      ...fees.map((offset) => u64(at + offset)),
      ...reserves.map(u64),
    ],
  };
}
