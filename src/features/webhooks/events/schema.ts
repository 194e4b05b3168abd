import { Type } from '@sinclair/typebox';
import { PageOf, paginationFields } from '../../../http/pagination.ts';
import { SubjectField, TimestampField, UuidField } from '../../../shared/field-schemas.ts';

/** contract/events#record */
export const EventSchema = Type.Object(
  {
    id: UuidField,
    type: Type.String(),
    subject: Type.String(),
    recordedAt: TimestampField,
    body: Type.Object(
      {},
      { additionalProperties: true, description: 'the CloudEvent, as deliveries carry it (Events)' },
    ),
  },
  { $id: 'RecordedEvent', additionalProperties: false },
);

export const EventListQuery = Type.Object({
  ...paginationFields,
  type: Type.Optional(
    Type.String({
      maxLength: 128,
      description: 'an event type, a prefix ending in .*, or *',
      examples: ['build.service.launch.*'],
    }),
  ),
  subject: Type.Optional(SubjectField),
  createdAfter: Type.Optional(TimestampField),
  createdBefore: Type.Optional(TimestampField),
});

export const EventPath = Type.Object({ eventId: UuidField });

export const EventPageSchema = PageOf(EventSchema);
