import { rawToDecimal } from '../../shared/decimal.ts';
import { BodyReader, readOrNull } from './body-reader.ts';
import type { DecodedTransaction, FeeClaim, SkipReason } from './decoded-transaction.ts';
import { type ClaimShape, claimShapes } from './fee-claim-shapes.ts';
import { hasUsableDecimals } from './known-pools.ts';
import { accountOf, type PoolEvent, WRAPPED_SOL_MINT } from './pool-event.ts';
import { toSol } from './trade-values.ts';

/** The payment in one token, raw. */
interface Payment {
  mint: string;
  raw: bigint;
  recipient: string;
}

/** Adds the claim that an event reports. Undefined when the event is not a claim. */
export function addFeeClaim(decoded: DecodedTransaction, found: PoolEvent): SkipReason | null | undefined {
  const shape = claimShapes[found.event.venue][found.name];
  if (shape === undefined) return undefined;
  const claim = readClaim(found, shape);
  if (typeof claim === 'string') return claim;
  decoded.feeClaims.push(claim);
  return null;
}

function readClaim(found: PoolEvent, shape: ClaimShape): FeeClaim | SkipReason {
  const { event, pool, fact, name } = found;
  const claimant = accountOf(found, shape.claimant);
  const isClaim =
    event.body.byteLength >= shape.bytesMin &&
    shape.instructions.has(event.emitterDiscriminator) &&
    accountOf(found, shape.pool) === pool.poolAddress;
  const payments = isClaim ? readOrNull(() => paymentsOf(found, shape)) : null;
  if (payments === null || claimant === undefined) return 'unreadable';
  if (!hasUsableDecimals(pool)) return 'decimals_unusable';
  const inSol = payments.find(({ mint }) => mint === WRAPPED_SOL_MINT);
  const inToken = payments.find(({ mint }) => mint === pool.mintAddress);
  const other = payments.find(({ mint }) => mint !== WRAPPED_SOL_MINT && mint !== pool.mintAddress);
  if (other !== undefined) return inSol === undefined ? 'quote_is_not_sol' : 'mint_differs';
  return {
    ...fact,
    kind: shape.kind,
    claimant,
    positionAddress: positionOf(event.body, shape),
    solAmount: toSol(inSol?.raw ?? 0n),
    tokenAmount: rawToDecimal(inToken?.raw ?? 0n, pool.decimals),
    solRecipientAccount: inSol?.recipient ?? null,
    solRecipient: inSol === undefined ? null : found.ownerOf(inSol.recipient),
    tokenRecipientAccount: inToken?.recipient ?? null,
    tokenRecipient: inToken === undefined ? null : found.ownerOf(inToken.recipient),
    eventName: name,
  };
}

/** Throws RangeError when the event or its instruction does not fit the shape. */
function paymentsOf(found: PoolEvent, { sides }: ClaimShape): Payment[] {
  const { body } = found.event;
  if (sides === 'named_in_event') {
    const reader = new BodyReader(body);
    reader.skip(32); // pool
    const [recipient, mint] = [reader.address(), reader.address()];
    return [{ recipient, mint, raw: reader.u64() }];
  }
  return sides.map(({ amountOffset, mint, recipient }) => {
    const reader = new BodyReader(body);
    reader.skip(amountOffset);
    return { mint: required(found, mint), recipient: required(found, recipient), raw: reader.u64() };
  });
}

function required(found: PoolEvent, position: number): string {
  const account = accountOf(found, position);
  if (account === undefined) throw new RangeError('the instruction has too few accounts');
  return account;
}

/** Read after the amounts, because the position follows them. */
function positionOf(body: Uint8Array, { positionOffset }: ClaimShape): string | null {
  if (positionOffset === undefined) return null;
  const reader = new BodyReader(body);
  reader.skip(positionOffset);
  return reader.address();
}
