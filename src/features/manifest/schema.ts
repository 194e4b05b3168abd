import { type Static, Type } from '@sinclair/typebox';
import { launchTypes } from '../../db/values/tokens.ts';
import {
  AddressField,
  AsOfField,
  described,
  IntStringField,
  Nullable,
  OneOf,
} from '../../shared/field-schemas.ts';

export const NetworkSchema = Type.Object({
  slotMs: described(
    'Milliseconds from one slot to the next, as this deployment measured them in the last minute; null until they are measured.',
    Nullable(Type.Integer({ minimum: 1 })),
  ),
  blocksPerSecond: described(
    'Blocks per second in the same minute. Skipped slots have no block. Null until it is measured.',
    Nullable(Type.Number({ minimum: 0 })),
  ),
  blockhashBlocks: described(
    'Number of blocks for which the chain accepts a transaction with a recent blockhash.',
    Type.Integer({ minimum: 1 }),
  ),
  rentLamportsPerByte: described(
    'Lamports that an account must hold for each byte of its data and for 128 further bytes; null if no node returns the rent.',
    Nullable(IntStringField),
  ),
  asOf: AsOfField,
});
export type NetworkFacts = Static<typeof NetworkSchema>;

export const ManifestSchema = Type.Object({
  cluster: described('The Solana cluster.', OneOf(['mainnet-beta', 'devnet', 'testnet', 'localnet'])),
  genesisHash: described('Hash of the first block, which identifies the chain.', Type.String()),
  nativeMint: described('Mint of wrapped SOL.', AddressField),
  tokenPrograms: described(
    'Token programs that mints may belong to.',
    Type.Array(
      Type.Object({
        name: described('Name of the program.', OneOf(['spl_token', 'token_2022'])),
        address: described('Address of the program.', AddressField),
      }),
    ),
  ),
  programs: described(
    'Programs that the service works with.',
    Type.Array(
      Type.Object({
        name: described('Name of the program.', Type.String()),
        address: described('Address of the program.', AddressField),
      }),
    ),
  ),
  launchTypes: described('How tokens are launched on this deployment.', Type.Array(OneOf(launchTypes))),
  commitments: described(
    'Commitment levels that the service uses.',
    Type.Object({
      reads: described('Commitment at which accounts are read.', OneOf(['confirmed'])),
      balances: described('Commitment at which balances are read.', OneOf(['finalized'])),
      submissions: described('Commitment at which transactions count as landed.', OneOf(['confirmed'])),
    }),
  ),
  network: described('Present state of the chain.', NetworkSchema),
  limits: described('Limits of requests and responses, by name.', Type.Record(Type.String(), Type.Integer())),
  asOf: AsOfField,
});
export type Manifest = Static<typeof ManifestSchema>;
