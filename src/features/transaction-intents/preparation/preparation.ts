import type { IntentPolicy } from '../../../db/schema/transaction-intents.ts';
import { Refusal } from '../../../shared/refusal.ts';

/** Nothing is restricted but the bytes themselves. */
export const openPolicy: IntentPolicy = {
  allowedPrograms: [],
  maxComputeUnitPrice: null,
  requireSimulation: false,
};

/** An unsigned transaction that is to wait for a wallet (contract/intents#preparation). */
export interface Preparation {
  accountId: string;
  /** The purpose: lowercase letters, digits, underscores. */
  kind: string;
  expectedSigner: string;
  /** Wire bytes; slots of other signers may be filled, the expected signer's must be zero. */
  transaction: Uint8Array;
  policy: IntentPolicy;
  /** Null: taken from the chain (contract/intents#expiry-without-height). */
  lastValidBlockHeight: bigint | null;
  expiresInMs: number;
}

/** Why a transaction cannot become an intent: it could not be submitted later. */
export class PreparationRefused extends Refusal {
  override readonly name: string = 'PreparationRefused';

  constructor(message: string, field = '/transaction') {
    super('invalid', message, field);
  }
}

/** No node responded to what the check had to ask: the same preparation may succeed later. */
export class PreparationUnavailable extends PreparationRefused {}
