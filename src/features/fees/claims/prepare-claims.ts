import type { Claim, ClaimKind } from '../../../chain/pools/claims/claim.ts';
import { ClaimsUnavailable } from '../../../chain/pools/claims/claim-reader.ts';
import {
  closableMints,
  type PayableClaim,
  payableClaim,
} from '../../../chain/pools/claims/instructions/claim-transaction.ts';
import { packClaims } from '../../../chain/pools/claims/instructions/pack-claims.ts';
import type { BuildDependencies } from '../../../chain/transactions/build-transaction.ts';
import { networkFee } from '../../../chain/transactions/compute-budget.ts';
import type { ComposedIntent, IntentKeeper } from '../../../chain/transactions/intent-keeper.ts';
import { referenceOf } from '../../../chain/transactions/intent-reference.ts';
import {
  atNodesOf,
  type SendingDependencies,
  type SendingOrder,
  storedSending,
  takeTip,
  toSending,
} from '../../../chain/transactions/sending.ts';
import { tipInstructions } from '../../../chain/transactions/tip.ts';
import { unpublishedLimits } from '../../../shared/contract-limits.ts';
import { Problem } from '../../../shared/problem.ts';
import { timedId } from '../../../shared/timed-id.ts';
import type { WalletClaims } from '../claimable/wallet-claims.ts';
import { buildClaims, type RefusedClaim } from './build-claims.ts';
import { type ClaimerState, readClaimer } from './read-claimer.ts';
import { type ClaimsReading, readWalletClaims } from './read-wallet-claims.ts';
import { lamportsOf, toPreparedClaim } from './record.ts';
import type { FeeClaims } from './schema.ts';

export interface ClaimDependencies extends BuildDependencies, SendingDependencies {
  intentKeeper: IntentKeeper;
  walletClaims: WalletClaims;
}

export interface ClaimRequest {
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

/** An intent that is ready to be stored, with its claims. */
export interface ClaimIntent {
  intent: ComposedIntent;
  claims: readonly Claim[];
  shown: FeeClaims['intents'][number];
}

/** An intent, or null when the chain would refuse each of its claims. */
interface MadeIntent {
  made: ClaimIntent | null;
  refused: RefusedClaim[];
}

export interface PreparedClaims {
  intents: ClaimIntent[];
  shown: FeeClaims;
}

const INTENT_KIND = 'fee_claim';
const { feeClaimIntents: INTENTS_MAX } = unpublishedLimits;

/**
 * Reads what the wallet can claim and makes the simulated transactions, or returns the problem that prevents
 * it. Runs before the database transaction opens, so it never throws a problem.
 */
export async function prepareClaims(
  dependencies: ClaimDependencies,
  request: ClaimRequest,
): Promise<PreparedClaims | Problem> {
  const { wallet, sending } = request;
  const tip = takeTip(sending, dependencies);
  if (tip instanceof Problem) return tip;
  const reading = await readClaims(dependencies, request);
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
  const { transactions, rest } = packClaims(payable, accounts, trailing, INTENTS_MAX);
  const built = await Promise.all(
    transactions.map((packed) =>
      composeIntent(dependencies, nodes, request, packed, { accounts, state, tip, trailing }),
    ),
  );
  const problem = built.find((one): one is Problem => one instanceof Problem);
  if (problem !== undefined) return problem;
  const composed = built.filter((one): one is MadeIntent => !(one instanceof Problem));
  const intents = composed.flatMap(({ made }) => made ?? []);
  const leftOut = [
    ...composed.flatMap(({ refused }) =>
      refused.map(({ claim, programError }) => ({
        claim: toPreparedClaim(claim),
        reason: 'simulation_failed' as const,
        programError,
      })),
    ),
    ...hooked.map((claim) => ({
      claim: toPreparedClaim(claim),
      reason: 'transfer_hook' as const,
      programError: null,
    })),
  ];
  if (intents.length === 0)
    return new Problem('fee_claims_refused', { context: { reason: 'claims_refused', leftOut } });
  const claimed = intents.flatMap((intent) => intent.claims);
  return {
    intents,
    shown: {
      walletAddress: wallet,
      claimedLamports: String(lamportsOf(claimed)),
      slot: String(oldestSlot(claimed)),
      intents: intents.map(({ shown }) => shown),
      leftOut,
      remaining: rest.map(({ claim }) => toPreparedClaim(claim)),
      unread: reading.unread,
      nextMint: reading.nextMint,
    },
  };
}

async function readClaims(
  { walletClaims }: ClaimDependencies,
  { wallet, kinds, minimumLamports, ...tokens }: ClaimRequest,
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

function nothingToClaim({ unread, nextMint }: ClaimsReading): Problem {
  return new Problem('fee_claims_empty', { context: { unread, nextMint } });
}

function oldestSlot(claims: readonly Claim[]): bigint {
  const [oldest = 0n] = claims.map(({ slot }) => slot).sort((one, other) => Number(one - other));
  return oldest;
}

type Shared = Pick<Parameters<typeof buildClaims>[2], 'accounts' | 'trailing'> & {
  state: ClaimerState;
  tip: Exclude<ReturnType<typeof takeTip>, Problem>;
};

/** The intent of one transaction; `made` is null when each of its claims would be refused. */
async function composeIntent(
  { intentKeeper, clock, maxComputeUnitPrice }: ClaimDependencies,
  nodes: BuildDependencies,
  { accountId, wallet, sending }: ClaimRequest,
  packed: readonly PayableClaim[],
  { accounts, state, tip, trailing }: Shared,
): Promise<MadeIntent | Problem> {
  const id = timedId(clock.now());
  const tipLamports = tip?.lamports ?? 0n;
  const order = { accounts, state, sending, tipLamports, trailing, reference: referenceOf(id) };
  const built = await buildClaims(nodes, packed, order);
  if (built instanceof Problem) return built;
  const { transaction, refused } = built;
  if (transaction === null) return { made: null, refused };
  const claims = built.claims.map(({ claim }) => claim);
  const [mint, another] = new Set(claims.map((claim) => claim.mint));
  const intent = intentKeeper.compose(id, {
    accountId,
    kind: INTENT_KIND,
    expectedSigner: wallet,
    transaction: transaction.transaction,
    policy: {
      allowedPrograms: transaction.allowedPrograms,
      maxComputeUnitPrice: maxComputeUnitPrice.toString(),
      requireSimulation: true,
    },
    lastValidBlockHeight: transaction.lastValidBlockHeight,
    expiresInMs: transaction.expiresInMs,
    origin: {
      mintAddress: another === undefined ? (mint ?? null) : null,
      launchId: null,
      tipLamports,
      quote: null,
    },
    ...storedSending(sending),
  });
  const { computeUnitLimit, computeUnitPrice } = transaction;
  const shown = {
    claims: claims.map(toPreparedClaim),
    claimedLamports: String(lamportsOf(claims)),
    networkFeeLamports: String(networkFee(computeUnitLimit, computeUnitPrice)),
    rentLamports: String(state.rentOf(transaction.keptOpen)),
    sending: toSending(sending, transaction, tip),
    intent: intent.shown,
  };
  return { made: { intent, claims, shown }, refused };
}
