import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { Value } from '@sinclair/typebox/value';
import { streamExamples } from '../../src/documentation/streams/stream-examples.ts';
import {
  controlMessages,
  socketAnswers,
  topicMessages,
} from '../../src/documentation/streams/stream-messages.ts';
import { streamTopics } from '../../src/documentation/streams/stream-topics.ts';
import { parseTopics, scopeOf } from '../../src/features/streams/topics.ts';

const page = readFileSync(new URL('../../docs/contract/streams.md', import.meta.url), 'utf8');
const schemas = { ...topicMessages, ...controlMessages, ...socketAnswers };
const MINT = 'So11111111111111111111111111111111111111112';

test.each(Object.entries(schemas))('the example of %s fits its schema', (event, schema) => {
  const example = streamExamples[event as keyof typeof streamExamples];
  expect([...Value.Errors(schema, example)]).toEqual([]);
});

const PRESALE = '0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e';

test('the topics are those of contract/streams#topics, with the scopes that are enforced', () => {
  const rows = [...page.matchAll(/^\| `([a-z:{}]+)` \| .+? \| (anonymous|`[a-z:]+`) \| .+ \|$/gm)];
  const listed = rows.map(([, form, access]) => [form, access === 'anonymous' ? null : access?.slice(1, -1)]);
  expect(listed).toEqual(Object.entries(streamTopics).map(([form, { scope }]) => [form, scope]));
  for (const [form, { scope }] of Object.entries(streamTopics)) {
    const [topic] = parseTopics(
      [
        form
          .replace('{mint}', MINT)
          .replace('{address}', MINT)
          .replace('{interval}', '5m')
          .replace('{id}', PRESALE),
      ],
      '/query/topics',
    );
    if (topic === undefined) throw new Error(`${form} is no topic`);
    expect(scopeOf(topic)).toBe(scope);
  }
});
