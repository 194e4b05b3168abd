import { Type } from '@sinclair/typebox';
import { Nullable, UuidField } from '../../../shared/field-schemas.ts';
import { URL_LENGTH_MAX } from '../../../shared/webhooks/url-policy.ts';

export const ContactBody = Type.Object(
  {
    accountId: UuidField,
    url: Nullable(Type.String({ minLength: 1, maxLength: URL_LENGTH_MAX, description: 'null removes it' })),
  },
  { additionalProperties: false },
);

export const ContactSchema = Type.Object(
  { accountId: UuidField, endpointId: Nullable(UuidField), url: Nullable(Type.String()) },
  { $id: 'AccountContact', additionalProperties: false },
);
