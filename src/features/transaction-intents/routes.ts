import { type Static, Type } from '@sinclair/typebox';
import type { AccountListPosition } from '../../db/account-list.ts';
import type { Database } from '../../db/client.ts';
import { intentStatuses } from '../../db/values/transaction-intents.ts';
import type { Cursors } from '../../http/lists/cursor.ts';
import { PageOf, paginationFields, requestedPage } from '../../http/lists/pages.ts';
import { responseRecord } from '../../http/mutations/idempotency.ts';
import { versionTag } from '../../http/mutations/mutation-headers.ts';
import { storedResponse } from '../../http/responses/responses.ts';
import {
  type Caller,
  mutation,
  privateRead,
  type Reply,
  type Route,
  type RouteDefinition,
  type WaitableReply,
  waitableRead,
} from '../../http/route.ts';
import { findIntent } from '../../intents/find-intent.ts';
import { isSettled, toLanding } from '../../intents/land/landing.ts';
import { type IntentRow, toIntent, toIntentEvent } from '../../intents/row.ts';
import {
  IntentSummarySchema,
  type TransactionIntent,
  TransactionIntentSchema,
} from '../../intents/schema.ts';
import type { FirstBroadcaster } from '../../intents/send/first-broadcaster.ts';
import { isTerminal } from '../../intents/state.ts';
import type { Submission } from '../../intents/submit/judge-submission.ts';
import {
  type AcceptedSubmission,
  acceptKnown,
  type SubmissionDependencies,
  sendAccepted,
  storeAndSend,
  submitIntent,
} from '../../intents/submit/submit-intent.ts';
import { API_PREFIX } from '../../shared/api-prefix.ts';
import { publishedLimits, unpublishedLimits } from '../../shared/contract-limits.ts';
import { described, OneOf } from '../../shared/field-schemas.ts';
import { Problem } from '../../shared/problem.ts';
import { listIntents } from './list-intents.ts';
import { IntentKindFilter, IntentPath, SubmissionBody } from './schema.ts';

/** Polling hint for submitted intents (contract/intents#intent). */
const POLL_AFTER_SECONDS = String(publishedLimits.pollingRetryAfterSeconds);

const getTransactionIntent = {
  id: 'getTransactionIntent',
  method: 'GET',
  path: '/transaction-intents/:intentId',
  tag: 'Operations',
  summary: 'A transaction intent of the account',
  description:
    'Sign exactly the bytes of `serializedTransaction` with `expectedSigner`, and send `version` back in `If-Match`. While the status is `submitted`, wait `Retry-After` seconds between requests, or let `Prefer: wait=25` hold the response until `version` changes: from the version in `If-None-Match`, or else from the version at the arrival of the request.',
  auth: ['operations:read'],
  ratePolicy: 'operation-read',
  successStatus: 200,
  params: IntentPath,
  response: TransactionIntentSchema,
  waitable: true,
  responseHeaders: ['ETag', 'Retry-After', 'Preference-Applied'],
  problems: ['transaction_intent_not_found'],
} satisfies RouteDefinition;

const listTransactionIntents = {
  id: 'listTransactionIntents',
  method: 'GET',
  path: '/transaction-intents',
  refusesUnknownQuery: true,
  tag: 'Operations',
  summary: 'Transaction intents, newest first',
  description:
    'Without `serializedTransaction`, which `getTransactionIntent` shows. `status=prepared` lists the intents that wait for a signature.',
  auth: ['operations:read'],
  ratePolicy: 'operation-read',
  successStatus: 200,
  query: Type.Object({
    ...paginationFields,
    status: described('Only items with this status.', Type.Optional(OneOf(intentStatuses))),
    kind: IntentKindFilter,
  }),
  response: PageOf(IntentSummarySchema),
  problems: ['cursor_invalid'],
} satisfies RouteDefinition;

const submitTransactionIntent = {
  id: 'submitTransactionIntent',
  method: 'POST',
  path: '/transaction-intents/:intentId/submissions',
  tag: 'Operations',
  summary: 'Submit a signed transaction',
  description:
    'A 202 means that the signed transaction is stored and will be broadcast until it lands or its blockhash expires; it does not mean that it landed. With `Prefer: wait=25` the response is sent when the intent has ended, or when the time is over, and shows the intent at that moment. For a `confirmed` intent it waits up to a second longer for `landed`, which says what was paid and received. A trade then takes two requests. If the connection breaks, send the same request with the same `Idempotency-Key`, then poll the intent until `confirmed`, `failed` or `expired`. After an expired intent prepare a new one: a signature cannot be reused.',
  auth: ['transactions:write'],
  ratePolicy: 'transaction-submit',
  successStatus: 202,
  waitable: true,
  versioned: true,
  params: IntentPath,
  body: SubmissionBody,
  exampleBody: { signedTransaction: 'AQAB…', version: 1 },
  response: TransactionIntentSchema,
  responseHeaders: ['Location', 'ETag', 'Retry-After', 'Preference-Applied'],
  dependsOnKey: 'wallet',
  problems: [
    'transaction_intent_not_found',
    'transaction_intent_not_prepared',
    'transaction_intent_expired',
    'transaction_intent_version_conflict',
    'transaction_intent_tampered',
    'transaction_intent_wrong_signer',
    'transaction_intent_invalid_signature',
  ],
} satisfies RouteDefinition;

export const transactionIntentDefinitions: readonly RouteDefinition[] = [
  getTransactionIntent,
  submitTransactionIntent,
];

/** Operations added after the first 36 (contract/endpoints#added). */
export const addedIntentDefinitions: readonly RouteDefinition[] = [listTransactionIntents];

export interface IntentRouteDependencies extends SubmissionDependencies {
  database: Database;
  cursors: Cursors;
  firstBroadcaster: FirstBroadcaster;
}

export function transactionIntentRoutes(dependencies: IntentRouteDependencies): Route[] {
  const { lookUps, intentFacts } = dependencies;

  async function currentIntent(
    intentId: string,
    accountId: string,
  ): Promise<WaitableReply<TransactionIntent>> {
    const intent = await findIntent(lookUps, intentId, accountId);
    if (intent === null) throw new Problem('transaction_intent_not_found');
    intentFacts.note(intent);
    const landing = toLanding(intent);
    const body = toIntent(intent, toIntentEvent(intent, landing));
    const headers = intentHeaders(intent);
    const state = String(intent.version);
    if (!isTerminal(intent.status)) return { body, headers, state };
    // What became of a transaction that landed still changes; only who names its version waits for that.
    return landing === null || isSettled(landing)
      ? { body, headers, state: null }
      : { body, headers, state, waitsFromTagAlone: true };
  }

  return [
    waitableRead(
      getTransactionIntent,
      ({ params }) => params.intentId.toLowerCase(),
      ({ params }, { accountId }) => currentIntent(params.intentId, accountId),
    ),
    mutation(submitTransactionIntent, {
      async fastPath(input, caller, attempt) {
        const accepted = await acceptKnown(submissionOf(input, caller), dependencies);
        if (accepted === null) return null;
        const record = responseRecord(
          attempt,
          storedResponse(submitTransactionIntent, acceptedReply(accepted)),
        );
        return (await storeAndSend(accepted, record, dependencies)) ? record : null;
      },
      async handle(input, caller, transaction) {
        const accepted = await submitIntent(transaction, submissionOf(input, caller), dependencies);
        return { ...acceptedReply(accepted), afterCommit: () => sendAccepted(accepted, dependencies) };
      },
      wait({ params: { intentId } }, { principal: { accountId } }) {
        const recordId = intentId.toLowerCase();
        return {
          recordId,
          async read() {
            const reply = await currentIntent(recordId, accountId);
            const headers = { ...reply.headers, Location: locationOf(recordId) };
            return {
              ...reply,
              headers,
              ...(awaitsFacts(reply.body) && { moreWithinMs: unpublishedLimits.landingWaitMs }),
            };
          },
        };
      },
    }),
  ];
}

export function addedIntentRoutes({ database, cursors }: IntentRouteDependencies): Route[] {
  return [
    privateRead(listTransactionIntents, async ({ query }, { accountId }) => {
      const { status, kind } = query;
      const binding = [listTransactionIntents.id, accountId, status ?? null, kind ?? null];
      const page = requestedPage<AccountListPosition>(cursors, query, binding, 1);
      const { limit, after } = page;
      return { body: page.toBody(await listIntents(database, accountId, { status, kind, limit, after })) };
    }),
  ];
}

/** True between the confirmation and the facts of the landing, which the follower of landings stores. */
function awaitsFacts({ status, finality, landed }: TransactionIntent): boolean {
  return status === 'confirmed' && finality === 'confirmed' && landed === null;
}

function submissionOf(
  { params, body }: { params: Static<typeof IntentPath>; body: Static<typeof SubmissionBody> },
  { principal, expectedVersion }: Caller<'wallet'>,
): Submission {
  return {
    intentId: params.intentId,
    accountId: principal.accountId,
    pinnedWallet: principal.walletAddress,
    expectedVersion,
    bodyVersion: body.version,
    signedTransaction: body.signedTransaction,
  };
}

function acceptedReply({ submitted, shown }: AcceptedSubmission): Reply<TransactionIntent> {
  const headers = { ...intentHeaders(submitted), Location: locationOf(submitted.id) };
  return { body: toIntent(submitted, shown), headers };
}

function locationOf(intentId: string): string {
  return `${API_PREFIX}/transaction-intents/${intentId}`;
}

function intentHeaders({ status, version }: IntentRow): Record<string, string> {
  const headers: Record<string, string> = { ETag: versionTag(version) };
  if (status === 'submitted') headers['Retry-After'] = POLL_AFTER_SECONDS;
  return headers;
}
