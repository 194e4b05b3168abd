import { type Static, Type } from '@sinclair/typebox';
import { Closed, described, Named, Nullable, UuidField } from '../../../shared/field-schemas.ts';
import { URL_LENGTH_MAX } from '../../../shared/webhooks/url-policy.ts';

export const ContactBody = Closed({
  accountId: described('Account of the contact.', UuidField),
  url: described(
    'Address to which warnings are sent; null removes the contact.',
    Nullable(Type.String({ minLength: 1, maxLength: URL_LENGTH_MAX })),
  ),
});

export const ContactSchema = Named('AccountContact', {
  accountId: described('Account of the contact.', UuidField),
  endpointId: described('Endpoint of the contact; null if there is none.', Nullable(UuidField)),
  url: described('Address to which warnings are sent; null if there is no contact.', Nullable(Type.String())),
});
export type Contact = Static<typeof ContactSchema>;
