import { dammEvents } from '../../../src/indexer/decode/damm-program.ts';
import type { EmittedEvent } from '../../../src/indexer/decode/emitted-events.ts';
import { encodeAddress } from '../../../src/shared/address.ts';

/** A position computed from its pool's events. Fees are raw. Fees for a unit of liquidity are in 2^-128. */
interface ReplayedPosition {
  liquidity: bigint;
  checkpointA: bigint;
  checkpointB: bigint;
  pendingA: bigint;
  pendingB: bigint;
}

/** The length of an `EvtInitializePool`. `collect_fee_mode`, the liquidity and other fields follow its
 * dynamic fee. */
const OPENING_BYTES = 332;
const BEHIND_DYNAMIC_FEE = 223;
const COMPOUNDING = 2;
/** The liquidity of a compounding pool that nobody owns. */
const DEAD_LIQUIDITY = 100n << 64n;

/** Fees for each unit of liquidity of a DAMM v2 pool, and its positions, recomputed from the pool's events alone. */
export class DammReplay {
  readonly positions = new Map<string, ReplayedPosition>();
  feeA = 0n;
  feeB = 0n;
  #liquidity = 0n;

  apply({ discriminator, body, emitter }: EmittedEvent): void {
    const bytes = Buffer.from(body);
    const name = dammEvents.get(discriminator);
    if (name === 'EvtCreatePosition') this.#create(addressAt(bytes, 64));
    if (name === 'EvtInitializePool') this.#open(bytes, emitter.accounts);
    if (name === 'EvtLiquidityChange') this.#move(bytes);
    if (name === 'EvtSwap2') this.#swap(bytes);
  }

  claim(address: string): void {
    Object.assign(this.#settled(address), { pendingA: 0n, pendingB: 0n });
  }

  #create(address: string): void {
    const { feeA, feeB } = this;
    this.positions.set(address, {
      liquidity: 0n,
      checkpointA: feeA,
      checkpointB: feeB,
      pendingA: 0n,
      pendingB: 0n,
    });
  }

  #open(bytes: Buffer, accounts: readonly string[]): void {
    const at = BEHIND_DYNAMIC_FEE + (bytes.length - OPENING_BYTES);
    this.#liquidity = u128(bytes, at + 34);
    const dead = bytes[at + 33] === COMPOUNDING ? DEAD_LIQUIDITY : 0n;
    const first = accounts.find((account) => this.positions.has(account)) ?? '';
    this.#settled(first).liquidity += this.#liquidity - dead;
  }

  #move(bytes: Buffer): void {
    const delta = bytes[176] === 0 ? u128(bytes, 144) : -u128(bytes, 144);
    this.#settled(addressAt(bytes, 32)).liquidity += delta;
    this.#liquidity += delta;
  }

  /** In mode 0 the fee is in the output token, otherwise in token B. */
  #swap(bytes: Buffer): void {
    const isFeeInA = bytes[33] === 0 && bytes[32] === 1;
    const growth = (bytes.readBigUInt64LE(100) << 128n) / this.#liquidity;
    if (isFeeInA) this.feeA += growth;
    else this.feeB += growth;
  }

  /** Returns the position after adding its present share to the pending fees. */
  #settled(address: string): ReplayedPosition {
    const position = this.positions.get(address);
    if (position === undefined) throw new Error(`no position ${address}`);
    const { liquidity, checkpointA, checkpointB } = position;
    position.pendingA += (liquidity * (this.feeA - checkpointA)) >> 128n;
    position.pendingB += (liquidity * (this.feeB - checkpointB)) >> 128n;
    return Object.assign(position, { checkpointA: this.feeA, checkpointB: this.feeB });
  }
}

function u128(bytes: Buffer, offset: number): bigint {
  return bytes.readBigUInt64LE(offset) + (bytes.readBigUInt64LE(offset + 8) << 64n);
}

function addressAt(bytes: Buffer, offset: number): string {
  return encodeAddress(bytes.subarray(offset, offset + 32));
}
