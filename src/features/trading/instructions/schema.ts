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
    described('The wallet that swaps and signs. Default: the wallet of the key.', AddressField),
  ),
  simulate: Type.Optional(
    Type.Boolean({
      default: true,
      description:
        'Whether to simulate the swap alone. Send `false` for a swap that needs other instructions before it, such as one that funds the wallet.',
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
        isWritable: described('Whether the transaction may change the account.', Type.Boolean()),
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
    'The instructions of the swap. Use all of them in this order. Other instructions may come before, between and after them, but no other swap of the pool.',
    Type.Array(InstructionSchema),
  ),
  signers: described('Who must sign for these instructions.', Type.Array(AddressField)),
  lookupTables: described('Lookup tables that the instructions need; none today.', Type.Array(AddressField)),
  computeUnits: described(
    'Figures for the compute budget of the transaction. Add what your own instructions use.',
    Type.Object({
      consumed: described(
        'Compute units that the simulation used; null if there was none.',
        Nullable(CountField),
      ),
      limit: described(
        'A sufficient limit for these instructions, without budget instructions.',
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
