import type { SendTarget } from '../../chain/rpc/send-target.ts';

/** The part of an address on which the draw depends. */
type Drawable = Pick<SendTarget, 'name' | 'isSendOnly'>;

const HASHES = 2 ** 32;

/**
 * Draws the one address that an intent is not sent to, so that the landing report can compare
 * (contract/landing-report#hold-out); null for the intents of the other share. The draw depends on nothing but the
 * id of the intent and the names, so every process and every resend draws alike. The last address is never
 * drawn, nor the last node: a landing service may drop what pays it no tip.
 *
 * @param addresses those that would get the transaction.
 * @param percent share of the intents, 0 to 100.
 */
export function drawHeldOut<Address extends Drawable>(
  intentId: string,
  addresses: readonly Address[],
  percent: number,
): Address | null {
  if (percent === 0 || addresses.length < 2) return null;
  if (hash(`share ${intentId}`) >= (percent / 100) * HASHES) return null;
  const nodes = addresses.filter(({ isSendOnly }) => !isSendOnly).length;
  let drawn: Address | null = null;
  let lowest = HASHES;
  for (const address of addresses) {
    if (nodes === 1 && !address.isSendOnly) continue;
    const own = hash(`${address.name} ${intentId}`);
    if (own >= lowest) continue;
    drawn = address;
    lowest = own;
  }
  return drawn;
}

/** The addresses that an intent is sent to, and the name of the one that is held out of its sends. */
export function addressesOf(
  intentId: string,
  { targets, holdOutPercent }: { targets: readonly SendTarget[]; holdOutPercent: number },
): { targets: readonly SendTarget[]; heldOut: string | null } {
  const heldOut = drawHeldOut(intentId, targets, holdOutPercent);
  if (heldOut === null) return { targets, heldOut: null };
  return { targets: targets.filter((target) => target !== heldOut), heldOut: heldOut.name };
}

/** 0.1 µs. XXH32 is a published function: releases that run side by side draw alike. */
function hash(text: string): number {
  return Bun.hash.xxHash32(text);
}
