import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { presaleStatuses } from '../../src/db/values/presales.ts';
import { allocationRaw, saleSupplyRaw } from '../../src/features/presales/allocation.ts';
import {
  judgeMovement,
  type PresaleBalance,
  type PresaleMovement,
  participationStatus,
  type WalletBalance,
} from '../../src/features/presales/movement-rules.ts';
import {
  dueTransition,
  type PresaleState,
  SETTLING_GRACE_MS,
  transitions,
} from '../../src/features/presales/state.ts';

const START_MS = Date.UTC(2026, 0, 1);
const DEADLINE_MS = START_MS + 60_000;
const at = (ms: number) => new Date(ms);

const state = (changes: Partial<PresaleState>): PresaleState => ({
  status: 'active',
  publicStartAt: at(START_MS),
  deadline: at(DEADLINE_MS),
  settlingAt: null,
  minCapLamports: 50n,
  maxCapLamports: 100n,
  totalDepositedLamports: 0n,
  totalRefundedLamports: 0n,
  ...changes,
});
const next = (changes: Partial<PresaleState>, nowMs: number) =>
  dueTransition(state(changes), at(nowMs))?.to ?? null;

describe('the lifecycle', () => {
  test('opens at the start and closes at the deadline, not a millisecond earlier', () => {
    expect(next({ status: 'initializing' }, START_MS - 1)).toBeNull();
    expect(next({ status: 'initializing' }, START_MS)).toBe('active');
    expect(next({}, DEADLINE_MS - 1)).toBeNull();
    expect(next({}, DEADLINE_MS)).toBe('settling');
  });

  test('closes as soon as the maximum is reached, and then settles without waiting', () => {
    expect(next({ totalDepositedLamports: 99n }, START_MS)).toBeNull();
    expect(next({ totalDepositedLamports: 100n }, START_MS)).toBe('settling');
    const full = { status: 'settling', totalDepositedLamports: 100n, settlingAt: at(START_MS) } as const;
    expect(next(full, START_MS)).toBe('settled');
  });

  test('waits for late messages, then settles when the minimum was reached and refunds when it was missed', () => {
    const settling = { status: 'settling', settlingAt: at(DEADLINE_MS) } as const;
    const overMs = DEADLINE_MS + SETTLING_GRACE_MS;
    expect(next({ ...settling, totalDepositedLamports: 50n }, overMs - 1)).toBeNull();
    expect(next({ ...settling, totalDepositedLamports: 50n }, overMs)).toBe('settled');
    expect(next({ ...settling, totalDepositedLamports: 49n }, overMs)).toBe('refunding');
  });

  test('fails once every deposit was refunded', () => {
    const refunding = { status: 'refunding', totalDepositedLamports: 40n } as const;
    expect(next({ ...refunding, totalRefundedLamports: 39n }, DEADLINE_MS)).toBeNull();
    expect(next({ ...refunding, totalRefundedLamports: 40n }, DEADLINE_MS)).toBe('failed');
  });

  test('never leaves a draft or a final status, and reaches every other status', () => {
    for (const status of ['draft', 'settled', 'failed'] as const)
      expect(next({ status, totalDepositedLamports: 100n }, DEADLINE_MS * 2)).toBeNull();
    const reached = new Set(transitions.map(({ to }) => to));
    expect(presaleStatuses.filter((status) => !reached.has(status))).toEqual(['draft', 'initializing']);
  });
});

describe('allocations', () => {
  test('of a sale are computed on whole base units', () => {
    expect(saleSupplyRaw('1000.5', 6, 6_000)).toBe(600_300_000n);
    expect(saleSupplyRaw('0.0000019', 6, 10_000)).toBe(1n);
    expect(saleSupplyRaw('3', 0, 5_000)).toBe(1n);
    expect(allocationRaw(1n, 3n, 100n)).toBe(33n);
  });

  test('together never exceed the sale, and lose less than one unit per participant', () => {
    const deposits = fc.array(fc.bigInt({ min: 1n, max: 10n ** 15n }), {
      minLength: 1,
      maxLength: 200,
      size: 'max',
    });
    fc.assert(
      fc.property(deposits, fc.bigInt({ min: 0n, max: 10n ** 24n }), (deposited, saleRaw) => {
        const total = deposited.reduce((sum, one) => sum + one, 0n);
        const allocated = deposited.reduce((sum, one) => sum + allocationRaw(one, total, saleRaw), 0n);
        expect(allocated <= saleRaw).toBe(true);
        expect(saleRaw - allocated < BigInt(deposited.length)).toBe(true);
      }),
    );
  });
});

const presale = (changes: Partial<PresaleBalance> = {}): PresaleBalance => ({
  id: 'presale',
  status: 'active',
  publicStartAt: at(START_MS),
  deadline: at(DEADLINE_MS),
  maxCapLamports: 100n,
  perWalletCapLamports: 60n,
  totalDepositedLamports: 0n,
  totalRefundedLamports: 0n,
  participantCount: 0,
  ...changes,
});
const wallet = (changes: Partial<WalletBalance> = {}): WalletBalance => ({
  presaleId: 'presale',
  walletAddress: 'wallet',
  depositedLamports: 40n,
  refundedLamports: 0n,
  allocationRaw: null,
  claimedRaw: 0n,
  ...changes,
});
const movement = (
  kind: PresaleMovement['kind'],
  amount: bigint,
  blockTimeMs = START_MS,
): PresaleMovement => ({
  kind,
  presaleId: 'presale',
  walletAddress: 'wallet',
  amount,
  slot: 1n,
  blockTime: at(blockTimeMs),
  transactionSignature: 'signature',
  instructionIndex: 0,
});
function verdict(...input: Parameters<typeof judgeMovement>): string {
  const judgement = judgeMovement(...input);
  return judgement.outcome === 'applied' ? 'applied' : `${judgement.outcome} ${judgement.reason}`;
}

describe('a deposit', () => {
  test('counts for the presale and the wallet; only a new wallet is a new participant', () => {
    expect(judgeMovement(presale(), null, movement('deposit', 60n))).toMatchObject({
      outcome: 'applied',
      after: {
        presale: { totalDepositedLamports: 60n, participantCount: 1 },
        wallet: { depositedLamports: 60n, claimedRaw: 0n, allocationRaw: null },
      },
    });
    const again = presale({ totalDepositedLamports: 40n, participantCount: 1 });
    expect(judgeMovement(again, wallet(), movement('deposit', 20n))).toMatchObject({
      after: {
        presale: { totalDepositedLamports: 60n, participantCount: 1 },
        wallet: { depositedLamports: 60n },
      },
    });
  });

  test('may reach both caps exactly and exceed neither', () => {
    expect(verdict(presale({ totalDepositedLamports: 80n }), null, movement('deposit', 20n))).toBe('applied');
    expect(verdict(presale({ totalDepositedLamports: 80n }), null, movement('deposit', 21n))).toBe(
      'rejected presale_cap_exceeded',
    );
    expect(verdict(presale(), wallet(), movement('deposit', 21n))).toBe(
      'rejected presale_wallet_cap_exceeded',
    );
  });

  test('belongs to the window by its block time, without the deadline', () => {
    const judge = (blockTimeMs: number) => verdict(presale(), null, movement('deposit', 1n, blockTimeMs));
    expect(judge(START_MS - 1)).toBe('rejected presale_not_started');
    expect(judge(START_MS)).toBe('applied');
    expect(judge(DEADLINE_MS - 1)).toBe('applied');
    expect(judge(DEADLINE_MS)).toBe('rejected presale_deadline_passed');
  });

  test('counts while settling, waits before the opening, and is too late after settlement', () => {
    const judge = (status: PresaleBalance['status']) =>
      verdict(presale({ status }), null, movement('deposit', 1n));
    expect(presaleStatuses.map((status) => `${status}: ${judge(status)}`)).toEqual([
      'draft: rejected presale_not_open',
      'initializing: waiting presale_not_open',
      'active: applied',
      'settling: applied',
      'settled: rejected presale_closed',
      'refunding: rejected presale_closed',
      'failed: rejected presale_closed',
    ]);
  });
});

describe('a refund', () => {
  test('is accepted while refunding, waits while refunding may still begin, and is refused otherwise', () => {
    const judge = (status: PresaleBalance['status']) =>
      verdict(presale({ status }), wallet(), movement('refund', 1n));
    expect(presaleStatuses.map((status) => `${status}: ${judge(status)}`)).toEqual([
      'draft: rejected presale_not_refunding',
      'initializing: rejected presale_not_refunding',
      'active: waiting presale_not_refunding',
      'settling: waiting presale_not_refunding',
      'settled: rejected presale_not_refunding',
      'refunding: applied',
      'failed: rejected presale_refund_exceeded',
    ]);
  });

  test('never exceeds what the wallet deposited', () => {
    const refunding = presale({ status: 'refunding', totalDepositedLamports: 90n });
    const half = wallet({ refundedLamports: 20n });
    expect(verdict(refunding, half, movement('refund', 21n))).toBe('rejected presale_refund_exceeded');
    expect(verdict(refunding, null, movement('refund', 1n))).toBe('rejected unknown_participation');
    const judged = judgeMovement(refunding, half, movement('refund', 20n));
    expect(judged).toMatchObject({
      after: { presale: { totalRefundedLamports: 20n }, wallet: { refundedLamports: 40n } },
    });
    expect(participationStatus(half)).toBe('deposited');
    expect(judged.outcome === 'applied' && participationStatus(judged.after.wallet)).toBe('refunded');
  });
});

describe('a claim', () => {
  test('is accepted after settlement, up to the allocation', () => {
    const judge = (status: PresaleBalance['status']) =>
      verdict(presale({ status }), wallet({ allocationRaw: 5n }), movement('claim', 1n));
    expect(presaleStatuses.map((status) => `${status}: ${judge(status)}`)).toEqual([
      'draft: rejected presale_not_settled',
      'initializing: rejected presale_not_settled',
      'active: waiting presale_not_settled',
      'settling: waiting presale_not_settled',
      'settled: applied',
      'refunding: rejected presale_not_settled',
      'failed: rejected presale_not_settled',
    ]);
    const settled = presale({ status: 'settled' });
    const partly = wallet({ allocationRaw: 5n, claimedRaw: 2n });
    expect(verdict(settled, partly, movement('claim', 3n))).toBe('applied');
    expect(verdict(settled, partly, movement('claim', 4n))).toBe('rejected presale_claim_exceeded');
    expect(verdict(settled, null, movement('claim', 1n))).toBe('rejected unknown_participation');
    expect(participationStatus(partly)).toBe('settled');
  });
});
