import { type Static, Type } from '@sinclair/typebox';
import {
  intentErrorCodes,
  intentStatuses,
  landingFinalities,
  priorityLevels,
  sendRoutes,
} from '../db/values/transaction-intents.ts';
import {
  AddressField,
  CompletedAtField,
  DecimalStringField,
  DetailField,
  described,
  IdField,
  IntStringField,
  Named,
  Nullable,
  OneOf,
  SentSignatureField,
  TimestampField,
  UuidField,
  VersionField,
} from '../shared/field-schemas.ts';
import { prices } from '../shared/prices.ts';

const SignedAmountField = Type.String({ pattern: '^(0|-?[1-9][0-9]*)$', examples: ['-1000000'] });

const IntentQuoteSchema = Type.Object({
  side: described('Whether the token is bought or sold.', OneOf(['buy', 'sell'])),
  mode: described('Which side of the swap was fixed.', OneOf(['exact-in', 'exact-out'])),
  inputMint: described('Mint of what the wallet pays with.', AddressField),
  outputMint: described('Mint of what the wallet gets.', AddressField),
  inputRaw: described('Quoted input, raw units.', IntStringField),
  outputRaw: described('Quoted output, raw units.', IntStringField),
  slippageBps: described(
    'How much worse than quoted it may become, in basis points; null with `limitRaw`.',
    Nullable(Type.Integer({ minimum: 0, maximum: 10_000 })),
  ),
  minimumOutputRaw: described(
    'Least output under `exact-in`, raw units; null otherwise.',
    Nullable(IntStringField),
  ),
  maximumInputRaw: described(
    'Most input under `exact-out`, raw units; null otherwise.',
    Nullable(IntStringField),
  ),
  slot: described('Slot of the accounts that were quoted.', IntStringField),
});

/** contract/intents#landed */
export const LandedSchema = Type.Object({
  slot: described('Slot of the block.', IntStringField),
  blockTime: described('Time of the block; null when the node has none.', Nullable(TimestampField)),
  indexInBlock: described(
    'Place among the transactions of the block, from 0; null when the node does not report it.',
    Nullable(Type.Integer({ minimum: 0 })),
  ),
  succeeded: described('Whether the chain executed it without an error.', Type.Boolean()),
  feeLamports: described('Fee of the transaction, priority included.', IntStringField),
  computeUnits: described(
    'Compute units used; null when the node does not report them.',
    Nullable(IntStringField),
  ),
  tipLamports: described(
    'What it paid a landing service besides the fee; null when no swap or launch made the transaction.',
    Nullable(IntStringField),
  ),
  changes: described(
    'What changed for the wallet that signed.',
    Type.Object({
      lamports: described('Change of its lamports, fee and tip included.', SignedAmountField),
      tokens: described(
        'Its token balances that changed.',
        Type.Array(
          Type.Object({
            mintAddress: described('Mint of the token.', AddressField),
            changeRaw: described('Change of the balance, raw units.', SignedAmountField),
          }),
        ),
      ),
    }),
  ),
  inputRaw: described(
    'What the wallet paid in a swap, without fee, tip and rent, raw units; null for anything else, or when it failed.',
    Nullable(IntStringField),
  ),
  outputRaw: described(
    'What the wallet received, raw units; null for anything else, or when it failed.',
    Nullable(IntStringField),
  ),
  priceInSol: described(prices.landing.meaning, Nullable(DecimalStringField)),
  quoteDifferenceBps: described(
    'How much better (positive) or worse than quoted, in basis points of the quoted amount; null without a swap.',
    Nullable(Type.Integer()),
  ),
});
export type Landed = Static<typeof LandedSchema>;

const identifyingFields = {
  id: IdField,
  kind: described('Purpose of the transaction.', Type.String()),
  status: described('State of the record.', OneOf(intentStatuses)),
  expectedSigner: described('The wallet that must sign.', AddressField),
};

const furtherFields = {
  recentBlockhash: described('Blockhash of the transaction.', Nullable(Type.String())),
  lastValidBlockHeight: described(
    'Block height above which the transaction cannot land, at the latest; null where none is known, as with a durable nonce.',
    Nullable(IntStringField),
  ),
  policy: described(
    'What the transaction may do.',
    Type.Object({
      allowedPrograms: described(
        'Programs that the transaction may call; empty for any.',
        Type.Array(AddressField),
      ),
      maxComputeUnitPrice: described(
        'Most micro-lamports per compute unit; null for no bound.',
        Nullable(IntStringField),
      ),
      requireSimulation: described('Whether a simulation must succeed first.', Type.Boolean()),
      platformFee: Type.Optional(
        described(
          'The payment to an integrator that the transaction must make; absent where none is due.',
          Type.Object({
            account: described('Gets it.', AddressField),
            lamports: described('What it gets.', IntStringField),
          }),
        ),
      ),
    }),
  ),
  route: described(
    'To which addresses it is sent: `fast` to all, `protected` only to those that show it to nobody before it lands.',
    OneOf(sendRoutes),
  ),
  priorityLevel: described(
    'Level that set the price of its priority; null where none did.',
    Nullable(OneOf(priorityLevels)),
  ),
  transactionSignature: SentSignatureField,
  mintAddress: described(
    'Token that the transaction trades or creates; null where no swap or launch made it.',
    Nullable(AddressField),
  ),
  launchId: described('The launch that it belongs to; null without one.', Nullable(UuidField)),
  quote: described('The quote that a swap was made of; null for anything else.', Nullable(IntentQuoteSchema)),
  landed: described(
    'What the transaction did in its block; null until that is known, and after a fork has dropped the block.',
    Nullable(LandedSchema),
  ),
  finality: described(
    'How far the block is settled: `confirmed`, `finalized`, or `reverted` when a fork dropped it; null while nothing has landed.',
    Nullable(OneOf(landingFinalities)),
  ),
  error: described(
    'Why it failed; null unless it did.',
    Nullable(
      Type.Object({
        code: described('Stable identifier; branch on it.', OneOf(intentErrorCodes)),
        detail: DetailField,
      }),
    ),
  ),
  version: VersionField,
  expiresAt: described('When it stops being valid.', TimestampField),
  createdAt: described('When the record was created.', Nullable(TimestampField)),
  submittedAt: described('When it was submitted; null before.', Nullable(TimestampField)),
  completedAt: CompletedAtField,
};

/** An intent in lists: without its bytes (contract/intents#list). */
export const IntentSummarySchema = Named('TransactionIntentSummary', {
  ...identifyingFields,
  ...furtherFields,
});
export type TransactionIntentEvent = Static<typeof IntentSummarySchema>;

/** contract/intents#intent */
export const TransactionIntentSchema = described(
  'A transaction that was prepared for a wallet to sign, and what became of it.',
  Named('TransactionIntent', {
    ...identifyingFields,
    serializedTransaction: described('The transaction to sign, byte for byte, in base64.', Type.String()),
    ...furtherFields,
  }),
);
export type TransactionIntent = Static<typeof TransactionIntentSchema>;
