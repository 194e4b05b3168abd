import { describe, expect, test } from 'bun:test';
import { CloudEvent } from 'cloudevents';
import { createEventSerialiser, EVENT_BYTES_MAX } from '../../src/outbox/envelope.ts';
import { unpublishedLimits } from '../../src/shared/contract-limits.ts';
import { type EventName, eventNames } from '../../src/shared/events/catalogue.ts';

const origin = { source: 'https://api.example.com/api/v2', docsUrl: 'https://docs.example.com' };
const factsOf = (name: EventName) => ({
  id: Bun.randomUUIDv7(),
  name,
  subject: 'subject',
  time: new Date('2026-11-21T10:00:00.123Z'),
  data: { text: 'ü"\\', nested: [1, null] },
});

describe('events on the wire', () => {
  test.each(eventNames)(
    '%s: the first and the later ones are what the CloudEvents library accepts',
    (name) => {
      const serialise = createEventSerialiser(origin);
      for (const facts of [factsOf(name), factsOf(name)]) {
        const sent = JSON.parse(serialise(facts));
        expect(sent).toEqual({
          specversion: '1.0',
          id: facts.id,
          source: 'https://api.example.com/api/v2',
          type: `build.service.${name}.v1`,
          subject: 'subject',
          time: '2026-11-21T10:00:00.123Z',
          datacontenttype: 'application/json',
          dataschema: `https://docs.example.com/reference/events/build.service.${name}.v1`,
          data: facts.data,
        });
        expect(JSON.parse(JSON.stringify(new CloudEvent(sent)))).toEqual(sent);
      }
    },
  );

  test('without a subject, or from a source that is no URI reference: refused', () => {
    const serialise = createEventSerialiser(origin);
    serialise(factsOf('launch.created'));
    expect(() => serialise({ ...factsOf('launch.created'), subject: '' })).toThrow('has no subject');
    const sourceless = createEventSerialiser({ ...origin, source: '' });
    for (let times = 0; times < 2; times += 1)
      expect(() => sourceless(factsOf('launch.created'))).toThrow('invalid payload');
  });

  test('up to 64 KiB, and not a byte more', () => {
    const serialise = createEventSerialiser(origin);
    const envelope = Buffer.byteLength(serialise({ ...factsOf('launch.created'), data: '' }));
    const withData = (bytes: number) => serialise({ ...factsOf('launch.created'), data: 'x'.repeat(bytes) });
    expect(Buffer.byteLength(withData(EVENT_BYTES_MAX - envelope))).toBe(unpublishedLimits.eventBytes);
    expect(() => withData(EVENT_BYTES_MAX - envelope + 1)).toThrow('larger than 64 KiB');
  });
});
