import {
  type ErrorCode,
  IntentError,
  isLaunchwireError,
  type LaunchwireError,
  ProblemError,
} from './errors.ts';
import type { Operations, Request } from './methods.ts';
import type { Arguments, Schemas, Upload } from './operations.ts';
import { type OrderFlows, orderFlowsOf } from './order-flows.ts';
import { makeUnderKeys, orderKeys } from './order-keys.ts';
import { pause } from './pause.ts';
import { type SubmitOptions, type TradeStep, transactionsOf } from './prepared-transactions.ts';
import type { CallOptions } from './request.ts';
import type { TransactionSigner } from './signers/signer.ts';
import { uploadOf } from './upload-image.ts';
import type { ChangeFeed } from './waits/change-feed.ts';
import { pauseSlots } from './waits/pause-slots.ts';
import {
  type WaitOptions,
  waitForIntent,
  waitForLanding,
  waitForOperation,
  withLanding,
} from './waits/wait-for.ts';
import { waitForTrade } from './waits/wait-for-trade.ts';
import { waiting } from './waits/waiting.ts';

type Intent = Schemas['TransactionIntent'];

/** Calls that send several requests. */
export interface Flows extends OrderFlows {
  /**
   * Returns the intent once it is `confirmed`, `failed` or `expired`. It has no limit of its own, and outlasts times
   * in which the service cannot be reached: only a refusal such as 401 or 404, or the signal, ends it sooner.
   */
  waitForIntent(intentId: string, options?: WaitOptions): Promise<Intent>;
  /**
   * Returns the intent of a transaction that landed once `landed` says what it did: for a swap, what the wallet paid
   * and received. `landed` stays null when nothing landed, or a fork dropped it. It comes a moment after the confirmation.
   */
  waitForLanding(intentId: string, options?: WaitOptions): Promise<Intent>;
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
   * Signs a prepared intent with the signer and submits it. An intent that a response showed is signed as it is; an id is
   * read first. Returns it as `submitted`: durably queued, not landed. With `waitSeconds` the response comes when the
   * intent has changed, or when the time is over. With an `idempotencyKey` it can be repeated, and returns the
   * response of the submission.
   */
  signAndSubmit(intent: string | Intent, signer: TransactionSigner, options?: SubmitOptions): Promise<Intent>;
  /**
   * Prepares a swap, has it signed, submits it and waits until it has landed: two requests, as the submission waits
   * for the result. `landed` says what was paid and received, the fee, the tip, the price and the difference from the
   * quote. It is null when no node has said it ten seconds after the confirmation, or it cannot be read: the swap has
   * landed all the same. Throws an `IntentError` when it does not confirm: then nothing was swapped. With an
   * `idempotencyKey` the whole call can be repeated.
   */
  swap(
    parameters: Arguments<'createSwap'>,
    signer: TransactionSigner,
    options?: SwapOptions,
  ): Promise<{ swap: Schemas['Swap']; intent: Intent; landed: Intent['landed'] }>;
  /**
   * Uploads a PNG, JPEG, GIF or WebP of at most 5 MiB; its bytes say the type. A launch takes the `imageUrl` of the
   * result. The same file again gives the same result.
   */
  uploadImage(file: Upload['file'], options?: CallOptions): Promise<Schemas['Image']>;
  /**
   * Prepares a launch, has it signed, submits it and waits until it has landed, like `swap`. `getLaunch` shows the launch
   * as `bonding` once the service has seen its pool.
   */
  launch(
    parameters: Arguments<'createLaunch'>,
    signer: TransactionSigner,
    options?: LaunchOptions,
  ): Promise<{ launch: Schemas['PreparedLaunch']; intent: Intent }>;
  /**
   * Gives the pool of a token to another creator, with the fees that the signer has not claimed from the curve: prepares
   * the transaction, has it signed, submits it and waits until it has landed, like `swap`. Only the new creator can give
   * it back.
   */
  transferCreator(
    parameters: Arguments<'createCreatorTransfer'>,
    signer: TransactionSigner,
    options?: CreatorTransferOptions,
  ): Promise<{ transfer: Schemas['CreatorTransfer']; intent: Intent }>;
  /**
   * Prepares the claims of all fees that the wallet can claim, has every transaction signed, submits them and waits for
   * their ends. `intents` are as they ended, in the order of `claims.intents`: one that failed or expired paid nothing,
   * and keeps the others from nothing. A wallet with more to claim than 10 transactions hold calls again.
   */
  claimFees(
    parameters: Arguments<'createFeeClaims'>,
    signer: TransactionSigner,
    options?: ClaimOptions,
  ): Promise<{ claims: Schemas['FeeClaims']; intents: Intent[] }>;
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
  /** Milliseconds between two attempts; five slots of the chain by default, a second on mainnet. */
  pauseMs?: number | undefined;
  /** Called after each step; again for each attempt. */
  onStep?: ((step: SwapStep, record: Schemas['Swap'] | Intent) => void) | undefined;
}

export interface LaunchOptions extends WaitOptions {
  /**
   * Names this launch for 24 hours: the same call under the same key, after a crash or at the same time, continues the
   * first one and never launches twice. Any text of 8 to 128 characters.
   */
  idempotencyKey?: string | undefined;
  /** Called after each step. */
  onStep?: ((step: SwapStep, record: Schemas['PreparedLaunch'] | Intent) => void) | undefined;
}

export interface CreatorTransferOptions extends WaitOptions {
  /** As for a launch: the same call under the same key continues the first one. Any text of 8 to 128 characters. */
  idempotencyKey?: string | undefined;
  /** Called after each step. */
  onStep?: ((step: SwapStep, record: Schemas['CreatorTransfer'] | Intent) => void) | undefined;
}

export interface ClaimOptions extends WaitOptions {
  /**
   * Names these claims for 24 hours: the same call under the same key, after a crash or at the same time, continues the
   * first one. Any text of 8 to 128 characters.
   */
  idempotencyKey?: string | undefined;
  /** Called after each step; for `submitted` and `confirmed` with each intent. */
  onStep?: ((step: SwapStep, record: Schemas['FeeClaims'] | Intent) => void) | undefined;
}

/** `submitted` comes with the response of the submission, which waits for the result. */
export type SwapStep = TradeStep;

/** Failures without a swap that a later attempt may avoid. */
const marketMoved: ReadonlySet<string> = new Set<ErrorCode>([
  'swap_refused',
  'token_not_tradable',
  'solana_transaction_failed',
  'solana_blockhash_expired',
]);
/** A refusal says whether it is permanent. One of an older service does not, and may come from the market. */
function mayChange(error: unknown): error is LaunchwireError {
  if (!isLaunchwireError(error) || !marketMoved.has(error.code)) return false;
  return !(error instanceof ProblemError && error.problem.context?.retry === 'no');
}
const PAUSE_SLOTS = 5;

export function flowsOf(client: Operations, request: Request, feed: ChangeFeed): Flows {
  const transactions = transactionsOf(client, request, feed);
  const { signAndSubmit, tradeOnce, claimOnce } = transactions;
  return {
    ...orderFlowsOf(client, request, transactions),
    waitForIntent: (intentId, options = {}) => waitForIntent(request, feed, intentId, options),
    waitForLanding: (intentId, options = {}) => waitForLanding(request, intentId, options),
    waitForOperation: (operationId, options = {}) => waitForOperation(request, feed, operationId, options),
    waitForTrade: (trade, options = {}) => waitForTrade(request, trade, options),
    signAndSubmit,
    async swap(parameters, signer, { attempts = 1, pauseMs, idempotencyKey, ...options } = {}) {
      const keyOf = await orderKeys('swap', idempotencyKey);
      // Intents of this order that ended without a swap. A refusal stores nothing, so its key stays usable.
      let ended = 0;
      let moved = '';
      for (let attempt = 1; ; ) {
        try {
          const traded = await tradeOnce('createSwap', parameters, signer, {
            ...options,
            idempotencyKey: keyOf(ended),
          });
          if (traded !== undefined) {
            const intent = await withLanding(request, traded.intent, options);
            return { swap: traded.prepared, intent, landed: intent.landed ?? null };
          }
          ended += 1;
          continue;
        } catch (error) {
          if (attempt >= attempts || !mayChange(error)) throw error;
          if (error instanceof IntentError) ended += 1;
          attempt += 1;
          moved = error.code;
        }
        await waiting(`attempt ${attempt} at a swap of ${parameters.mint}`, options.signal, (saw) => {
          saw({ status: moved });
          if (pauseMs === undefined) return pauseSlots(request, PAUSE_SLOTS, options.signal);
          return pause(pauseMs, options.signal);
        });
      }
    },
    uploadImage: async (file, options = {}) => client.createImage(await uploadOf(file), options),
    async launch(parameters, signer, { idempotencyKey, ...options } = {}) {
      const { prepared, intent } = await makeUnderKeys('launch', idempotencyKey, (key) =>
        tradeOnce('createLaunch', parameters, signer, { ...options, idempotencyKey: key }),
      );
      return { launch: prepared, intent };
    },
    async transferCreator(parameters, signer, { idempotencyKey, ...options } = {}) {
      const { prepared, intent } = await makeUnderKeys('creator-transfer', idempotencyKey, (key) =>
        tradeOnce('createCreatorTransfer', parameters, signer, { ...options, idempotencyKey: key }),
      );
      return { transfer: prepared, intent };
    },
    claimFees: (parameters, signer, { idempotencyKey, ...options } = {}) =>
      makeUnderKeys('claim', idempotencyKey, (key) =>
        claimOnce(parameters, signer, { ...options, idempotencyKey: key }),
      ),
  };
}
