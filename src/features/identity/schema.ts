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
  expiresAt: described('When the key expires; null if it does not expire.', Nullable(TimestampField)),
});

/** The third part of a key (contract/authentication#api-keys). */
const KeyIdField = Type.String({ pattern: '^[0-9A-Za-z]{16}$', examples: ['4fGh7Kq2LmNpRsTv'] });

/** contract/authentication#key-record */
export const ApiKeySchema = Named('ApiKey', {
  id: described('Public part of the key: the third of its parts.', KeyIdField),
  name: described('Name of the key.', Type.String()),
  environment: described('Environment of the key.', OneOf(apiEnvironments)),
  walletAddress: WalletAddressField,
  scopes: described('Scopes of the key.', Type.Array(OneOf(scopes))),
  createdAt: CreatedAtField,
  expiresAt: described('When the key expires; null if it does not expire.', Nullable(TimestampField)),
  revokedAt: described('When the key was revoked; null if it is not revoked.', Nullable(TimestampField)),
  lastUsedAt: described(
    'When the key was last used, rounded to the minute; null if no use was recorded.',
    Nullable(TimestampField),
  ),
});
export type ApiKeyRecord = Static<typeof ApiKeySchema>;

export const KeyPath = Type.Object({
  keyId: described('Public part of an API key: the third of its parts.', KeyIdField),
});

/** The key in `api_key.revoked`. */
export const RevokedKeyEventSchema = Closed({
  keyId: described('Public part of the key: the third of its parts.', KeyIdField),
  name: described('Name of the key.', Type.String()),
  revokedAt: described('When the key was revoked.', TimestampField),
  revokedByKeyId: described(
    'The key that revoked it, which may be the key itself; null if an operator revoked it.',
    Nullable(KeyIdField),
  ),
});
