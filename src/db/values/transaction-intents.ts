/** Intent status (contract/intents#transitions). */
export const intentStatuses = ['prepared', 'submitted', 'confirmed', 'expired', 'failed'] as const;

/** Result codes (contract/intents#result-codes). */
export const intentErrorCodes = [
  'solana_transaction_failed',
  'transaction_intent_invalid_state',
  'transaction_intent_expired',
  'transaction_intent_broadcast_exhausted',
  'solana_blockhash_expired',
  'solana_signature_mismatch',
] as const;

/** To which addresses a transaction is sent: to all, or to those marked as protected (contract/intents#routes). */
export const sendRoutes = ['fast', 'protected'] as const;

export type SendRoute = (typeof sendRoutes)[number];

/** Levels of the price of priority (contract/trading#priority-levels). */
export const priorityLevels = ['min', 'low', 'medium', 'high', 'veryHigh'] as const;

export type PriorityLevel = (typeof priorityLevels)[number];

/** Constraints of the intent, enforced at preparation and before broadcast (contract/intents#policy). */
export interface IntentPolicy {
  /** Programs that top-level instructions may call; any when the preparation names none. */
  allowedPrograms: string[];
  /** Highest micro-lamports per compute unit, as IntString; null for no bound. */
  maxComputeUnitPrice: string | null;
  requireSimulation: boolean;
  /** Payment to an integrator that the transaction must make; absent where none is due. */
  platformFee?: { account: string; lamports: string };
}

/** The part of a quote by which a landing is judged. Raw amounts and slots are IntStrings. */
export interface IntentQuote {
  side: 'buy' | 'sell';
  mode: 'exact-in' | 'exact-out';
  inputMint: string;
  outputMint: string;
  inputRaw: string;
  outputRaw: string;
  slippageBps: number | null;
  /** Least output under `exact-in`; null otherwise. */
  minimumOutputRaw: string | null;
  /** Most input under `exact-out`; null otherwise. */
  maximumInputRaw: string | null;
  slot: string;
}

/** How far the block of a landed transaction is settled (contract/intents#finality). */
export const landingFinalities = ['confirmed', 'finalized', 'reverted'] as const;

/** What a transaction changed for the wallet that signed it. Amounts are integers as text, with a sign. */
export interface LandingChanges {
  /** Lamports of the wallet, fee and tip included. */
  lamports: string;
  tokens: { mintAddress: string; changeRaw: string }[];
}
