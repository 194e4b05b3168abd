import type { IntentPolicy } from '../../db/values/transaction-intents.ts';
import { Refusal } from '../../shared/refusal.ts';
import type { RouteAndLevel } from '../composed-intent.ts';

/** Allows every transaction that can be read. */
export const openPolicy: IntentPolicy = {
  allowedPrograms: [],
  maxComputeUnitPrice: null,
  requireSimulation: false,
};

/** An unsigned transaction for a wallet to sign (contract/intents#preparation). */
export interface Preparation extends Partial<RouteAndLevel> {
  accountId: string;
  /** The purpose: lowercase letters, digits, underscores. */
  kind: string;
  expectedSigner: string;
  /** Wire bytes; slots of other signers may be filled, the expected signer's must be zero. */
  transaction: Uint8Array;
  policy: IntentPolicy;
  /** Null for the height that the chain reports (contract/intents#expiry-without-height). */
  lastValidBlockHeight: bigint | null;
  /** Null for as long as the chain is expected to take it. */
  expiresInMs: number | null;
}

/** Why a transaction cannot become an intent: it could not be submitted later. */
export class PreparationRefused extends Refusal {
  override readonly name: string = 'PreparationRefused';

  constructor(message: string, field = '/transaction') {
    super('invalid', message, field);
  }
}

/** No node responded to a question of the check: the same preparation may succeed later. */
export class PreparationUnavailable extends PreparationRefused {}
