import type { Static } from '@sinclair/typebox';
import type { ChainRpc } from '../../chain/rpc.ts';
import type { Transaction } from '../../db/client.ts';
import type { Operations } from '../../http/api-door.ts';
import { refusedProblem } from '../../http/problems/refusals.ts';
import { mutation, type Route, type RouteDefinition } from '../../http/route.ts';
import { type CheckedPreparation, checkPreparation } from '../../intents/prepare/check-preparation.ts';
import { PreparationUnavailable } from '../../intents/prepare/preparation.ts';
import { prepareIntent } from '../../intents/prepare/prepare-intent.ts';
import { RequestedPreparation, requestedPreparation } from '../../intents/prepare/requested-preparation.ts';
import { toIntent } from '../../intents/row.ts';
import { type TransactionIntent, TransactionIntentSchema } from '../../intents/schema.ts';
import type { Outbox } from '../../outbox/append.ts';
import type { Clock } from '../../shared/clock.ts';
import { Problem } from '../../shared/problem.ts';
import { Refusal } from '../../shared/refusal.ts';
import { BATCH_MAX, PreparationBatch, PreparedBatch } from './schema.ts';

/** Checks of a batch that run at the same time: some ask the chain. */
const CONCURRENT_CHECKS = 8;

const examplePreparation = {
  accountId: '0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e',
  kind: 'token_transfer',
  expectedSigner: 'So11111111111111111111111111111111111111112',
  transaction: 'AQAB',
};

const prepareTransactionIntent = {
  id: 'prepareTransactionIntent',
  method: 'POST',
  path: '/transaction-intents',
  tag: 'Operations',
  summary: 'Prepare an unsigned transaction',
  description:
    'Checks everything that would keep the transaction from being submitted later, stores the intent and sends `transaction_intent.prepared` to its account. Every signature but that of the expected signer must be in it already.',
  auth: ['intents'],
  ratePolicy: 'service-key',
  successStatus: 201,
  body: RequestedPreparation,
  exampleBody: examplePreparation,
  response: TransactionIntentSchema,
  problems: ['api_dependency_unavailable'],
} satisfies RouteDefinition;

const prepareTransactionIntents = {
  id: 'prepareTransactionIntents',
  method: 'POST',
  path: '/transaction-intents/batches',
  tag: 'Operations',
  summary: 'Prepare up to 100 transactions',
  description: `At most ${BATCH_MAX}. Results are in the order of the request: the intent, or the problem that kept it from being prepared. What was prepared is stored together with this response, or nothing is. An item that failed with \`api_dependency_unavailable\` may be sent again in another batch, under another \`Idempotency-Key\`.`,
  auth: ['intents'],
  ratePolicy: 'service-key',
  successStatus: 200,
  body: PreparationBatch,
  bulkBody: true,
  exampleBody: { preparations: [examplePreparation] },
  response: PreparedBatch,
  problems: [],
} satisfies RouteDefinition;

const definitions: readonly RouteDefinition[] = [prepareTransactionIntent, prepareTransactionIntents];

interface InternalIntentDependencies {
  rpcs: readonly ChainRpc[];
  outbox: Outbox;
  clock: Clock;
}

function routes(dependencies: InternalIntentDependencies): Route[] {
  return [
    mutation(prepareTransactionIntent, {
      prepare: ({ body }) => check(body, dependencies),
      async handle(_input, _caller, transaction, checked) {
        const prepared = await store(transaction, checked, dependencies);
        if (prepared instanceof Refusal) throw problemOf(prepared);
        return { body: prepared };
      },
    }),
    mutation(prepareTransactionIntents, {
      prepare: ({ body }) => checkAll(body.preparations, dependencies),
      async handle(_input, _caller, transaction, checks) {
        const results: Static<typeof PreparedBatch>['results'] = [];
        for (const checked of checks) {
          const prepared = await store(transaction, checked, dependencies);
          results.push(
            prepared instanceof Refusal
              ? { intent: null, error: errorOf(prepared) }
              : { intent: prepared, error: null },
          );
        }
        return { body: { results } };
      },
    }),
  ];
}

type Checked = CheckedPreparation | Refusal;

/** Runs before the database transaction, because it may ask the chain. A replay ignores its result. */
async function check(
  request: RequestedPreparation,
  { rpcs, clock }: InternalIntentDependencies,
): Promise<Checked> {
  try {
    return await checkPreparation(requestedPreparation(request), rpcs, clock);
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

async function checkAll(
  requests: readonly RequestedPreparation[],
  dependencies: InternalIntentDependencies,
): Promise<Checked[]> {
  const checks: Checked[] = [];
  for (let start = 0; start < requests.length; start += CONCURRENT_CHECKS) {
    const slice = requests.slice(start, start + CONCURRENT_CHECKS);
    checks.push(...(await Promise.all(slice.map((request) => check(request, dependencies)))));
  }
  return checks;
}

/** With an unknown account it stores nothing, and the transaction stays usable. */
async function store(
  transaction: Transaction,
  checked: Checked,
  dependencies: InternalIntentDependencies,
): Promise<TransactionIntent | Refusal> {
  if (checked instanceof Refusal) return checked;
  try {
    return toIntent(await prepareIntent(transaction, checked, dependencies));
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

function problemOf(refusal: Refusal): unknown {
  if (refusal instanceof PreparationUnavailable)
    return new Problem('api_dependency_unavailable', { detail: refusal.message, cause: refusal });
  return refusedProblem(refusal);
}

function errorOf(refusal: Refusal): Static<typeof PreparedBatch>['results'][number]['error'] {
  const code = refusal instanceof PreparationUnavailable ? 'api_dependency_unavailable' : 'validation_failed';
  return { code, detail: refusal.message, field: refusal.field };
}

export const intentInternal = { definitions, routes } satisfies Operations;
