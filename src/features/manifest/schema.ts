import { type Static, Type } from '@sinclair/typebox';
import { launchTypes } from '../../db/schema/tokens.ts';
import { AddressField, AsOfField, described, OneOf } from '../../shared/field-schemas.ts';

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
  limits: described('Limits of requests and responses, by name.', Type.Record(Type.String(), Type.Integer())),
  asOf: AsOfField,
});
export type Manifest = Static<typeof ManifestSchema>;
