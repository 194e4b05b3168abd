import { decodeBase58 } from './base58.ts';
import { decodeBase64, encodeBase64 } from './base64.ts';
import { type ErrorCode, IntentError, isLaunchwireError, isProblemOf, ProblemError } from './errors.ts';
import type { Operations, Request } from './methods.ts';
import type { Arguments, Schemas } from './operations.ts';
import { pause } from './pause.ts';
import type { CallOptions } from './request.ts';
import type { TransactionSigner } from './signers/signer.ts';
import { readWireTransaction, withSignature } from './signers/wire-transaction.ts';
import type { ChangeFeed } from './waits/change-feed.ts';
import { type WaitOptions, waitForIntent, waitForOperation } from './waits/wait-for.ts';
import { waitForTrade } from './waits/wait-for-trade.ts';

type Intent = Schemas['TransactionIntent'];

/** Calls that send several requests. */
export interface Flows {
  /**
   * Returns the intent once it is `confirmed`, `failed` or `expired`. It has no limit of its own, and outlasts times
   * in which the service cannot be reached: only a refusal such as 401 or 404, or the signal, ends it sooner.
   */
  waitForIntent(intentId: string, options?: WaitOptions): Promise<Intent>;
  /** Returns the operation once it is `succeeded`, `failed` or `cancelled`, like `waitForIntent`. */
  waitForOperation(operationId: string, options?: WaitOptions): Promise<Schemas['Operation']>;
  /**
   * Returns the first trade of a transaction in the token, once it is known. It has no limit of
   * its own: it never ends for a transaction that did not trade the token.
   */
  waitForTrade(
    trade: { mint: string; transactionSignature: string },
    options?: WaitOptions,
  ): Promise<Schemas['Trade']>;
  /**
   * Signs a prepared intent with the signer and submits it. Returns it as `submitted`: durably queued, not landed. With an
   * `idempotencyKey` it can be repeated, and returns the same result.
   */
  signAndSubmit(intentId: string, signer: TransactionSigner, options?: SubmitOptions): Promise<Intent>;
  /**
   * Prepares a swap, has it signed, submits it and waits until it has landed. Throws an `IntentError` when it does not
   * confirm: then nothing was swapped. With an `idempotencyKey` the whole call can be repeated.
   */
  swap(
    parameters: Arguments<'createSwap'>,
    signer: TransactionSigner,
    options?: SwapOptions,
  ): Promise<{ swap: Schemas['Swap']; intent: Intent }>;
}

export interface SwapOptions extends WaitOptions {
  /**
   * Names this order for 24 hours: the same call under the same key, after a crash or at the same time, continues the
   * first one and never swaps twice. Repeat it with the same parameters. Any text of 8 to 128 characters.
   */
  idempotencyKey?: string | undefined;
  /**
   * How often the swap may be prepared and signed; 1 by default. It is prepared again when the market moved: when it is
   * refused, unless the refusal says that it stays, or ends without having swapped anything. Under a key, attempts of an
   * earlier call count.
   */
  attempts?: number | undefined;
  /** Milliseconds between two attempts; 1,000 by default. */
  pauseMs?: number | undefined;
  /** Called after each step; again for each attempt. */
  onStep?: ((step: SwapStep, record: Schemas['Swap'] | Intent) => void) | undefined;
}

export type SwapStep = 'prepared' | 'submitted' | 'confirmed';

export type SubmitOptions = Pick<CallOptions, 'signal' | 'timeoutMs' | 'maxRetries' | 'idempotencyKey'>;

/** Failures without a swap that a later attempt may avoid. */
const marketMoved: ReadonlySet<string> = new Set<ErrorCode>([
  'swap_refused',
  'token_not_tradable',
  'solana_transaction_failed',
  'solana_blockhash_expired',
]);
/** A refusal says whether it is permanent. One of an older service does not, and may come from the market. */
function mayChange(error: unknown): boolean {
  if (!isLaunchwireError(error) || !marketMoved.has(error.code)) return false;
  return !(error instanceof ProblemError && error.problem.context?.retry === 'no');
}
const PAUSE_MS = 1_000;

export function flowsOf(client: Operations, request: Request, feed: ChangeFeed): Flows {
  async function signAndSubmit(intentId: string, signer: TransactionSigner, options: SubmitOptions = {}) {
    const { idempotencyKey, ...reading } = options;
    const intent = await client.getTransactionIntent({ intentId }, reading);
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

  /** Undefined when an earlier call prepared this swap and it was not submitted in time. */
  async function swapOnce(
    parameters: Arguments<'createSwap'>,
    signer: TransactionSigner,
    { onStep, ...options }: Pick<SwapOptions, 'onStep' | 'signal' | 'maxRetries'>,
    idempotencyKey: string | undefined,
  ) {
    const answer = await request('createSwap', parameters, { ...options, idempotencyKey });
    const swap = answer.body as Schemas['Swap'];
    onStep?.('prepared', swap);
    const isRepeated = idempotencyKey !== undefined && answer.headers.get('Idempotent-Replayed') === 'true';
    const submission = await submitSwap(swap.intentId, signer, { ...options, isRepeated });
    if (submission === undefined) return undefined;
    onStep?.('submitted', submission);
    const intent = await waitForIntent(request, feed, swap.intentId, options);
    if (intent.status !== 'confirmed') throw new IntentError(intent);
    onStep?.('confirmed', intent);
    return { swap, intent };
  }

  /** Every call that continues the swap submits it under one key, so that it is submitted once. */
  async function submitSwap(
    intentId: string,
    signer: TransactionSigner,
    { isRepeated, ...options }: SubmitOptions & { isRepeated: boolean },
  ): Promise<Intent | undefined> {
    if (isRepeated && (await client.getTransactionIntent({ intentId }, options)).status === 'expired')
      return undefined;
    try {
      return await signAndSubmit(intentId, signer, { ...options, idempotencyKey: `submit-${intentId}` });
    } catch (error) {
      if (!isRepeated || !isProblemOf('submitTransactionIntent', error)) throw error;
      if (error.code === 'transaction_intent_expired') return undefined;
      // It was submitted under another key, not by this method: its own end counts.
      if (error.code === 'transaction_intent_not_prepared')
        return client.getTransactionIntent({ intentId }, options);
      throw error;
    }
  }

  return {
    waitForIntent: (intentId, options = {}) => waitForIntent(request, feed, intentId, options),
    waitForOperation: (operationId, options = {}) => waitForOperation(request, feed, operationId, options),
    waitForTrade: (trade, options = {}) => waitForTrade(request, trade, options),
    signAndSubmit,
    async swap(parameters, signer, { attempts = 1, pauseMs = PAUSE_MS, idempotencyKey, ...options } = {}) {
      const keyOf = await orderKeys(idempotencyKey);
      // Intents of this order that ended without a swap. A refusal stores nothing, so its key stays usable.
      let ended = 0;
      for (let attempt = 1; ; ) {
        try {
          const swapped = await swapOnce(parameters, signer, options, keyOf(ended));
          if (swapped !== undefined) return swapped;
          ended += 1;
          continue;
        } catch (error) {
          if (attempt >= attempts || !mayChange(error)) throw error;
          if (error instanceof IntentError) ended += 1;
          attempt += 1;
        }
        await pause(pauseMs, options.signal);
      }
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

/** Characters of an idempotency key. */
export const KEY_MIN = 8;
export const KEY_MAX = 128;

/**
 * The idempotency keys of the intents of an order, in sequence. They are digests, so that none is too long and none
 * belongs to another order.
 */
async function orderKeys(name: string | undefined): Promise<(index: number) => string | undefined> {
  if (name === undefined) return () => undefined;
  if (name.length < KEY_MIN || name.length > KEY_MAX)
    throw new TypeError(`an idempotencyKey has ${KEY_MIN} to ${KEY_MAX} characters`);
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(name)));
  const text = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return (index) => `swap-${text}-${index + 1}`;
}
