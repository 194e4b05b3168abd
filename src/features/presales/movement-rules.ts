import type { presaleMovementKinds } from '../../db/values/presales.ts';
import type { PresaleStatus } from './record.ts';

/** Lamports into or out of a presale, or claimed tokens, as seen on chain. */
export interface PresaleMovement {
  kind: (typeof presaleMovementKinds)[number];
  presaleId: string;
  walletAddress: string;
  /** Lamports of deposits and refunds, base units of claims; above zero. */
  amount: bigint;
  slot: bigint;
  blockTime: Date;
  transactionSignature: string;
  instructionIndex: number;
}

/** Columns of a presale that decide on a movement and change with it. */
export interface PresaleBalance {
  id: string;
  status: PresaleStatus;
  publicStartAt: Date;
  deadline: Date;
  maxCapLamports: bigint;
  perWalletCapLamports: bigint;
  totalDepositedLamports: bigint;
  totalRefundedLamports: bigint;
  participantCount: number;
}

/** A wallet's deposits, refunds and claims so far. */
export interface WalletBalance {
  presaleId: string;
  walletAddress: string;
  depositedLamports: bigint;
  refundedLamports: bigint;
  allocationRaw: bigint | null;
  claimedRaw: bigint;
}

/** Reasons why a movement cannot count. */
export type MovementRefusal =
  | 'presale_not_open'
  | 'presale_not_started'
  | 'presale_deadline_passed'
  | 'presale_closed'
  | 'presale_cap_exceeded'
  | 'presale_wallet_cap_exceeded'
  | 'presale_not_refunding'
  | 'presale_refund_exceeded'
  | 'presale_not_settled'
  | 'presale_claim_exceeded'
  | 'unknown_participation';

/** The balances after a movement. */
export interface BalancesAfter {
  presale: PresaleBalance;
  wallet: WalletBalance;
}

export type Judgement =
  | { outcome: 'applied'; after: BalancesAfter }
  | { outcome: 'rejected'; reason: MovementRefusal }
  /** The presale has not yet reached the status that the movement needs. */
  | { outcome: 'waiting'; reason: 'presale_not_open' | 'presale_not_refunding' | 'presale_not_settled' };

const rejected = (reason: MovementRefusal): Judgement => ({ outcome: 'rejected', reason });

/** Decides on a movement from the stored balances. The creator's commitment is not part of any total. */
export function judgeMovement(
  presale: PresaleBalance,
  wallet: WalletBalance | null,
  movement: PresaleMovement,
): Judgement {
  switch (movement.kind) {
    case 'deposit':
      return judgeDeposit(presale, wallet, movement);
    case 'refund':
      return judgeRefund(presale, wallet, movement.amount);
    case 'claim':
      return judgeClaim(presale, wallet, movement.amount);
  }
}

function judgeDeposit(
  presale: PresaleBalance,
  wallet: WalletBalance | null,
  { amount, blockTime, walletAddress }: PresaleMovement,
): Judgement {
  if (presale.status === 'draft') return rejected('presale_not_open');
  if (blockTime < presale.publicStartAt) return rejected('presale_not_started');
  if (blockTime >= presale.deadline) return rejected('presale_deadline_passed');
  if (presale.status === 'initializing') return { outcome: 'waiting', reason: 'presale_not_open' };
  if (presale.status !== 'active' && presale.status !== 'settling') return rejected('presale_closed');
  const totalDepositedLamports = presale.totalDepositedLamports + amount;
  if (totalDepositedLamports > presale.maxCapLamports) return rejected('presale_cap_exceeded');
  const depositedLamports = (wallet?.depositedLamports ?? 0n) + amount;
  if (depositedLamports > presale.perWalletCapLamports) return rejected('presale_wallet_cap_exceeded');
  const participantCount = presale.participantCount + (wallet === null ? 1 : 0);
  const empty = { presaleId: presale.id, walletAddress, refundedLamports: 0n, allocationRaw: null };
  return {
    outcome: 'applied',
    after: {
      presale: { ...presale, totalDepositedLamports, participantCount },
      wallet: { ...(wallet ?? { ...empty, claimedRaw: 0n }), depositedLamports },
    },
  };
}

function judgeRefund(presale: PresaleBalance, wallet: WalletBalance | null, amount: bigint): Judgement {
  if (presale.status === 'active' || presale.status === 'settling')
    return { outcome: 'waiting', reason: 'presale_not_refunding' };
  if (presale.status === 'failed') return rejected('presale_refund_exceeded');
  if (presale.status !== 'refunding') return rejected('presale_not_refunding');
  if (wallet === null) return rejected('unknown_participation');
  const refundedLamports = wallet.refundedLamports + amount;
  if (refundedLamports > wallet.depositedLamports) return rejected('presale_refund_exceeded');
  const totalRefundedLamports = presale.totalRefundedLamports + amount;
  return {
    outcome: 'applied',
    after: { presale: { ...presale, totalRefundedLamports }, wallet: { ...wallet, refundedLamports } },
  };
}

function judgeClaim(presale: PresaleBalance, wallet: WalletBalance | null, amount: bigint): Judgement {
  if (presale.status === 'active' || presale.status === 'settling')
    return { outcome: 'waiting', reason: 'presale_not_settled' };
  if (presale.status !== 'settled') return rejected('presale_not_settled');
  if (wallet === null) return rejected('unknown_participation');
  const claimedRaw = wallet.claimedRaw + amount;
  if (claimedRaw > (wallet.allocationRaw ?? 0n)) return rejected('presale_claim_exceeded');
  return { outcome: 'applied', after: { presale, wallet: { ...wallet, claimedRaw } } };
}

/** `deposited` until everything was refunded or the presale settled (contract/presales#participation). */
export function participationStatus(wallet: WalletBalance): 'deposited' | 'refunded' | 'settled' {
  if (wallet.allocationRaw !== null) return 'settled';
  return wallet.refundedLamports === wallet.depositedLamports ? 'refunded' : 'deposited';
}
