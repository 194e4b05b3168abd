import { CLUSTER_ACCOUNT_SHARE } from './cluster-facts.ts';

/** The compute units that one block has room for. */
export interface BlockLimits {
  readonly computeUnits: number;
  /** For the transactions that write one account. */
  readonly accountComputeUnits: number;
  /** Kept for landing services, out of `computeUnits`. */
  readonly reservedComputeUnits: number;
}

const RESERVED_SHARE = 0.05;
// What a cluster charges besides execution.
const UNITS_PER_SIGNATURE = 720;
const UNITS_PER_WRITE_LOCK = 300;

/** @param hasLandingService whether a part is kept for landing services */
export function blockLimits(computeUnits: number, hasLandingService: boolean): BlockLimits {
  return {
    computeUnits,
    accountComputeUnits: Math.floor(computeUnits * CLUSTER_ACCOUNT_SHARE),
    reservedComputeUnits: hasLandingService ? Math.floor(computeUnits * RESERVED_SHARE) : 0,
  };
}

/** The units of a block that a transaction takes. */
export function blockUnitsOf(executedUnits: number, signatures: number, writable: number): number {
  return executedUnits + signatures * UNITS_PER_SIGNATURE + writable * UNITS_PER_WRITE_LOCK;
}

/** What is taken of the block in progress. A scheduler asks for what a transaction may use, and takes what it used. */
export class BlockSpace {
  #limits: BlockLimits;
  #taken = 0;
  readonly #takenByAccount = new Map<string, number>();

  constructor(limits: BlockLimits) {
    this.#limits = limits;
  }

  get limits(): BlockLimits {
    return this.#limits;
  }

  /** The units for transactions that no landing service sent. */
  get ordinaryUnits(): number {
    return this.#limits.computeUnits - this.#limits.reservedComputeUnits;
  }

  get taken(): number {
    return this.#taken;
  }

  setLimits(limits: BlockLimits): void {
    this.#limits = limits;
  }

  fits(units: number, writable: readonly string[], mayUseReserve: boolean): boolean {
    const { computeUnits, accountComputeUnits } = this.#limits;
    const room = mayUseReserve ? computeUnits : this.ordinaryUnits;
    if (this.#taken + units > room) return false;
    return writable.every(
      (address) => (this.#takenByAccount.get(address) ?? 0) + units <= accountComputeUnits,
    );
  }

  take(units: number, writable: readonly string[]): void {
    this.#taken += units;
    for (const address of writable)
      this.#takenByAccount.set(address, (this.#takenByAccount.get(address) ?? 0) + units);
  }

  /** Begins a block. */
  clear(): void {
    this.#taken = 0;
    this.#takenByAccount.clear();
  }
}
