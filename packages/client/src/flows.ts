import { decodeBase64, encodeBase64 } from './base64.ts';
import { type ErrorCode, IntentError, isLaunchwireError } from './errors.ts';
import type { Operations, Request } from './methods.ts';
import type { Arguments, Schemas } from './operations.ts';
import { pause } from './pause.ts';
import type { CallOptions } from './request.ts';
import type { TransactionSigner } from './signers/signer.ts';
import type { ChangeFeed } from './waits/change-feed.ts';
import { type WaitOptions, waitForIntent, waitForOperation } from './waits/wait-for.ts';
import { waitForTrade } from './waits/wait-for-trade.ts';

type Intent = Schemas['TransactionIntent'];

/** What takes several requests. */
export interface Flows {
  /** Returns the intent once it is `confirmed`, `failed` or `expired`, whichever; it has no limit of its own. */
  waitForIntent(intentId: string, options?: WaitOptions): Promise<Intent>;
  /** Returns the operation once it is `succeeded`, `failed` or `cancelled`, whichever; it has no limit of its own. */
  waitForOperation(operationId: string, options?: WaitOptions): Promise<Schemas['Operation']>;
  /**
   * Returns the first trade of a transaction, once it is among the newest 50 of its token. It has no limit of its own: a
   * transaction that did not trade the token is waited for in vain.
   */
  waitForTrade(
    trade: { mint: string; transactionSignature: string },
    options?: WaitOptions,
  ): Promise<Schemas['Trade']>;
  /** Has a prepared intent signed and submits it. Returns it as `submitted`: durably queued, not landed. */
  signAndSubmit(intentId: string, signer: TransactionSigner, options?: SubmitOptions): Promise<Intent>;
  /**
   * Prepares a swap, has it signed, submits it and waits until it has landed. Throws an `IntentError` when it does not
   * confirm: then nothing was swapped.
   */
  swap(
    parameters: Arguments<'createSwap'>,
    signer: TransactionSigner,
    options?: SwapOptions,
  ): Promise<{ swap: Schemas['Swap']; intent: Intent }>;
}

export interface SwapOptions extends WaitOptions {
  /**
   * How often the swap may be prepared and signed; 1 unless told. It is prepared again, after a second, when the market
   * moved: when it is refused or ends without having swapped anything.
   */
  attempts?: number | undefined;
  /** Called after each step; again for each attempt. */
  onStep?: ((step: SwapStep, record: Schemas['Swap'] | Intent) => void) | undefined;
}

export type SwapStep = 'prepared' | 'submitted' | 'confirmed';

export type SubmitOptions = Pick<CallOptions, 'signal' | 'timeoutMs' | 'maxRetries' | 'idempotencyKey'>;

/** What a later attempt may change; nothing was swapped. */
const marketMoved: ReadonlySet<string> = new Set<ErrorCode>([
  'swap_refused',
  'token_not_tradable',
  'solana_transaction_failed',
  'solana_blockhash_expired',
]);
const AGAIN_AFTER_MS = 1_000;

export function flowsOf(client: Operations, request: Request, feed: ChangeFeed): Flows {
  async function signAndSubmit(intentId: string, signer: TransactionSigner, options: SubmitOptions = {}) {
    const { idempotencyKey: _key, ...reading } = options;
    const intent = await client.getTransactionIntent({ intentId }, reading);
    if (intent.expectedSigner !== signer.address) {
      throw new TypeError(
        `intent ${intentId} is for ${intent.expectedSigner}, and the signer is ${signer.address}`,
      );
    }
    const bytes = decodeBase64(intent.serializedTransaction);
    const signed = await signer.signTransaction(bytes, { signal: options.signal });
    const { version } = intent;
    const signedTransaction = encodeBase64(signed);
    return client.submitTransactionIntent({ intentId, signedTransaction }, { ...options, ifMatch: version });
  }
  async function swapOnce(
    parameters: Arguments<'createSwap'>,
    signer: TransactionSigner,
    { onStep, ...options }: Omit<SwapOptions, 'attempts'>,
  ) {
    const swap = await client.createSwap(parameters, options);
    onStep?.('prepared', swap);
    // Not within the call: its arguments are not evaluated where there is no onStep.
    const submitted = await signAndSubmit(swap.intentId, signer, options);
    onStep?.('submitted', submitted);
    const intent = await waitForIntent(request, feed, swap.intentId, options);
    if (intent.status !== 'confirmed') throw new IntentError(intent);
    onStep?.('confirmed', intent);
    return { swap, intent };
  }
  return {
    waitForIntent: (intentId, options = {}) => waitForIntent(request, feed, intentId, options),
    waitForOperation: (operationId, options = {}) => waitForOperation(request, feed, operationId, options),
    waitForTrade: (trade, options = {}) => waitForTrade(request, trade, options),
    signAndSubmit,
    async swap(parameters, signer, { attempts = 1, ...options } = {}) {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await swapOnce(parameters, signer, options);
        } catch (error) {
          const mayRepeat = isLaunchwireError(error) && marketMoved.has(error.code);
          if (attempt >= attempts || !mayRepeat) throw error;
        }
        await pause(AGAIN_AFTER_MS, options.signal);
      }
    },
  };
}
