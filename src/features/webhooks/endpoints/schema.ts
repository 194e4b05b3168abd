import { type Static, Type } from '@sinclair/typebox';
import { disabledReasons, endpointStatuses } from '../../../db/values/webhooks.ts';
import { publishedLimits, unpublishedLimits } from '../../../shared/contract-limits.ts';
import {
  Closed,
  CreatedAtField,
  described,
  IdField,
  Named,
  Nullable,
  OneOf,
  SubjectField,
  TimestampField,
  UpdatedAtField,
  UuidField,
  VersionField,
} from '../../../shared/field-schemas.ts';
import { pauseReasons } from '../../../shared/webhooks/endpoint-record.ts';
import { URL_LENGTH_MAX } from '../../../shared/webhooks/url-policy.ts';

/** A pause that a response has requested with `Retry-After` (contract/delivery#retry-after). */
export const pauseFields = {
  pausedUntil: described(
    'No attempt is made before this time, because a response asked for a pause; null if there is no pause.',
    Nullable(TimestampField),
  ),
  pauseReason: described(
    'The response that asked for the pause with `Retry-After`: `http_429` or `http_503`.',
    Nullable(OneOf(pauseReasons)),
  ),
};

const URL_MEANING = 'Address to which deliveries are sent: https, on the public internet.';
const NOTE_MEANING = 'Your description; null if there is none.';
const EVENT_TYPES_MEANING = 'Event types, prefixes that end in `.*`, or `*`.';
const SUBJECTS_MEANING =
  'Only events about these mints and ids are sent; null for all events. At most 100, or 1,000 wallets and mints if `eventTypes` has only trades.';
const SecretField = described(
  'Signs deliveries. Shown once: `whsec_` and base64 of 32 bytes.',
  Type.String(),
);
const PreviousSecretField = described(
  'Until when the previous secret signs as well; null if there is none.',
  Nullable(TimestampField),
);

const endpointFields = {
  id: IdField,
  url: described(URL_MEANING, Type.String()),
  description: described(NOTE_MEANING, Nullable(Type.String())),
  eventTypes: described(EVENT_TYPES_MEANING, Type.Array(Type.String())),
  subjects: described(SUBJECTS_MEANING, Nullable(Type.Array(Type.String()))),
  status: described('State of the record.', OneOf(endpointStatuses)),
  disabledReason: described(
    'Why the endpoint is disabled; null if it is not.',
    Nullable(OneOf(disabledReasons)),
  ),
  secretRotatedAt: described('When the secret was last replaced.', TimestampField),
  previousSecretExpiresAt: PreviousSecretField,
  version: VersionField,
  createdAt: CreatedAtField,
  updatedAt: UpdatedAtField,
};

/** The endpoint in `webhook_endpoint.disabled`. */
export const EndpointEventSchema = Closed(endpointFields);

/** The endpoint in `webhook_endpoint.failing`. */
export const FailingEndpointEventSchema = Closed({
  ...endpointFields,
  failingSince: described('Since when deliveries have failed.', TimestampField),
});

/** Fields of an endpoint whose changes `webhook_endpoint.changed` names. */
export const changeableFields = ['url', 'description', 'eventTypes', 'subjects', 'status'] as const;

const accountableFields = {
  ...endpointFields,
  byKeyId: described(
    'Id of the API key that made the change; null if an operator made it.',
    Nullable(Type.String()),
  ),
};

/** The endpoint in `webhook_endpoint.created` and `webhook_endpoint.secret_rotated`. */
export const AccountableEndpointEventSchema = Closed(accountableFields);

/** The endpoint in `webhook_endpoint.changed`. */
export const ChangedEndpointEventSchema = Closed({
  ...accountableFields,
  changes: described('Names of the changed fields.', Type.Array(OneOf(changeableFields), { minItems: 1 })),
});

const shownFields = {
  ...endpointFields,
  ...pauseFields,
  warnings: described(
    'Entries of `eventTypes` and `subjects` that no event can match, because of each other or of the scopes of the key that created the endpoint.',
    Type.Array(
      Type.Object({
        path: described('JSON Pointer to the entry: `/eventTypes/1`.', Type.String()),
        message: described('Why no event matches the entry.', Type.String()),
      }),
    ),
  ),
  signingKeyIds: Type.Array(Type.String(), {
    minItems: 1,
    description:
      'The `kid` of each Ed25519 key that signs for this endpoint alone, newest first; read at `/.well-known/webhook-public-keys/{id}`.',
  }),
};

/** contract/webhooks#endpoint */
export const EndpointSchema = Named('WebhookEndpoint', shownFields);

/** Only this record and the one of a rotation show the secret (contract/webhooks#secrets). */
export const CreatedEndpointSchema = Named('CreatedWebhookEndpoint', {
  ...shownFields,
  secret: SecretField,
});

export const PingSchema = Named('WebhookPing', {
  endpointId: described('The webhook endpoint.', UuidField),
  eventId: described('Id of the event: `webhook-id` of the request.', UuidField),
});

/** An account holds at most 20 endpoints, so the list has no pages. */
export const EndpointListSchema = Type.Object({
  data: described(
    'The endpoints.',
    Type.Array(EndpointSchema, { maxItems: publishedLimits.webhookEndpointsPerAccount }),
  ),
});

export const DeletedEndpointSchema = Type.Object({
  id: IdField,
  deleted: described('Always true.', Type.Literal(true)),
});

export const RotationBody = Closed({
  previousSecretTtlSeconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 604_800,
      default: 86_400,
      description: 'Seconds for which the previous secret still signs.',
    }),
  ),
});

export const RotationSchema = Named('RotatedWebhookSecret', {
  endpointId: described('The webhook endpoint.', UuidField),
  secret: SecretField,
  previousSecretExpiresAt: PreviousSecretField,
  endedSecretExpiresAt: described(
    'When a still older secret, which this rotation ended, would have expired; null if it ended none.',
    Nullable(TimestampField),
  ),
  version: VersionField,
});
export type Rotation = Static<typeof RotationSchema>;

const DESCRIPTION_LENGTH_MAX = 512;
const EVENT_TYPES_MAX = 50;

export const NewEndpointBody = Closed({
  url: described(URL_MEANING, Type.String({ minLength: 1, maxLength: URL_LENGTH_MAX })),
  description: described(
    NOTE_MEANING,
    Type.Optional(Nullable(Type.String({ maxLength: DESCRIPTION_LENGTH_MAX }))),
  ),
  eventTypes: described(
    `${EVENT_TYPES_MEANING} Short names (\`order.landed\`, \`order.*\`) are kept in full.`,
    Type.Optional(
      Type.Array(
        Type.String({
          maxLength: 128,
          pattern: '^(\\*|[a-z0-9_]+(\\.[a-z0-9_]+)*(\\.\\*)?)$',
          description: 'an event type, a prefix that ends in .*, or *',
        }),
        { minItems: 1, maxItems: EVENT_TYPES_MAX },
      ),
    ),
  ),
  subjects: described(
    SUBJECTS_MEANING,
    Type.Optional(
      Nullable(
        Type.Array(SubjectField, {
          minItems: 1,
          maxItems: unpublishedLimits.followedSubjects,
        }),
      ),
    ),
  ),
});

/** Any fields of a new endpoint, and its status. */
export const EndpointChangeBody = Type.Object(
  {
    ...Type.Partial(NewEndpointBody).properties,
    status: described('State of the record.', Type.Optional(OneOf(endpointStatuses))),
  },
  { additionalProperties: false, minProperties: 1 },
);
