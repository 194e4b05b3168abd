import bs58 from 'bs58';
import type { Ledger } from '../../sandbox/chain/ledger.ts';
import { sighash } from '../../sandbox/chain/programs/anchor/anchor-program.ts';
import { fieldsOf } from '../../src/chain/accounts/account-data.ts';

/** A swap from a curve's own event. Amounts are raw. */
export interface ChainSwap {
  signature: string;
  slot: string;
  type: 'buy' | 'sell';
  inRaw: bigint;
  outRaw: bigint;
}

const TAGS_BYTES = 16;
/** Enough for every transaction of a test. */
const EVERYTHING = 100_000;

/** Transactions of an address, oldest first, failed ones too. */
export function transactionsOf({ history, slot }: Ledger, address: string) {
  const bounds = { before: Number.MAX_SAFE_INTEGER, after: 0, maxSlot: slot, limit: EVERYTHING };
  return history.byAddress(address, bounds).reverse();
}

/** Every swap of a curve's `EvtSwap2`, in chain order, without failed transactions. */
export const curveSwapsOf = (ledger: Ledger, pool: string) => swapsOf(ledger, pool, curveSwap);

/** Every swap of a DAMM v2 pool whose token B is SOL. */
export const ammSwapsOf = (ledger: Ledger, pool: string) => swapsOf(ledger, pool, ammSwap);

function swapsOf(ledger: Ledger, pool: string, swapOf: typeof curveSwap): ChainSwap[] {
  return transactionsOf(ledger, pool).flatMap(({ signature, slot, errJson }) => {
    const metaJson = ledger.history.bySignature(signature)?.metaJson;
    if (errJson !== null || metaJson === undefined) return [];
    return eventsOf(metaJson)
      .filter((event) => fieldsOf(event).address(0) === pool)
      .map((event) => ({ signature, slot: String(slot), ...swapOf(event) }));
  });
}

function eventsOf(metaJson: string): Buffer[] {
  const meta: { innerInstructions: { instructions: { data: string }[] }[] } = JSON.parse(metaJson);
  const tag = Buffer.from(sighash('event', 'EvtSwap2'));
  return meta.innerInstructions
    .flatMap(({ instructions }) => instructions)
    .map(({ data }) => Buffer.from(bs58.decode(data)))
    .filter((data) => data.subarray(8, TAGS_BYTES).equals(tag))
    .map((data) => data.subarray(TAGS_BYTES));
}

/** The fields of the launch fixtures' README, `EvtSwap2` of the curve. */
function curveSwap(event: Buffer) {
  const fields = fieldsOf(event);
  const type = fields.u8(64) === 1 ? ('buy' as const) : ('sell' as const);
  return { type, inRaw: fields.u64(83), outRaw: fields.u64(107) };
}

/** The fields of DAMM v2's event: the amounts that the trader paid and received. */
function ammSwap(event: Buffer) {
  const fields = fieldsOf(event);
  const type = fields.u8(32) === 1 ? ('buy' as const) : ('sell' as const);
  return { type, inRaw: fields.u64(132), outRaw: fields.u64(148) };
}
