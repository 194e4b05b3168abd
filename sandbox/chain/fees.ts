import { COMPUTE_BUDGET, SYSTEM_PROGRAM } from '../../src/chain/accounts/programs.ts';
import { ByteReader } from './byte-reader.ts';
import type { WireMessage } from './wire-message.ts';

export const LAMPORTS_PER_SIGNATURE = 5_000n;
const PRECOMPILES = new Set([
  'Ed25519SigVerify111111111111111111111111111',
  'KeccakSecp256k11111111111111111111111111111',
  'Secp256r1SigVerify1111111111111111111111111',
]);
// Without a limit, builtins reserve 3,000 units and all other programs 200,000 (measured by the charged fee).
const BUILTINS = new Set([
  COMPUTE_BUDGET,
  SYSTEM_PROGRAM,
  'Vote111111111111111111111111111111111111111',
  'BPFLoader1111111111111111111111111111111111',
  'BPFLoader2111111111111111111111111111111111',
  'BPFLoaderUpgradeab1e11111111111111111111111',
  'LoaderV411111111111111111111111111111111111',
]);
const MAX_COMPUTE_UNITS = 1_400_000n;
const MICRO_LAMPORTS = 1_000_000n;

/** What a message pays, and the compute units that it may use. */
export interface FeeTerms {
  readonly feeLamports: bigint;
  /** Price for priority in micro-lamports a compute unit, see `computeUnitPriceOf`. */
  readonly priceMicroLamports: bigint;
  readonly computeUnits: number;
}

export function feeTermsOf(message: WireMessage): FeeTerms {
  const priority = priorityOf(message);
  return {
    feeLamports: signatureFeeOf(message) + priority.lamports,
    priceMicroLamports: priceOf(priority),
    computeUnits: Number(priority.units),
  };
}

/** Fee in lamports: 5,000 per signature (precompile signatures included) plus the priority fee, rounded up. */
export function feeLamportsOf(message: WireMessage): bigint {
  return signatureFeeOf(message) + priorityOf(message).lamports;
}

function signatureFeeOf(message: WireMessage): bigint {
  let signatures = BigInt(message.header.numRequiredSignatures);
  for (const { programIdIndex, data } of message.instructions)
    if (PRECOMPILES.has(message.staticKeys[programIdIndex] ?? '')) signatures += BigInt(data[0] ?? 0);
  return signatures * LAMPORTS_PER_SIGNATURE;
}

/**
 * What a transaction pays for priority, in micro-lamports per compute unit: the lamports it pays over the units it
 * may use, so a price that was rounded up to whole lamports is a little higher than the one asked for.
 */
export function computeUnitPriceOf(message: WireMessage): bigint {
  return priceOf(priorityOf(message));
}

function priceOf({ lamports, units }: { lamports: bigint; units: bigint }): bigint {
  return units === 0n ? 0n : (lamports * MICRO_LAMPORTS) / units;
}

function priorityOf(message: WireMessage): { lamports: bigint; units: bigint } {
  // In v1 the priority fee is a total in the header, and compute-budget instructions do nothing.
  if (message.config !== null) {
    const { priorityFeeLamports, computeUnitLimit } = message.config;
    return { lamports: priorityFeeLamports ?? 0n, units: BigInt(computeUnitLimit ?? 0) };
  }
  let priceMicroLamports = 0n;
  let limit: bigint | null = null;
  let defaultLimit = 0n;
  for (const { programIdIndex, data } of message.instructions) {
    const program = message.staticKeys[programIdIndex] ?? '';
    defaultLimit += BUILTINS.has(program) ? 3_000n : 200_000n;
    if (program !== COMPUTE_BUDGET) continue;
    const reader = new ByteReader(data, 1);
    if (data[0] === 2 && data.length >= 5) limit = BigInt(reader.u32());
    if (data[0] === 3 && data.length >= 9) priceMicroLamports = reader.u64();
  }
  const wanted = limit ?? defaultLimit;
  const units = wanted > MAX_COMPUTE_UNITS ? MAX_COMPUTE_UNITS : wanted;
  return { lamports: (units * priceMicroLamports + MICRO_LAMPORTS - 1n) / MICRO_LAMPORTS, units };
}
