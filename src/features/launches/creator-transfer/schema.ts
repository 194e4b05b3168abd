import { Type } from '@sinclair/typebox';
import { TransactionIntentSchema } from '../../../intents/schema.ts';
import { SendingSchema, sendingFields } from '../../../intents/sending-schema.ts';
import {
  AddressField,
  Closed,
  described,
  IntStringField,
  MintAddressField,
  Named,
  Nullable,
  SlotField,
  UuidField,
} from '../../../shared/field-schemas.ts';

/** contract/launches#creator-transfer */
export const CreatorTransferBody = Closed({
  newCreatorWallet: described(
    'Wallet that gets the rights of the creator. It need not sign.',
    Type.String({ format: 'address', examples: ['G4etfwECx7Z9bNojEHhy1fnnstF6V5LTxFV211MoCzzS'] }),
  ),
  ...sendingFields,
});

/** contract/launches#creator-transfer */
export const CreatorTransferSchema = Named('CreatorTransfer', {
  mintAddress: MintAddressField,
  poolAddress: described('Pool whose creator changes.', AddressField),
  creatorWallet: described('Creator now: the wallet of the key, which signs.', AddressField),
  newCreatorWallet: described('Creator once the transaction has landed.', AddressField),
  claimableLamports: described(
    'Unclaimed fees of the creator on the curve, in lamports, which the new creator can claim; null for a pool against another token than SOL.',
    Nullable(IntStringField),
  ),
  claimableTokenRaw: described('The same in base units of the token.', IntStringField),
  slot: SlotField,
  intentId: described('The transaction intent to sign and submit.', UuidField),
  intentUrl: described('Address at which the intent can be read.', Type.String()),
  sending: SendingSchema,
  intent: TransactionIntentSchema,
});
