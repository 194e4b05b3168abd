import { Type } from '@sinclair/typebox';

/** Longer lists than 100 topics fit in have no form that could be right. */
const TOPICS_LENGTH_MAX = 8_192;

export const StreamQuery = Type.Object({
  topics: Type.Optional(
    Type.String({
      maxLength: TOPICS_LENGTH_MAX,
      description: '1 to 100 topics, separated by commas; required unless it is a WebSocket',
      examples: ['tokens,trades'],
    }),
  ),
  cursor: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'continues after this `id`; `Last-Event-ID` counts when both are there',
    }),
  ),
});

/** Any message (contract/streams#messages). What each kind carries: `src/documentation/streams/`. */
export const StreamMessageSchema = Type.Object(
  {
    event: Type.String({ description: 'the kind of message' }),
    id: Type.Optional(Type.String({ description: 'the cursor after this message' })),
    topic: Type.Optional(Type.String({ description: 'the topic that it belongs to' })),
    snapshot: Type.Optional(Type.Boolean({ description: 'true for what a topic begins with' })),
    data: Type.Optional(Type.Unknown({ description: 'the record that the message tells' })),
  },
  { $id: 'StreamMessage' },
);
