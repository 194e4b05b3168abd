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
  inputMint: described('Mint of the token that the wallet pays with.', AddressField),
  outputMint: described('Mint of the token that the wallet gets.', AddressField),
  inputRaw: described('Quoted input, in raw units.', IntStringField),
  outputRaw: described('Quoted output, in raw units.', IntStringField),
  slippageBps: described(
    'How much worse than quoted the swap may become, in basis points; null if the request had a `limitRaw`.',
    Nullable(Type.Integer({ minimum: 0, maximum: 10_000 })),
  ),
  minimumOutputRaw: described(
    'Minimum output with `exact-in`, in raw units; null with `exact-out`.',
    Nullable(IntStringField),
  ),
  maximumInputRaw: described(
    'Maximum input with `exact-out`, in raw units; null with `exact-in`.',
    Nullable(IntStringField),
  ),
  slot: described('Slot of the accounts that were quoted.', IntStringField),
});

/** contract/intents#landed */
export const LandedSchema = Type.Object({
  slot: described('Slot of the block.', IntStringField),
  blockTime: described('Time of the block; null if the node has none.', Nullable(TimestampField)),
  indexInBlock: described(
    'Position among the transactions of the block, from 0; null if the node does not report it.',
    Nullable(Type.Integer({ minimum: 0 })),
  ),
  succeeded: described('Whether the chain executed it without an error.', Type.Boolean()),
  feeLamports: described('Fee of the transaction, including the priority fee.', IntStringField),
  computeUnits: described(
    'Compute units used; null if the node does not report them.',
    Nullable(IntStringField),
  ),
  tipLamports: described(
    'Tip that it paid to a landing service, in addition to the fee; null if the transaction is of no swap or launch.',
    Nullable(IntStringField),
  ),
  changes: described(
    'Changes of the wallet that signed.',
    Type.Object({
      lamports: described('Change of its lamports, including fee and tip.', SignedAmountField),
      tokens: described(
        'Token balances of the wallet that changed.',
        Type.Array(
          Type.Object({
            mintAddress: described('Mint of the token.', AddressField),
            changeRaw: described('Change of the balance, in raw units.', SignedAmountField),
          }),
        ),
      ),
    }),
  ),
  inputRaw: described(
    'Amount that the wallet paid in a swap, in raw units, without fee, tip and rent; null if the transaction is no swap, or failed.',
    Nullable(IntStringField),
  ),
  outputRaw: described(
    'Amount that the wallet received in a swap, in raw units; null if the transaction is no swap, or failed.',
    Nullable(IntStringField),
  ),
  priceInSol: described(prices.landing.meaning, Nullable(DecimalStringField)),
  quoteDifferenceBps: described(
    'How much better (positive) or worse (negative) the swap was than quoted, in basis points of the quoted amount; null if the transaction is no swap.',
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
    'Block height above which the transaction certainly cannot land; null if none is known, as for a durable nonce.',
    Nullable(IntStringField),
  ),
  policy: described(
    'What the transaction may do.',
    Type.Object({
      allowedPrograms: described(
        'Programs that the transaction may call; empty if it may call any.',
        Type.Array(AddressField),
      ),
      maxComputeUnitPrice: described(
        'Maximum micro-lamports per compute unit; null if there is no maximum.',
        Nullable(IntStringField),
      ),
      requireSimulation: described('Whether a simulation must succeed first.', Type.Boolean()),
      platformFee: Type.Optional(
        described(
          'The payment to an integrator that the transaction must make; absent if there is none.',
          Type.Object({
            account: described('Account that gets the payment.', AddressField),
            lamports: described('Lamports that the integrator gets.', IntStringField),
          }),
        ),
      ),
    }),
  ),
  route: described(
    'Addresses to which it is sent: `fast` to all, `protected` only to those that show it to nobody before it lands.',
    OneOf(sendRoutes),
  ),
  priorityLevel: described(
    'Level that set its priority fee; null if no level did.',
    Nullable(OneOf(priorityLevels)),
  ),
  transactionSignature: SentSignatureField,
  mintAddress: described(
    'Token that the transaction trades or creates; null if it is of no swap or launch.',
    Nullable(AddressField),
  ),
  launchId: described('The launch to which it belongs; null if there is none.', Nullable(UuidField)),
  quote: described('The quote of the swap; null if the transaction is no swap.', Nullable(IntentQuoteSchema)),
  landed: described(
    'What the transaction did in its block; null until that is known, and after a fork has dropped the block.',
    Nullable(LandedSchema),
  ),
  finality: described(
    'How far the block is settled: `confirmed`, `finalized`, or `reverted` when a fork dropped it; null while nothing has landed.',
    Nullable(OneOf(landingFinalities)),
  ),
  error: described(
    'Why it failed; null if it did not fail.',
    Nullable(
      Type.Object({
        code: described('Stable identifier. Branch on it.', OneOf(intentErrorCodes)),
        detail: DetailField,
      }),
    ),
  ),
  version: VersionField,
  expiresAt: described('When it expires.', TimestampField),
  createdAt: described('When the record was created.', Nullable(TimestampField)),
  submittedAt: described('When it was submitted; null until then.', Nullable(TimestampField)),
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
  'A transaction that was prepared for a wallet to sign, and its outcome.',
  Named('TransactionIntent', {
    ...identifyingFields,
    serializedTransaction: described('The transaction to sign, byte for byte, in base64.', Type.String()),
    ...furtherFields,
  }),
);
export type TransactionIntent = Static<typeof TransactionIntentSchema>;
