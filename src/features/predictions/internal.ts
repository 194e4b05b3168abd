import type { Operations } from '../../http/api-door.ts';
import { refusedProblem, refusing } from '../../http/problems/refusals.ts';
import { mutation, type Route, type RouteDefinition } from '../../http/route.ts';
import type { Outbox } from '../../outbox/append.ts';
import type { Clock } from '../../shared/clock.ts';
import { createRound } from './rounds/create-round.ts';
import { plannedRound, RoundPlan } from './rounds/round-plan.ts';
import { PredictionRoundSchema } from './rounds/schema.ts';
import { voidRound } from './rounds/void-round.ts';
import { InternalRoundPath, WALLETS_MAX, WalletBatch, WalletBatchResult, WalletSchema } from './schema.ts';
import { upsertWallet } from './submissions/upsert-wallet.ts';
import { checkedWallet, WalletChange } from './submissions/wallet-change.ts';

const upsertWalletDefinition = {
  id: 'upsertWallet',
  method: 'POST',
  path: '/wallets',
  tag: 'Wallets',
  summary: 'Set the profile of a wallet',
  description: 'Absent fields keep their value; a new wallet has no name and is unverified.',
  auth: ['wallets'],
  ratePolicy: 'service-key',
  successStatus: 200,
  body: WalletChange,
  exampleBody: {
    address: 'So11111111111111111111111111111111111111112',
    username: 'ada',
    verified: true,
  },
  response: WalletSchema,
  problems: [],
} satisfies RouteDefinition;

const upsertWallets = {
  id: 'upsertWallets',
  method: 'POST',
  path: '/wallets/batches',
  tag: 'Wallets',
  summary: 'Set the profiles of several wallets',
  description: `Makes all changes, or none if one is refused. At most ${WALLETS_MAX} changes, made in the order of the request; a wallet may have several.`,
  auth: ['wallets'],
  ratePolicy: 'service-key',
  successStatus: 200,
  body: WalletBatch,
  bulkBody: true,
  exampleBody: { wallets: [{ address: 'So11111111111111111111111111111111111111112', verified: true }] },
  response: WalletBatchResult,
  problems: [],
} satisfies RouteDefinition;

const createPredictionRound = {
  id: 'createPredictionRound',
  method: 'POST',
  path: '/prediction-rounds',
  tag: 'Predictions',
  summary: 'Create a prediction round',
  description: 'The worker opens it at `opensAt`, at once when that has passed.',
  auth: ['rounds'],
  ratePolicy: 'service-key',
  successStatus: 201,
  body: RoundPlan,
  exampleBody: {
    mintAddress: 'So11111111111111111111111111111111111111112',
    opensAt: '2026-11-20T10:00:00.000Z',
    locksAt: '2026-11-20T11:00:00.000Z',
    settlesAt: '2026-11-20T12:00:00.000Z',
    minimumBalanceRaw: '1000000',
    prizePoolLamports: '1000000000',
  },
  response: PredictionRoundSchema,
  problems: [],
} satisfies RouteDefinition;

const voidPredictionRound = {
  id: 'voidPredictionRound',
  method: 'POST',
  path: '/prediction-rounds/:roundId/voidings',
  tag: 'Predictions',
  summary: 'Void a round and its predictions',
  description: 'A round that was settled or voided stays as it is.',
  auth: ['rounds'],
  ratePolicy: 'service-key',
  successStatus: 200,
  params: InternalRoundPath,
  response: PredictionRoundSchema,
  problems: ['prediction_round_not_found', 'internal_state_conflict'],
} satisfies RouteDefinition;

const definitions: readonly RouteDefinition[] = [
  upsertWalletDefinition,
  upsertWallets,
  createPredictionRound,
  voidPredictionRound,
];

interface InternalPredictionDependencies {
  outbox: Outbox;
  clock: Clock;
}

function routes({ outbox, clock }: InternalPredictionDependencies): Route[] {
  return [
    mutation(upsertWalletDefinition, async ({ body }, _caller, transaction) => ({
      body: await refusing(undefined, () => upsertWallet(transaction, clock, checkedWallet(body))),
    })),
    mutation(upsertWallets, async ({ body }, _caller, transaction) => {
      const changes = body.wallets.map((wallet, at) => checkedAt(wallet, `/wallets/${at}`));
      const wallets = new Map<number, Awaited<ReturnType<typeof upsertWallet>>>();
      // Always in the order of addresses, so that batches with common wallets never deadlock.
      const order = [...changes.keys()].sort((left, right) =>
        (changes[left]?.address ?? '') < (changes[right]?.address ?? '') ? -1 : 1,
      );
      for (const at of order) {
        const change = changes[at];
        if (change !== undefined) wallets.set(at, await upsertWallet(transaction, clock, change));
      }
      const inRequestOrder = [...wallets].sort(([left], [right]) => left - right);
      return { body: { wallets: inRequestOrder.map(([, wallet]) => wallet) } };
    }),
    mutation(createPredictionRound, async ({ body }, _caller, transaction) => ({
      body: await refusing(undefined, () => createRound(transaction, clock, plannedRound(body))),
    })),
    mutation(voidPredictionRound, async ({ params }, _caller, transaction) => ({
      body: await refusing('prediction_round_not_found', () =>
        voidRound(transaction, outbox, clock, params.roundId.toLowerCase()),
      ),
    })),
  ];
}

function checkedAt(wallet: WalletChange, within: string): WalletChange {
  try {
    return checkedWallet(wallet);
  } catch (error) {
    throw refusedProblem(error, undefined, within);
  }
}

export const predictionInternal = { definitions, routes } satisfies Operations;
