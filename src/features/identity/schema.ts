import { Type } from '@sinclair/typebox';
import { apiEnvironments } from '../../db/schema/accounts.ts';
import {
  CreatedAtField,
  described,
  Nullable,
  OneOf,
  TimestampField,
  UuidField,
  WalletAddressField,
} from '../../shared/field-schemas.ts';
import { scopes } from '../../shared/scopes.ts';

export const IdentitySchema = Type.Object({
  accountId: described('Account of the key.', UuidField),
  keyId: described('Public part of the key.', Type.String()),
  name: described('Name of the key.', Type.String()),
  environment: described('Environment of the key.', OneOf(apiEnvironments)),
  walletAddress: WalletAddressField,
  scopes: described('Scopes of the key.', Type.Array(OneOf(scopes))),
  createdAt: CreatedAtField,
  expiresAt: described('When the key expires; null when it does not.', Nullable(TimestampField)),
});
