import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { createClient } from 'launchwire';
import { BreakingService } from '../support/client/breaking-service.ts';
import { eventually } from '../support/run/eventually.ts';

const IDS = ['a', 'b', 'c'];
const clientOf = ({ origin }: BreakingService) =>
  createClient({ baseUrl: origin, apiKey: 'key', baseDelayMs: 1, maxRetries: 20 });

type Step =
  | { does: 'wait' | 'submit' | 'end'; id: string }
  | { does: 'break'; inside: boolean }
  | { does: 'forget' }
  | { does: 'refuse'; times: number }
  | { does: 'slow'; ms: number }
  | { does: 'pause'; ms: number };

const id = fc.constantFrom(...IDS);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ does: fc.constantFrom('wait', 'submit', 'end'), id }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('break'), inside: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('forget') }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('refuse'), times: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('slow'), ms: fc.integer({ min: 0, max: 15 }) }) },
  { weight: 4, arbitrary: fc.record({ does: fc.constant('pause'), ms: fc.integer({ min: 0, max: 8 }) }) },
) as fc.Arbitrary<Step>;

const WAIT_TIMEOUT_MS = 180_000;

test('a wait sees the end, however the stream breaks, whichever messages are lost, and whenever the read is answered', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const service = await new BreakingService().start();
      const client = clientOf(service);
      for (const one of IDS) service.add(one);
      const ended = new Set<string>();
      const waits: Promise<unknown>[] = [];
      const wait = (intentId: string) =>
        waits.push(
          client.waitForIntent(intentId, { signal: AbortSignal.timeout(WAIT_TIMEOUT_MS) }).then((intent) =>
            expect(intent).toMatchObject({
              id: intentId,
              status: 'confirmed',
              serializedTransaction: `bytes of ${intentId}`,
            }),
          ),
        );
      for (const one of IDS) wait(one);
      for (const one of steps) {
        // biome-ignore lint/plugin: how steps and answers interleave was drawn; nothing is asserted of it
        if (one.does === 'pause') await Bun.sleep(one.ms);
        else if (one.does === 'break') service.break(one.inside);
        else if (one.does === 'forget') service.forget();
        else if (one.does === 'refuse') service.refusals = one.times;
        else if (one.does === 'slow') service.slowness = one.ms;
        else if (one.does === 'wait') wait(one.id);
        else if (!ended.has(one.id)) {
          service.change(one.id, one.does === 'end' ? 'confirmed' : 'submitted');
          if (one.does === 'end') ended.add(one.id);
        }
      }
      for (const one of IDS) if (!ended.has(one)) service.change(one, 'confirmed');
      await Promise.all(waits);
    }),
    { numRuns: 60 },
  );
});

test('successive waits leave stream openings to the program, and close the streams that they opened', async () => {
  const service = await new BreakingService().start();
  const client = clientOf(service);
  service.add('a');
  const wait = client.waitForIntent('a');
  await eventually('the read of a stream that is live', async () => service.reads === 2);
  service.change('a', 'confirmed');
  await wait;
  service.add('b');
  const next = client.waitForIntent('b', { signal: AbortSignal.timeout(WAIT_TIMEOUT_MS) });
  await eventually('a read without a stream', async () => service.reads === 4);
  expect(service.opened).toBe(1);
  service.change('b', 'confirmed');
  expect(await next).toMatchObject({ status: 'confirmed' });
});

test('a stream that falls silent without an end is not trusted', async () => {
  const service = await new BreakingService().start();
  service.add('a');
  const wait = clientOf(service).waitForIntent('a', { signal: AbortSignal.timeout(WAIT_TIMEOUT_MS) });
  await eventually('the read of a stream that is live', async () => service.reads === 2);
  service.isSilent = true;
  service.change('a', 'confirmed');
  expect(await wait).toMatchObject({ status: 'confirmed' });
});

test('an aborted wait rejects with the reason, and its stream is closed', async () => {
  const service = await new BreakingService().start();
  service.add('a');
  const stopping = new AbortController();
  const wait = clientOf(service).waitForIntent('a', { signal: stopping.signal });
  await eventually('the read of a stream that is live', async () => service.reads === 2);
  const reason = new Error('enough');
  stopping.abort(reason);
  expect(await wait.catch((error: unknown) => error)).toBe(reason);
  await eventually('the end of the stream', async () => service.streams === 0);
});
