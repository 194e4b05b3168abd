import { beforeAll, describe, expect, test } from 'bun:test';
import { Webhook } from 'standardwebhooks';
import { startChain } from '../../sandbox/chain/server.ts';
import { createChainRpc } from '../../src/chain/rpc.ts';
import { confirmSubmitted } from '../../src/intents/confirm/confirm-submitted.ts';
import { followLandings } from '../../src/intents/land/follow-landings.ts';
import { broadcastDue } from '../../src/intents/send/broadcast-due.ts';
import { outboxPublisher } from '../../src/outbox/outbox-publisher.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { runTestJob } from '../support/processes/run-job.ts';
import { intentContext, silentLog, startDueWork } from '../support/processes/worker-context.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';
import { type EventStream, openEventStream } from '../support/streams/event-stream.ts';
import { TradedMarket, type Trader } from '../support/trading/traded-market.ts';
import { type Receiver, startReceiver } from '../support/webhooks/webhook-receiver.ts';
import { createRelayWorld, type RelayWorld, type TestEndpoint } from '../support/webhooks/webhook-relay.ts';

const types = {
  finalized: 'build.service.transaction_intent.finalized.v1',
  reverted: 'build.service.transaction_intent.reverted.v1',
} as const;

/** One slot, as with Alpenglow, and the sandbox's own. */
describe.each([1, 8])('on a chain whose blocks are final after %d slots,', (finalizedAfterSlots) => {
  let world: RelayWorld;
  let market: TradedMarket;
  let trader: Trader;
  let context: ReturnType<typeof intentContext>['context'];
  /** It subscribes to the two types alone. */
  let receiver: Receiver;
  let endpoint: TestEndpoint;
  let stream: EventStream;

  beforeAll(async () => {
    world = await createRelayWorld();
    const chain = await startChain({ slotMs: 'manual', finalizedAfterSlots });
    atEnd(() => chain.stop());
    const { databaseUrl: url } = world.config;
    const database = { url, sql: world.sql, drop: async () => {} };
    market = await TradedMarket.over(chain, { NATS_URL: world.nats.url }, database);
    trader = await market.trader();
    context = intentContext(world.sql, [createChainRpc(chain.rpcUrl)], systemClock).context;
    receiver = await startReceiver();
    const { accountId, header } = trader.key;
    endpoint = await world.createEndpoint(receiver.origin, { accountId, eventTypes: Object.values(types) });
    await world.startRelay();
    publishEvents();
    stream = await openEventStream(`${market.api.baseUrl}/stream?topics=events`, header);
    await stream.find(({ event }) => event === 'heartbeat');
  });

  /** Moves events to the broker for as long as the tests run. */
  function publishEvents(): void {
    const stop = new AbortController();
    const { sql: db, connection } = world;
    const publisher = outboxPublisher({ db, connection, log: silentLog });
    const publishing = runTestJob(publisher, {
      connection,
      dueWork: startDueWork(db, stop.signal),
      signal: stop.signal,
    });
    atEnd(async () => {
      stop.abort();
      await publishing;
    });
  }

  /** A swap whose transaction is in a confirmed block, with its facts. */
  async function landed(): Promise<{ intentId: string; signature: string }> {
    const { mint } = await market.launch();
    const order = { side: 'buy', amountRaw: '1000000000' };
    const { intentId } = await market.prepared(mint, trader, order);
    const response = await market.submit(intentId, trader, await market.sign(intentId, trader));
    expect(response.status).toBe(202);
    const signature = await eventually('the confirmation', async () => {
      await (await broadcastDue(context, 64)).sent;
      market.chain.advanceSlots(2);
      await confirmSubmitted(context);
      const intent = await market.intent(intentId, trader);
      return intent.status === 'confirmed' && (intent.transactionSignature as string);
    });
    await followLandings(context);
    return { intentId, signature };
  }

  /** Looks at the landing when its slot is decided. */
  async function settle(intentId: string): Promise<void> {
    market.chain.advanceSlots(finalizedAfterSlots + 1);
    await world.sql`
    update intent_landings set due_at = now() - interval '1 second', landed_at = landed_at - interval '1 minute'
    where intent_id = ${intentId}`;
    await followLandings(context);
  }

  const ofIntent =
    (intentId: string) =>
    ({ body }: { body: Buffer }) =>
      JSON.parse(body.toString()).subject === intentId;

  /** The one delivery about an intent, verified as a subscriber does. Its other events have other types. */
  async function delivered(intentId: string) {
    const [request, ...more] = await receiver.received(1, ofIntent(intentId));
    if (request === undefined || more.length > 0) throw new Error('not one request');
    return new Webhook(endpoint.secret).verify(request.body, request.headers) as Record<string, unknown>;
  }

  async function streamed(intentId: string, type: string) {
    const { data } = await stream.find(
      ({ event, data: cloudEvent }) =>
        event === 'event' && cloudEvent.subject === intentId && cloudEvent.type === type,
    );
    return data as Record<string, unknown>;
  }

  describe('a subscriber and a stream learn', () => {
    test('that a landing is final, with what it paid and got', async () => {
      const { intentId, signature } = await landed();
      await settle(intentId);
      const event = await delivered(intentId);
      const { serializedTransaction: _bytes, ...intent } = await market.intent(intentId, trader);
      expect(event).toMatchObject({ type: types.finalized, subject: intentId, data: intent });
      expect(event.data).toMatchObject({
        status: 'confirmed',
        finality: 'finalized',
        transactionSignature: signature,
        landed: { succeeded: true, inputRaw: '1000000000' },
      });
      expect(await streamed(intentId, types.finalized)).toEqual(event);
    });

    test('that a fork of the chain has dropped it, and nothing of a block that is no more', async () => {
      const { intentId, signature } = await landed();
      if (finalizedAfterSlots === 1) {
        // A block that is final with its confirmation can be dropped by no fork.
        expect(() => market.chain.fork({ signature })).toThrow('finalized');
        return;
      }
      expect(market.chain.fork({ signature }).dropped).toContain(signature);
      await settle(intentId);
      const event = await delivered(intentId);
      const { serializedTransaction: _bytes, ...intent } = await market.intent(intentId, trader);
      expect(event).toMatchObject({ type: types.reverted, subject: intentId, data: intent });
      expect(event.data).toMatchObject({ status: 'confirmed', finality: 'reverted', landed: null });
      expect(await streamed(intentId, types.reverted)).toEqual(event);
    });
  });
});
