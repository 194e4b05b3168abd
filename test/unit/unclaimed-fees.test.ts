import { describe, expect, test } from 'bun:test';
import { CpAmm, getUnClaimLpFee } from '@meteora-ag/cp-amm-sdk';
import { Connection } from '@solana/web3.js';
import BN from 'bn.js';
import fc from 'fast-check';
import type { ChainAccount } from '../../src/chain/accounts/account-data.ts';
import { writeDammPosition } from '../../src/chain/accounts/damm-position.ts';
import {
  readUnclaimedCurveFees,
  readUnclaimedPositionFees,
  readUnclaimedProtocolFees,
} from '../../src/chain/accounts/unclaimed-fees.ts';
import { readCurveConfig } from '../../src/chain/pools/curve/config-account.ts';
import { writeCurvePool } from '../../src/chain/pools/curve/pool-account.ts';
import { readDammPoolState, writeDammPoolState } from '../../src/chain/pools/damm/pool-account.ts';
import { readChainTransaction } from '../../src/indexer/decode/chain-transaction.ts';
import { dammEvents } from '../../src/indexer/decode/damm-program.ts';
import { decodeTransaction } from '../../src/indexer/decode/decode-transaction.ts';
import { type EmittedEvent, emittedEvents } from '../../src/indexer/decode/emitted-events.ts';
import { encodeAddress } from '../../src/shared/address.ts';
import { type DecimalString, decimalToRaw } from '../../src/shared/decimal.ts';
import { type DammFixture, poolsOf, readDammFixtures } from '../support/pools/damm-fixtures.ts';

const fixtures = readDammFixtures();
const coder = new CpAmm(new Connection('http://127.0.0.1:1'))._program.coder.accounts;

function accountOf({ accountsAfter }: DammFixture, address: string | undefined): ChainAccount {
  const account = accountsAfter.get(address ?? '');
  if (account === undefined) throw new Error(`${address} was not recorded`);
  return account;
}

function copyOf({ owner, data }: ChainAccount): { owner: string; data: Buffer } {
  return { owner, data: Buffer.from(data) };
}

function sdkFees(pool: ChainAccount, position: ChainAccount): [bigint, bigint] {
  const { feeTokenA, feeTokenB } = getUnClaimLpFee(
    coder.decode('pool', Buffer.from(pool.data)),
    coder.decode('position', Buffer.from(position.data)),
    new BN(0),
  );
  return [BigInt(feeTokenA.toString()), BigInt(feeTokenB.toString())];
}

describe.each(fixtures)('$name', (fixture) => {
  const { known, steps } = fixture;
  const poolAccount = accountOf(fixture, known.ammPool);

  test('before each claim, a position is worth exactly what the claim then paid', () => {
    const replay = new DammReplay();
    let claimCount = 0;
    for (const { transaction } of steps) {
      const read = readChainTransaction(transaction);
      if (read.failed) continue;
      for (const claim of decodeTransaction(read, poolsOf(fixture)).feeClaims) {
        const position = replay.positions.get(claim.positionAddress ?? '');
        if (claim.kind !== 'positionFee' || position === undefined) continue;
        const pool = copyOf(poolAccount);
        writeDammPoolState(pool.data, { feeAPerLiquidity: replay.feeA, feeBPerLiquidity: replay.feeB });
        const before = copyOf(accountOf(fixture, claim.positionAddress ?? ''));
        writeDammPosition(before.data, {
          feeAPerLiquidityCheckpoint: position.checkpointA,
          feeBPerLiquidityCheckpoint: position.checkpointB,
          feeAPending: position.pendingA,
          feeBPending: position.pendingB,
          unlockedLiquidity: position.liquidity / 3n,
          vestedLiquidity: 5n,
          permanentlyLockedLiquidity: position.liquidity - position.liquidity / 3n - 5n,
        });
        const solRaw = decimalToRaw(claim.solAmount, 9) ?? -1n;
        const tokenRaw = decimalToRaw(claim.tokenAmount, fixture.decimals) ?? -1n;
        const isSolA = fixture.name.startsWith('d-');
        expect(readUnclaimedPositionFees({ address: known.ammPool, account: pool }, before)).toEqual({
          aRaw: isSolA ? solRaw : tokenRaw,
          bRaw: isSolA ? tokenRaw : solRaw,
        });
        replay.claim(claim.positionAddress ?? '');
        claimCount += 1;
      }
      for (const outer of read.instructions)
        for (const event of emittedEvents(outer)) if (event.venue === 'damm') replay.apply(event);
    }
    expect(claimCount).toBe(
      steps.flatMap(({ expected }) => expected.feeClaims ?? []).filter(({ kind }) => kind === 'positionFee')
        .length,
    );
    // The replay equals the chain's own count, so the claims above did not match by chance.
    const { feeAPerLiquidity, feeBPerLiquidity } = readDammPoolState(poolAccount) ?? {};
    expect([feeAPerLiquidity, feeBPerLiquidity]).toEqual([replay.feeA, replay.feeB]);
  });

  test("the protocol's fees of the AMM are those of its swaps less the claims", () => {
    let [aRaw, bRaw] = [0n, 0n];
    for (const { transaction } of steps) {
      const read = readChainTransaction(transaction);
      if (read.failed) continue;
      for (const outer of read.instructions)
        for (const { venue, discriminator, body } of emittedEvents(outer)) {
          const name = venue === 'damm' ? dammEvents.get(discriminator) : undefined;
          const bytes = Buffer.from(body);
          if (name === 'EvtSwap2' && bytes[33] === 0 && bytes[32] === 1) aRaw += bytes.readBigUInt64LE(108);
          else if (name === 'EvtSwap2') bRaw += bytes.readBigUInt64LE(108);
          if (name === 'EvtClaimProtocolFee') {
            aRaw -= bytes.readBigUInt64LE(32);
            bRaw -= bytes.readBigUInt64LE(40);
          }
        }
    }
    expect(readUnclaimedProtocolFees(poolAccount)).toEqual({ aRaw, bRaw });
  });

  test('the unclaimed fees of a curve are the fees of its swaps less the claims', () => {
    if (known.pool === undefined || known.config === undefined) return;
    const fees = readUnclaimedCurveFees(accountOf(fixture, known.pool));
    const config = readCurveConfig(accountOf(fixture, known.config));
    if (fees === null || config === null) throw new Error('the curve was not recorded');
    const earned = { partner: [0n, 0n], creator: [0n, 0n] };
    const claimed = { partner: [0n, 0n], creator: [0n, 0n] };
    for (const { transaction } of steps) {
      const read = readChainTransaction(transaction);
      if (read.failed) continue;
      for (const outer of read.instructions)
        for (const { venue, discriminator, body } of emittedEvents(outer)) {
          if (venue !== 'dbc' || discriminator !== 'bd4233a826507599') continue;
          const bytes = Buffer.from(body);
          // The fee is in the output token in mode 1, and always in the quote token in mode 0.
          const side = config.collectFeeMode === 1 && bytes[64] === 1 ? 0 : 1;
          const fee = bytes.readBigUInt64LE(131);
          const creators = (fee * BigInt(config.creatorTradingFeePercent)) / 100n;
          earned.creator[side] = (earned.creator[side] ?? 0n) + creators;
          earned.partner[side] = (earned.partner[side] ?? 0n) + fee - creators;
        }
      for (const { kind, solAmount, tokenAmount } of decodeTransaction(read, poolsOf(fixture)).feeClaims) {
        const of = { curvePartnerFee: 'partner', curveCreatorFee: 'creator' }[kind as string] as
          | 'partner'
          | 'creator'
          | undefined;
        if (of === undefined) continue;
        const raw = (value: DecimalString, decimals: number) => decimalToRaw(value, decimals) ?? 0n;
        claimed[of][0] = (claimed[of][0] ?? 0n) + raw(tokenAmount, fixture.decimals);
        claimed[of][1] = (claimed[of][1] ?? 0n) + raw(solAmount, 9);
      }
    }
    for (const of of ['partner', 'creator'] as const)
      expect([fees[of].baseRaw, fees[of].quoteRaw]).toEqual([
        (earned[of][0] ?? 0n) - (claimed[of][0] ?? 0n),
        (earned[of][1] ?? 0n) - (claimed[of][1] ?? 0n),
      ]);
  });
});

test("the protocol's claim on a curve includes its share of the migration", () => {
  for (const fixture of fixtures) {
    if (fixture.known.pool === undefined) continue;
    const pool = copyOf(accountOf(fixture, fixture.known.pool));
    writeCurvePool(pool.data, {
      protocolBaseFee: 1n,
      protocolQuoteFee: 20n,
      protocolMigrationBaseFee: 300n,
      protocolMigrationQuoteFee: 4_000n,
    });
    expect(readUnclaimedCurveFees(pool)?.protocol).toEqual({ baseRaw: 301n, quoteRaw: 4_020n });
  }
});

test('a position is worth what the library of the program says, in any state, also where the counter wrapped', () => {
  const [fixture] = fixtures;
  if (fixture === undefined) throw new Error('there are no recordings');
  const address = fixture.known.ammPool;
  const u128 = fc.bigInt({ min: 0n, max: (1n << 120n) - 1n });
  const u256 = fc.bigInt({ min: 0n, max: (1n << 256n) - 1n });
  const u64 = fc.bigInt({ min: 0n, max: (1n << 64n) - 1n });
  fc.assert(
    fc.property(
      fc.tuple(u256, u256, u64, u64, u128, u128, u128),
      fc.tuple(fc.bigInt({ min: 0n, max: 1n << 130n }), fc.bigInt({ min: 0n, max: 1n << 70n })),
      ([feeAPerLiquidityCheckpoint, feeBPerLiquidityCheckpoint, feeAPending, feeBPending, ...l], grown) => {
        const pool = copyOf(accountOf(fixture, address));
        const position = copyOf(accountOf(fixture, fixture.known.positions[0]?.position));
        const [unlockedLiquidity, vestedLiquidity, permanentlyLockedLiquidity] = l;
        writeDammPosition(position.data, {
          feeAPerLiquidityCheckpoint,
          feeBPerLiquidityCheckpoint,
          feeAPending,
          feeBPending,
          unlockedLiquidity,
          vestedLiquidity,
          permanentlyLockedLiquidity,
        });
        writeDammPoolState(pool.data, {
          feeAPerLiquidity: BigInt.asUintN(256, feeAPerLiquidityCheckpoint + grown[0]),
          feeBPerLiquidity: BigInt.asUintN(256, feeBPerLiquidityCheckpoint + grown[1]),
        });
        const fees = readUnclaimedPositionFees({ address, account: pool }, position);
        expect([fees?.aRaw, fees?.bRaw]).toEqual(sdkFees(pool, position));
      },
    ),
    { numRuns: 200 },
  );
});

test('accounts that do not belong together, or are of another kind, yield no fees', () => {
  const [fixture, other] = fixtures;
  if (fixture === undefined || other === undefined) throw new Error('there are no recordings');
  const pool = { address: fixture.known.ammPool, account: accountOf(fixture, fixture.known.ammPool) };
  const position = accountOf(fixture, fixture.known.positions[0]?.position);
  expect(readUnclaimedPositionFees(pool, position)).not.toBeNull();
  expect(readUnclaimedPositionFees(pool, accountOf(other, other.known.positions[0]?.position))).toBeNull();
  expect(readUnclaimedPositionFees(pool, pool.account)).toBeNull();
  expect(readUnclaimedPositionFees({ ...pool, account: null }, position)).toBeNull();
  expect(readUnclaimedPositionFees(pool, null)).toBeNull();
  expect(readUnclaimedCurveFees(pool.account)).toBeNull();
  expect(readUnclaimedProtocolFees(position)).toBeNull();
});

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
class DammReplay {
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
