import { type Static, Type } from '@sinclair/typebox';
import { apiEnvironments } from '../../db/values/accounts.ts';
import {
  Closed,
  CreatedAtField,
  described,
  Named,
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

/** The third part of a key (contract/authentication#api-keys). */
const KeyIdField = Type.String({ pattern: '^[0-9A-Za-z]{16}$', examples: ['4fGh7Kq2LmNpRsTv'] });

/** contract/authentication#key-record */
export const ApiKeySchema = Named('ApiKey', {
  id: described('Public part of the key, the third one.', KeyIdField),
  name: described('Name of the key.', Type.String()),
  environment: described('Environment of the key.', OneOf(apiEnvironments)),
  walletAddress: WalletAddressField,
  scopes: described('Scopes of the key.', Type.Array(OneOf(scopes))),
  createdAt: CreatedAtField,
  expiresAt: described('When the key expires; null when it does not.', Nullable(TimestampField)),
  revokedAt: described('When the key was revoked; null while it is not.', Nullable(TimestampField)),
  lastUsedAt: described(
    'When the key was last used, to the minute; null before its first use and for uses before the service recorded them.',
    Nullable(TimestampField),
  ),
});
export type ApiKeyRecord = Static<typeof ApiKeySchema>;

export const KeyPath = Type.Object({
  keyId: described('Public part of an API key: the third one.', KeyIdField),
});

/** The key in `api_key.revoked`. */
export const RevokedKeyEventSchema = Closed({
  keyId: described('Public part of the key, the third one.', KeyIdField),
  name: described('Name of the key.', Type.String()),
  revokedAt: described('When the key was revoked.', TimestampField),
  revokedByKeyId: described(
    'The key that revoked it, which may be itself; null when an operator did.',
    Nullable(KeyIdField),
  ),
});
