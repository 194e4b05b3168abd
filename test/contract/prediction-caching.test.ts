import { expect, test } from 'bun:test';
import { connectBus } from '../../src/shared/bus/connect.ts';
import { hints } from '../../src/shared/bus/topology.ts';
import { startTestApi } from '../support/api/api.ts';
import { untilOnBus } from '../support/api/until-on-bus.ts';
import { createPredictionStage, MINUTE_MS } from '../support/predictions/prediction-stage.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';

const stage = await createPredictionStage();
test('every read of rounds has an ETag, and a repeated read is a 304', async () => {
  const { path, mint } = await stage.openRound();
  stage.clock.advance(MINUTE_MS);
  await stage.work();
  for (const read of [
    `/tokens/${mint}/prediction-rounds`,
    path,
    `${path}/predictions`,
    `${path}/standings`,
  ]) {
    const response = await stage.get(read);
    expect(response.headers.get('cache-control')).toBe('public, max-age=1');
    const etag = response.headers.get('etag') ?? '';
    const again = await fetch(`${stage.api.baseUrl}${read}`, { headers: { 'if-none-match': etag } });
    expect(again.status).toBe(304);
  }
});

test('a changed status reaches readers with the hint of the worker, before the cache expires', async () => {
  const ageless = await startTestApi({
    database: stage.api.database,
    // Time stands still for its caches: no entry is ever too old.
    adjust: ({ caches }) => {
      caches.nowMs = () => 0;
    },
  });
  await untilOnBus(ageless);
  const { path, id } = await stage.openRound();
  await stage.insertPrediction(id, '1');
  const seen = async () => {
    const read = async (suffix: string) =>
      (await (await fetch(`${ageless.baseUrl}${path}${suffix}`)).json()) as Record<string, unknown>;
    return { round: await read(''), entries: await read('/predictions') };
  };
  expect(await seen()).toMatchObject({ round: { status: 'open' }, entries: { visibility: 'aggregate' } });
  stage.clock.advance(MINUTE_MS);
  await stage.work();
  expect(await seen()).toMatchObject({ round: { status: 'open' }, entries: { visibility: 'aggregate' } });
  const bus = await connectBus(ageless.config, 'test');
  atEnd(() => bus.close());
  await eventually('the readers see the lock', async () => {
    bus.publish(hints.roundChanged);
    const { round, entries } = await seen();
    return round.status === 'locked' && entries.visibility === 'exact';
  });
});
