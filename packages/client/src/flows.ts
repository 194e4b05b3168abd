import { decodeBase64, encodeBase64 } from './base64.ts';
import { IntentError } from './errors.ts';
import type { Operations, Request } from './methods.ts';
import type { Arguments, Schemas } from './operations.ts';
import type { CallOptions } from './request.ts';
import type { TransactionSigner } from './signers/signer.ts';
import { type WaitOptions, waitForIntent, waitForOperation } from './wait-for.ts';

type Intent = Schemas['TransactionIntent'];

/** What takes several requests. */
export interface Flows {
  /** Returns the intent once it is `confirmed`, `failed` or `expired`, whichever; it has no limit of its own. */
  waitForIntent(intentId: string, options?: WaitOptions): Promise<Intent>;
  /** Returns the operation once it is `succeeded`, `failed` or `cancelled`, whichever; it has no limit of its own. */
  waitForOperation(operationId: string, options?: WaitOptions): Promise<Schemas['Operation']>;
  /** Has a prepared intent signed and submits it. Returns it as `submitted`: durably queued, not landed. */
  signAndSubmit(intentId: string, signer: TransactionSigner, options?: SubmitOptions): Promise<Intent>;
  /**
   * Prepares a swap, has it signed, submits it and waits until it has landed. Throws an `IntentError` when it does not
   * confirm: then nothing was swapped.
   */
  swap(
    parameters: Arguments<'createSwap'>,
    signer: TransactionSigner,
    options?: WaitOptions & { onStep?: (step: SwapStep, intent: Schemas['Swap'] | Intent) => void },
  ): Promise<{ swap: Schemas['Swap']; intent: Intent }>;
}

export type SwapStep = 'prepared' | 'submitted' | 'confirmed';

export type SubmitOptions = Pick<CallOptions, 'signal' | 'timeoutMs' | 'maxRetries' | 'idempotencyKey'>;

export function flowsOf(client: Operations, request: Request): Flows {
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
  return {
    waitForIntent: (intentId, options = {}) => waitForIntent(request, intentId, options),
    waitForOperation: (operationId, options = {}) => waitForOperation(request, operationId, options),
    signAndSubmit,
    async swap(parameters, signer, { onStep, ...options } = {}) {
      const swap = await client.createSwap(parameters, options);
      onStep?.('prepared', swap);
      onStep?.('submitted', await signAndSubmit(swap.intentId, signer, options));
      const intent = await waitForIntent(request, swap.intentId, options);
      if (intent.status !== 'confirmed') throw new IntentError(intent);
      onStep?.('confirmed', intent);
      return { swap, intent };
    },
  };
}
