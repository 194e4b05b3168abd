import { type Static, Type } from '@sinclair/typebox';
import {
  intentErrorCodes,
  intentStatuses,
  priorityLevels,
  sendRoutes,
} from '../../db/schema/transaction-intents.ts';
import {
  AddressField,
  CompletedAtField,
  DetailField,
  described,
  IdField,
  IntStringField,
  Named,
  Nullable,
  OneOf,
  SentSignatureField,
  TimestampField,
  VersionField,
} from '../../shared/field-schemas.ts';

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
