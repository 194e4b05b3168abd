import type { Claim, ClaimKind } from '../../../chain/pools/claims/claim.ts';
import { ClaimsUnavailable } from '../../../chain/pools/claims/claim-reader.ts';
import {
  type ClaimerAccounts,
  closableMints,
  type PayableClaim,
  payableClaim,
} from '../../../chain/pools/claims/instructions/claim-transaction.ts';
import { packClaims } from '../../../chain/pools/claims/instructions/pack-claims.ts';
import type { BuildDependencies } from '../../../chain/transactions/build-transaction.ts';
import { networkFee } from '../../../chain/transactions/compute-budget.ts';
import type { Instruction } from '../../../chain/transactions/instruction.ts';
import { type Tip, tipInstructions } from '../../../chain/transactions/tip.ts';
import { referenceOf } from '../../../intents/reference.ts';
import { atNodesOf, type SendingDependencies, type SendingOrder, takeTip } from '../../../intents/sending.ts';
import { unpublishedLimits } from '../../../shared/contract-limits.ts';
import { Problem } from '../../../shared/problem.ts';
import { timedId } from '../../../shared/timed-id.ts';
import type { WalletClaims } from '../claimable/wallet-claims.ts';
import { type BuiltClaims, buildClaims, type RefusedClaim } from './build-claims.ts';
import { type ClaimerDependencies, type ClaimerState, readClaimer } from './read-claimer.ts';
import { type ClaimsReading, readWalletClaims } from './read-wallet-claims.ts';
import { lamportsOf, toPreparedClaim } from './record.ts';
import type { FeeClaims } from './schema.ts';

export interface PlanDependencies extends BuildDependencies, SendingDependencies, ClaimerDependencies {
  walletClaims: WalletClaims;
}

export interface ClaimOrder {
  /** Whose work it is; for an administrator any name. */
  accountId: string;
  wallet: string;
  /** Null for all tokens of the wallet. */
  mints: readonly string[] | null;
  /** Goes on after this token; null for the beginning. */
  afterMint: string | null;
  /** Null for all kinds. */
  kinds: readonly ClaimKind[] | null;
  minimumLamports: bigint;
  sending: SendingOrder;
}

/** A transaction that would succeed now, and what it costs. */
export interface PlannedTransaction {
  /** A new UUID, of which the transaction holds a reference. */
  id: string;
  claims: readonly Claim[];
  transaction: NonNullable<BuiltClaims['transaction']>;
  networkFeeLamports: bigint;
  /** Rent of accounts that it opens and that stay open. */
  rentLamports: bigint;
}

export interface PlannedClaims extends Pick<FeeClaims, 'leftOut' | 'remaining' | 'unread' | 'nextMint'> {
  transactions: PlannedTransaction[];
  tip: Tip | null;
}

/** `planned` is null when the chain would refuse each of the claims. */
interface PlanPart {
  planned: PlannedTransaction | null;
  refused: RefusedClaim[];
}

const { feeClaimIntents: TRANSACTIONS_MAX } = unpublishedLimits;

/**
 * Reads what the wallet can claim, packs it into as few transactions as possible, and simulates each. Returns
 * the problem that prevents it.
 */
export async function planClaims(
  dependencies: PlanDependencies,
  order: ClaimOrder,
): Promise<PlannedClaims | Problem> {
  const { accountId, wallet, sending } = order;
  const tip = takeTip(sending, dependencies);
  if (tip instanceof Problem) return tip;
  const reading = await readClaims(dependencies, order);
  if (reading instanceof Problem) return reading;
  if (reading.claims.length === 0) return nothingToClaim(reading);
  const claims = byWorth(reading.claims.filter((claim) => !isHooked(claim)));
  const hooked = reading.claims.filter(isHooked);
  const payable = await Promise.all(claims.map(payableClaim));
  const nodes = atNodesOf(sending, dependencies);
  const state = await readClaimer(nodes, wallet, payable);
  if (state instanceof Problem) return state;
  const accounts = { wallet, open: state.open, closable: closableMints(claims) };
  const trailing = tipInstructions(wallet, tip);
  const { transactions, rest } = packClaims(payable, accounts, trailing, TRANSACTIONS_MAX);
  const built = await Promise.all(
    transactions.map((packed) =>
      planTransaction(nodes, packed, {
        accountId,
        accounts,
        state,
        sending,
        tip,
        trailing,
      }),
    ),
  );
  const problem = built.find((one): one is Problem => one instanceof Problem);
  if (problem !== undefined) return problem;
  const parts = built.filter((one): one is PlanPart => !(one instanceof Problem));
  const planned = parts.flatMap((part) => part.planned ?? []);
  const leftOut = leftOutOf(
    parts.flatMap(({ refused }) => refused),
    hooked,
  );
  if (planned.length === 0)
    return new Problem('fee_claims_refused', { context: { reason: 'claims_refused', leftOut } });
  return {
    transactions: planned,
    tip,
    leftOut,
    remaining: rest.map(({ claim }) => toPreparedClaim(claim)),
    unread: reading.unread,
    nextMint: reading.nextMint,
  };
}

async function readClaims(
  { walletClaims }: PlanDependencies,
  { wallet, kinds, minimumLamports, ...tokens }: ClaimOrder,
): Promise<ClaimsReading | Problem> {
  const isAskedFor = (claim: Claim) =>
    (kinds?.includes(claim.kind) ?? true) && lamportsOf([claim]) >= minimumLamports;
  try {
    return await readWalletClaims(walletClaims, wallet, tokens, isAskedFor);
  } catch (error) {
    if (error instanceof ClaimsUnavailable) return new Problem('chain_unavailable', { cause: error });
    throw error;
  }
}

/** The tokens that pay the most first, with the claims of one token together. */
function byWorth(claims: readonly Claim[]): Claim[] {
  const worth = new Map<string, bigint>();
  for (const claim of claims) worth.set(claim.mint, (worth.get(claim.mint) ?? 0n) + lamportsOf([claim]));
  return claims.toSorted((one, other) => {
    const [left, right] = [worth.get(one.mint) ?? 0n, worth.get(other.mint) ?? 0n];
    if (left !== right) return left > right ? -1 : 1;
    return one.mint < other.mint ? -1 : Number(one.mint > other.mint);
  });
}

/** Transfers of its token call a program, which the instructions here do not name. */
function isHooked(claim: Claim): boolean {
  return claim.kind !== 'position_fee' && claim.hasTransferHook;
}

function leftOutOf(refused: readonly RefusedClaim[], hooked: readonly Claim[]): PlannedClaims['leftOut'] {
  return [
    ...refused.map(({ claim, programError }) => ({
      claim: toPreparedClaim(claim),
      reason: 'simulation_failed' as const,
      programError,
    })),
    ...hooked.map((claim) => ({
      claim: toPreparedClaim(claim),
      reason: 'transfer_hook' as const,
      programError: null,
    })),
  ];
}

function nothingToClaim({ unread, nextMint }: ClaimsReading): Problem {
  return new Problem('fee_claims_empty', { context: { unread, nextMint } });
}

/** What the transactions of a plan share. */
interface ClaimPlan {
  accountId: string;
  accounts: ClaimerAccounts;
  state: ClaimerState;
  sending: SendingOrder;
  tip: Tip | null;
  trailing: readonly Instruction[];
}

async function planTransaction(
  dependencies: BuildDependencies,
  packed: readonly PayableClaim[],
  { tip, ...plan }: ClaimPlan,
): Promise<PlanPart | Problem> {
  const id = timedId(dependencies.clock.now());
  const order = { ...plan, tipLamports: tip?.lamports ?? 0n, reference: referenceOf(id) };
  const built = await buildClaims(dependencies, packed, order);
  if (built instanceof Problem) return built;
  const { transaction, refused } = built;
  if (transaction === null) return { planned: null, refused };
  const planned = {
    id,
    claims: built.claims.map(({ claim }) => claim),
    transaction,
    networkFeeLamports: networkFee(transaction.computeUnitLimit, transaction.computeUnitPrice),
    rentLamports: plan.state.rentOf(transaction.keptOpen),
  };
  return { planned, refused };
}
