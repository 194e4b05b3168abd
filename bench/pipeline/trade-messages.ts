import { NOMINAL_SLOT_MS } from '../../src/chain/pace/protocol.ts';
import { checkTrade } from '../../src/indexer/ingest/kinds/trade.ts';
import type { IndexedTrade } from '../../src/indexer/market/indexed-trade.ts';
import { encodeAddress } from '../../src/shared/address.ts';

/** Tokens that the trades are spread over. */
export const BENCH_TOKENS = 50;
const SLOT_START = 300_000_000;
const START_MS = Date.parse('2026-01-01T00:00:00Z');
const TRADES_PER_SLOT = 20;

/** The address of a bench token. */
export function benchMint(number: number): string {
  const bytes = new Uint8Array(32).fill(9);
  new DataView(bytes.buffer).setUint32(0, number);
  return encodeAddress(bytes);
}

/** The trade at position `number` of a feed, as an `ingest.trade` message. Always the same for a number. */
export function tradeMessage(number: number) {
  const slot = Math.floor(number / TRADES_PER_SLOT);
  return {
    mintAddress: benchMint(number % BENCH_TOKENS),
    type: number % 3 === 0 ? 'sell' : 'buy',
    traderWallet: benchMint(1_000_000 + (number % 997)),
    solAmount: `0.${String(1 + (number % 999))
      .padStart(9, '0')
      .replace(/0+$/, '')}`,
    tokenAmount: String(1_000 + (number % 7_919)),
    slot: String(SLOT_START + slot),
    transactionIndex: number % TRADES_PER_SLOT,
    outerIndex: 2,
    innerIndex: 0,
    blockTime: new Date(START_MS + slot * NOMINAL_SLOT_MS).toISOString(),
    transactionSignature: signatureOf(number),
  };
}

/** The trade at position `number`, in the form in which the worker stores it. */
export function benchTrade(number: number): IndexedTrade {
  const checked = checkTrade(tradeMessage(number));
  if (!checked.ok) throw new Error(`bench trade: ${checked.detail}`);
  return checked.message;
}

/** Base58 text of 88 digits; the number at its end makes it unique. */
function signatureOf(number: number): string {
  const digits = [...String(number)].map((digit) => 'ABCDEFGHJK'[Number(digit)]).join('');
  return digits.padStart(88, '5');
}
