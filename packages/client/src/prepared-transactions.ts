import { decodeBase58 } from './base58.ts';
import { decodeBase64, encodeBase64 } from './base64.ts';
import { IntentError, isProblemOf } from './errors.ts';
import type { Operations, Request } from './methods.ts';
import type { Arguments, Schemas } from './operations.ts';
import { isReplayed } from './order-keys.ts';
import type { CallOptions } from './request.ts';
import type { TransactionSigner } from './signers/signer.ts';
import { readWireTransaction, withSignature } from './signers/wire-transaction.ts';
import { type ChangeFeed, hasEnded } from './waits/change-feed.ts';
import { ATTEMPT_TIMEOUT_MS, HELD_SECONDS, waitForIntent } from './waits/wait-for.ts';
import { waiting } from './waits/waiting.ts';

type Intent = Schemas['TransactionIntent'];

/** The operations that prepare a transaction, with their responses. */
interface PreparedBy {
  createSwap: Schemas['Swap'];
  createLaunch: Schemas['PreparedLaunch'];
  createCreatorTransfer: Schemas['CreatorTransfer'];
  createOrderSlot: Schemas['PreparedOrderSlot'];
  closeOrderSlot: Schemas['OrderSlotClosure'];
  cancelOrder: Schemas['CancelledOrder'];
}

/** A transaction to sign: its intent, or where the response has none, its id. */
interface Signable {
  intentId: string;
  intent?: Intent | undefined;
}

export type SubmitOptions = Pick<
  CallOptions,
  'signal' | 'timeoutMs' | 'maxRetries' | 'idempotencyKey' | 'waitSeconds'
>;

interface TradeOptions<Prepared> extends Pick<CallOptions, 'signal' | 'maxRetries'> {
  idempotencyKey: string | undefined;
  onStep?: ((step: TradeStep, record: Prepared | Intent) => void) | undefined;
}

interface LandOptions extends Pick<CallOptions, 'signal' | 'maxRetries'> {
  isRepeated: boolean;
  onStep?: ((step: TradeStep, record: Intent) => void) | undefined;
}

export type TradeStep = 'prepared' | 'submitted' | 'confirmed';

/** What takes a prepared transaction to its end. */
export function transactionsOf(client: Operations, request: Request, feed: ChangeFeed) {
  async function signAndSubmit(
    prepared: Intent | string,
    signer: TransactionSigner,
    options: SubmitOptions = {},
  ): Promise<Intent> {
    const { idempotencyKey, waitSeconds, ...reading } = options;
    const intent =
      typeof prepared === 'string'
        ? await client.getTransactionIntent({ intentId: prepared }, reading)
        : prepared;
    const intentId = intent.id;
    if (intent.expectedSigner !== signer.address) {
      throw new TypeError(
        `intent ${intentId} is for ${intent.expectedSigner}, and the signer is ${signer.address}`,
      );
    }
    const isRepeated = idempotencyKey !== undefined && wasSubmitted(intent);
    const signed = (isRepeated && signedBefore(intent)) || (await sign(intent, signer, options));
    const submission = { intentId, signedTransaction: encodeBase64(signed) };
    try {
      // A repeated call names the version of its first attempt, which has to be found.
      const version = isRepeated ? {} : { ifMatch: intent.version };
      return await client.submitTransactionIntent(submission, { ...options, ...version });
    } catch (error) {
      const isOther =
        isProblemOf('submitTransactionIntent', error) && error.code === 'idempotency_key_reused';
      if (!isOther) throw error;
      // This wallet's signatures differ from call to call: the same message was submitted under another signature.
      const current = await client.getTransactionIntent({ intentId }, reading);
      if (!wasSubmitted(current)) throw error;
      return current;
    }
  }

  /**
   * Every call that continues the trade submits it under one key, so that it is submitted once. Undefined when its time
   * was over before.
   */
  function submitOnce(
    signable: Signable,
    signer: TransactionSigner,
    options: SubmitOptions & { isRepeated: boolean },
  ): Promise<Intent | undefined> {
    return waiting(`intent ${signable.intentId}`, options.signal, (saw) => {
      // The submission waits for the end, and shows no state before.
      saw({ status: 'submission sent' });
      return submitUnlessOver(signable, signer, options);
    });
  }

  async function submitUnlessOver(
    { intentId, intent }: Signable,
    signer: TransactionSigner,
    { isRepeated, ...options }: SubmitOptions & { isRepeated: boolean },
  ): Promise<Intent | undefined> {
    const { waitSeconds, timeoutMs, ...reading } = options;
    // A replayed response shows the intent as it was prepared, not as it is.
    const current = isRepeated ? await client.getTransactionIntent({ intentId }, reading) : intent;
    if (current?.status === 'expired') return undefined;
    try {
      const idempotencyKey = `submit-${intentId}`;
      return await signAndSubmit(current ?? intentId, signer, { ...options, idempotencyKey });
    } catch (error) {
      if (!isProblemOf('submitTransactionIntent', error)) throw error;
      if (error.code === 'transaction_intent_expired') {
        // Only the record says that nothing landed: the service may have lost an earlier submission, and look for it.
        const ended = await waitForIntent(request, feed, intentId, reading);
        if (ended.status !== 'expired') return ended;
        if (isRepeated) return undefined;
      }
      if (!isRepeated) throw error;
      // It was submitted under another key, not by this method: its own end counts.
      if (error.code === 'transaction_intent_not_prepared')
        return client.getTransactionIntent({ intentId }, reading);
      throw error;
    }
  }

  /** Prepares a transaction, or gets the response of an earlier call under the key. */
  async function prepareOnce<Operation extends keyof PreparedBy>(
    operation: Operation,
    parameters: Arguments<Operation>,
    { onStep, idempotencyKey, ...options }: TradeOptions<PreparedBy[Operation]>,
  ): Promise<{ prepared: PreparedBy[Operation]; isRepeated: boolean }> {
    const answer = await request(operation, parameters, { ...options, idempotencyKey });
    const prepared = answer.body as PreparedBy[Operation];
    onStep?.('prepared', prepared);
    return { prepared, isRepeated: isReplayed(answer, idempotencyKey) };
  }

  /**
   * Has a prepared transaction signed, and submits it with a request that waits for its end. Throws an `IntentError`
   * unless it confirms. Undefined when an earlier call prepared it and it was not submitted in time.
   */
  async function landOnce(
    signable: Signable,
    signer: TransactionSigner,
    { onStep, isRepeated, ...options }: LandOptions,
  ): Promise<Intent | undefined> {
    const held = { waitSeconds: HELD_SECONDS, timeoutMs: ATTEMPT_TIMEOUT_MS };
    const submitted = await submitOnce(signable, signer, { ...options, ...held, isRepeated });
    if (submitted === undefined) return undefined;
    onStep?.('submitted', submitted);
    const intent = hasEnded(submitted)
      ? submitted
      : await waitForIntent(request, feed, signable.intentId, options);
    if (intent.status !== 'confirmed') throw new IntentError(intent);
    onStep?.('confirmed', intent);
    return intent;
  }

  /** Prepares a transaction and lands it: two requests where that takes no longer than one waits. */
  async function tradeOnce<Operation extends keyof PreparedBy>(
    operation: Operation,
    parameters: Arguments<Operation>,
    signer: TransactionSigner,
    options: TradeOptions<PreparedBy[Operation]>,
  ): Promise<{ prepared: PreparedBy[Operation]; intent: Intent } | undefined> {
    const { prepared, isRepeated } = await prepareOnce(operation, parameters, options);
    const { idempotencyKey, ...landing } = options;
    const intent = await landOnce(signableOf(prepared), signer, { ...landing, isRepeated });
    return intent && { prepared, intent };
  }

  /**
   * Prepares claims, has every transaction signed, one after the other, submits them at once and waits for their ends.
   * Undefined when an earlier call prepared them and none was submitted in time.
   */
  async function claimOnce(
    parameters: Arguments<'createFeeClaims'>,
    signer: TransactionSigner,
    { onStep, idempotencyKey, ...options }: TradeOptions<Schemas['FeeClaims']>,
  ): Promise<{ claims: Schemas['FeeClaims']; intents: Intent[] } | undefined> {
    const answer = await request('createFeeClaims', parameters, { ...options, idempotencyKey });
    const claims = answer.body as Schemas['FeeClaims'];
    onStep?.('prepared', claims);
    const isRepeated = isReplayed(answer, idempotencyKey);
    const held = { waitSeconds: HELD_SECONDS, timeoutMs: ATTEMPT_TIMEOUT_MS };
    const inTurn = oneAtATime(signer);
    const submitted = await Promise.all(
      claims.intents.map(async ({ intent }) => {
        const prepared = { intentId: intent.id, intent };
        const sent = await submitOnce(prepared, inTurn, { ...options, ...held, isRepeated });
        if (sent !== undefined) onStep?.('submitted', sent);
        return sent;
      }),
    );
    if (submitted.every((intent) => intent === undefined)) return undefined;
    const intents = await Promise.all(
      claims.intents.map(async ({ intent: { id } }, at) => {
        const sent = submitted[at];
        const ended =
          sent !== undefined && hasEnded(sent) ? sent : await waitForIntent(request, feed, id, options);
        if (ended.status === 'confirmed') onStep?.('confirmed', ended);
        return ended;
      }),
    );
    return { claims, intents };
  }

  return { signAndSubmit, prepareOnce, landOnce, tradeOnce, claimOnce };
}

function signableOf(prepared: PreparedBy[keyof PreparedBy]): Signable {
  const intent = prepared.intent ?? undefined;
  const intentId = intent?.id ?? ('intentId' in prepared ? prepared.intentId : null);
  if (intentId === null) throw new TypeError('there is nothing to sign');
  return { intentId, intent };
}

/** A wallet asks its user for one transaction at a time. */
function oneAtATime(signer: TransactionSigner): TransactionSigner {
  let last: Promise<unknown> = Promise.resolve();
  return {
    address: signer.address,
    signTransaction(bytes, options) {
      const next = last.then(() => signer.signTransaction(bytes, options));
      last = next.catch(() => {});
      return next;
    },
  };
}

function wasSubmitted({ status }: Intent): boolean {
  return status === 'submitted' || status === 'confirmed' || status === 'failed';
}

function sign(intent: Intent, signer: TransactionSigner, { signal }: SubmitOptions): Promise<Uint8Array> {
  return signer.signTransaction(decodeBase64(intent.serializedTransaction), { signal });
}

/** The submitted bytes, if the intent shows the signature of the wallet, which pays the fee. */
function signedBefore(intent: Intent): Uint8Array | undefined {
  const { expectedSigner, serializedTransaction, transactionSignature } = intent;
  const bytes = decodeBase64(serializedTransaction);
  if (typeof transactionSignature !== 'string' || readWireTransaction(bytes).signers[0] !== expectedSigner)
    return undefined;
  return withSignature(bytes, expectedSigner, decodeBase58(transactionSignature));
}
