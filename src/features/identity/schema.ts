import { Type } from '@sinclair/typebox';
import { apiEnvironments } from '../../db/schema/accounts.ts';
import { AddressField, Nullable, OneOf, TimestampField, UuidField } from '../../shared/field-schemas.ts';
import { scopes } from '../../shared/scopes.ts';

export const IdentitySchema = Type.Object({
  accountId: UuidField,
  keyId: Type.String(),
  name: Type.String(),
  environment: OneOf(apiEnvironments),
  walletAddress: AddressField,
  scopes: Type.Array(OneOf(scopes)),
  createdAt: TimestampField,
  expiresAt: Nullable(TimestampField),
});
