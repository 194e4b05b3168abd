import { Type } from '@sinclair/typebox';
import { launchTypes } from '../../db/schema/tokens.ts';
import { AddressField, OneOf, TimestampField } from '../../shared/field-schemas.ts';

export const ManifestSchema = Type.Object({
  cluster: OneOf(['mainnet-beta', 'devnet', 'testnet', 'localnet']),
  genesisHash: Type.String(),
  nativeMint: AddressField,
  tokenPrograms: Type.Array(Type.Object({ name: OneOf(['spl_token', 'token_2022']), address: AddressField })),
  programs: Type.Array(Type.Object({ name: Type.String(), address: AddressField })),
  launchTypes: Type.Array(OneOf(launchTypes)),
  commitments: Type.Object({
    reads: OneOf(['confirmed']),
    balances: OneOf(['finalized']),
    submissions: OneOf(['confirmed']),
  }),
  limits: Type.Record(Type.String(), Type.Integer()),
  asOf: TimestampField,
});
