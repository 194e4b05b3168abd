import { Type } from '@sinclair/typebox';
import { disabledReasons, endpointPurposes, endpointStatuses } from '../../../db/schema/webhooks.ts';
import { publishedLimits } from '../../../shared/contract-limits.ts';
import { Nullable, OneOf, SubjectField, TimestampField, UuidField } from '../../../shared/field-schemas.ts';
import { pauseReasons } from '../../../shared/webhooks/endpoint-record.ts';
import { URL_LENGTH_MAX } from '../../../shared/webhooks/url-policy.ts';

/** A pause that a response has asked for with `Retry-After` (contract/delivery#retry-after). */
export const pauseFields = {
  pausedUntil: Nullable(TimestampField),
  pauseReason: Nullable(OneOf(pauseReasons)),
};

const PurposeField = OneOf(endpointPurposes);

const endpointFields = {
  id: UuidField,
  purpose: PurposeField,
  url: Type.String(),
  description: Nullable(Type.String()),
  eventTypes: Type.Array(Type.String()),
  subjects: Nullable(Type.Array(Type.String(), { description: 'null: events of all subjects' })),
  status: OneOf(endpointStatuses),
  disabledReason: Nullable(OneOf(disabledReasons)),
  secretRotatedAt: TimestampField,
  previousSecretExpiresAt: Nullable(TimestampField),
  version: Type.Integer({ minimum: 1 }),
  createdAt: TimestampField,
  updatedAt: TimestampField,
};

/** As `webhook_endpoint.disabled` carries it. */
export const EndpointEventSchema = Type.Object(endpointFields, { additionalProperties: false });

/** As `webhook_endpoint.failing` carries it. */
export const FailingEndpointEventSchema = Type.Object(
  { ...endpointFields, failingSince: TimestampField },
  { additionalProperties: false },
);

const shownFields = {
  ...endpointFields,
  ...pauseFields,
  signingKeyIds: Type.Array(Type.String(), {
    minItems: 1,
    description:
      '`kid` of each Ed25519 key that signs for this endpoint alone, newest first: `/.well-known/webhook-public-keys/{id}`',
  }),
};

/** contract/webhooks#endpoint */
export const EndpointSchema = Type.Object(shownFields, {
  $id: 'WebhookEndpoint',
  additionalProperties: false,
});

/** The only record that shows the secret, next to a rotation's (contract/webhooks#secrets). */
export const CreatedEndpointSchema = Type.Object(
  { ...shownFields, secret: Type.String({ description: 'whsec_ + base64 of 32 bytes, shown once' }) },
  { $id: 'CreatedWebhookEndpoint', additionalProperties: false },
);

export const PingSchema = Type.Object(
  { endpointId: UuidField, eventId: UuidField },
  { $id: 'WebhookPing', additionalProperties: false },
);

export const EndpointPath = Type.Object({ endpointId: UuidField });

/** An account holds at most 20 and a contact, so the list is never paginated. */
export const EndpointListSchema = Type.Object({
  data: Type.Array(EndpointSchema, { maxItems: publishedLimits.webhookEndpointsPerAccount + 1 }),
});

export const DeletedEndpointSchema = Type.Object({ id: UuidField, deleted: Type.Literal(true) });

export const RotationBody = Type.Object(
  {
    previousSecretTtlSeconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 604_800,
        default: 86_400,
        description: 'how long the old secret signs too',
      }),
    ),
  },
  { additionalProperties: false },
);

export const RotationSchema = Type.Object(
  {
    endpointId: UuidField,
    secret: Type.String({ description: 'whsec_ + base64 of 32 bytes, shown once' }),
    previousSecretExpiresAt: Nullable(TimestampField),
    endedSecretExpiresAt: Nullable(TimestampField),
    version: Type.Integer({ minimum: 1 }),
  },
  { $id: 'RotatedWebhookSecret', additionalProperties: false },
);

const DESCRIPTION_LENGTH_MAX = 512;
const EVENT_TYPES_MAX = 50;
const SUBJECTS_MAX = 100;

export const NewEndpointBody = Type.Object(
  {
    url: Type.String({ minLength: 1, maxLength: URL_LENGTH_MAX }),
    purpose: Type.Optional(PurposeField),
    description: Type.Optional(Nullable(Type.String({ maxLength: DESCRIPTION_LENGTH_MAX }))),
    eventTypes: Type.Optional(
      Type.Array(
        Type.String({
          maxLength: 128,
          pattern: '^(\\*|[a-z0-9_]+(\\.[a-z0-9_]+)*(\\.\\*)?)$',
          description: 'an event type, a prefix ending in .*, or *',
        }),
        { minItems: 1, maxItems: EVENT_TYPES_MAX },
      ),
    ),
    subjects: Type.Optional(
      Nullable(
        Type.Array(SubjectField, {
          minItems: 1,
          maxItems: SUBJECTS_MAX,
          description: 'only events of these subjects; null: of all',
        }),
      ),
    ),
  },
  { additionalProperties: false },
);

/** Any of the fields of a new endpoint but its purpose, and its status. */
export const EndpointChangeBody = Type.Object(
  {
    ...Type.Partial(Type.Omit(NewEndpointBody, ['purpose'])).properties,
    status: Type.Optional(OneOf(endpointStatuses)),
  },
  { additionalProperties: false, minProperties: 1 },
);
