import { Type } from '@sinclair/typebox';

/** 100 topics fit; a longer list is never valid. */
const TOPICS_LENGTH_MAX = 8_192;

export const StreamQuery = Type.Object({
  topics: Type.Optional(
    Type.String({
      maxLength: TOPICS_LENGTH_MAX,
      description: '1 to 100 topics, separated by commas; only a WebSocket may leave them out.',
      examples: ['tokens,trades'],
    }),
  ),
  cursor: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'Continue after this `id`; `Last-Event-ID` takes precedence.',
    }),
  ),
});

/**
 * Any message (contract/streams#messages). `src/documentation/streams/` describes the content of each kind.
 */
export const StreamMessageSchema = Type.Object(
  {
    event: Type.String({ description: 'Kind of the message.' }),
    id: Type.Optional(Type.String({ description: 'Cursor after this message.' })),
    topic: Type.Optional(Type.String({ description: 'Topic of the message.' })),
    snapshot: Type.Optional(Type.Boolean({ description: 'True for the first messages of a topic.' })),
    data: Type.Optional(Type.Unknown({ description: 'The record.' })),
  },
  { $id: 'StreamMessage' },
);
