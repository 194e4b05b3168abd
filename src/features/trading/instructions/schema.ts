import { Type } from '@sinclair/typebox';
import {
  AddressField,
  Closed,
  CountField,
  described,
  IntStringField,
  MintAddressField,
  Named,
  Nullable,
  WalletAddressField,
} from '../../../shared/field-schemas.ts';
import { orderFields, SwapQuoteSchema } from '../schema.ts';

/** contract/trading#instructions */
export const InstructionsBody = Closed({
  ...orderFields,
  wallet: Type.Optional(
    described('The wallet that swaps and signs; the wallet of the key when it is left out.', AddressField),
  ),
  simulate: Type.Optional(
    Type.Boolean({
      default: true,
      description:
        'Simulate the swap alone. False for a swap that needs other instructions of the transaction before it, such as one that funds the wallet.',
    }),
  ),
});

const InstructionSchema = Type.Object({
  programAddress: described('The program to call.', AddressField),
  accounts: described(
    'Its accounts, in order.',
    Type.Array(
      Type.Object({
        address: described('Address of the account.', AddressField),
        isSigner: described('Whether it must sign the transaction.', Type.Boolean()),
        isWritable: described('Whether it may change.', Type.Boolean()),
      }),
    ),
  ),
  data: described('Data of the instruction, in base64.', Type.String({ format: 'byte' })),
});

/** contract/trading#instructions */
export const SwapInstructionsSchema = Named('SwapInstructions', {
  mintAddress: MintAddressField,
  walletAddress: WalletAddressField,
  instructions: described(
    'The swap: all of them, in this order. Others may come before, between and after them, but no other swap of the pool.',
    Type.Array(InstructionSchema),
  ),
  signers: described('Who must sign for these instructions.', Type.Array(AddressField)),
  lookupTables: described('Lookup tables that they need; none today.', Type.Array(AddressField)),
  computeUnits: described(
    'For the compute budget of the transaction; add what your own instructions use.',
    Type.Object({
      consumed: described('What the simulation used; null without one.', Nullable(CountField)),
      limit: described(
        'A sufficient limit for these instructions, budget instructions apart.',
        Type.Integer({ minimum: 1 }),
      ),
      price: described(
        'Micro-lamports per unit that recent transactions with this pool paid.',
        IntStringField,
      ),
    }),
  ),
  quote: SwapQuoteSchema,
});
