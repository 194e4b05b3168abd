import { beforeAll, expect, test } from 'bun:test';
import { SerialisedCache } from '../../src/http/serialised-cache.ts';
import { connectBus } from '../../src/shared/bus/connect.ts';
import { hints } from '../../src/shared/bus/topology.ts';
import { startTestApi } from '../support/api.ts';
import { atEnd } from '../support/cleanup.ts';
import { eventually } from '../support/eventually.ts';
import { createPredictionStage, MINUTE_MS, type PredictionStage } from '../support/prediction-stage.ts';

let stage: PredictionStage;
beforeAll(async () => {
  stage = await createPredictionStage();
});

async function openRound() {
  const mint = await stage.launch();
  const at = (minutes: number) => new Date(stage.clock.now().getTime() + minutes * MINUTE_MS);
  const id = await stage.plan(mint, { opensAt: at(0), locksAt: at(1), settlesAt: at(2) });
  await stage.work();
  return { mint, id, path: `/tokens/${mint}/prediction-rounds/${id}` };
}

test('every read of rounds is answered as bytes with a tag, and again as 304', async () => {
  const { path, mint } = await openRound();
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

test('a changed status reaches readers with the hint of the worker, however old a cache may get', async () => {
  const ageless = await startTestApi({
    database: stage.api.database,
    adjust: ({ predictionCaches, readGates }) => {
      for (const name of ['rounds', 'entries'] as const)
        predictionCaches[name] = new SerialisedCache({
          gate: readGates.reads,
          maxAgeMs: Infinity,
          entriesMax: 10,
          nowMs: () => 0,
        });
    },
  });
  const { path, id } = await openRound();
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
  const bus = await connectBus(ageless.config.natsUrl, 'test');
  atEnd(() => bus.close());
  await eventually('the readers see the lock', async () => {
    bus.publish(hints.roundChanged);
    const { round, entries } = await seen();
    return round.status === 'locked' && entries.visibility === 'exact';
  });
});
