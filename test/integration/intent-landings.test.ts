import { beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { startChain } from '../../sandbox/chain/server.ts';
import { TOKEN_ACCOUNT_BYTES } from '../../src/chain/accounts/token-account.ts';
import { paceOf } from '../../src/chain/pace/measured-pace.ts';
import { createChainRpc } from '../../src/chain/rpc.ts';
import { confirmSubmitted } from '../../src/intents/confirm/confirm-submitted.ts';
import { claimLandings } from '../../src/intents/land/claim-landings.ts';
import { type FollowContext, followLandings } from '../../src/intents/land/follow-landings.ts';
import type { TransactionIntent } from '../../src/intents/schema.ts';
import { broadcastDue } from '../../src/intents/send/broadcast-due.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { rentOn } from '../support/chain/cluster-rent.ts';
import { asWorker, intentContext } from '../support/processes/worker-context.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';
import { type LyingNode, startLyingNode } from '../support/trading/lying-node.ts';
import { TradedMarket, type Trader } from '../support/trading/traded-market.ts';

const buy = { side: 'buy', amountRaw: '1000000000', slippageBps: 0 };

/** One slot, as with Alpenglow, and the sandbox's own. */
describe.each([1, 8])('on a chain whose blocks are final after %d slots,', (finalizedAfterSlots) => {
  /** Then the first look at a landing finds its block final. */
  const isFinalAtOnce = finalizedAfterSlots === 1;
  let market: TradedMarket;
  let trader: Trader;
  /** The market's node, twice; each may lie. */
  let nodes: LyingNode[];
  let context: FollowContext & Parameters<typeof broadcastDue>[0];

  beforeAll(async () => {
    const chain = await startChain({ slotMs: 'manual', finalizedAfterSlots });
    atEnd(() => chain.stop());
    market = await TradedMarket.over(chain, {});
    trader = await market.trader();
    nodes = [startLyingNode(() => market.chain.rpcUrl), startLyingNode(() => market.chain.rpcUrl)];
  });

  beforeEach(() => {
    for (const node of nodes) node.change = () => null;
    const rpcs = nodes.map(({ rpcUrl }) => createChainRpc(rpcUrl));
    context = intentContext(market.api.dependencies.database, rpcs, systemClock).context;
  });

  /** The blocks of before become final, and no other chain is possible any more. */
  const finalise = () => market.chain.advanceSlots(finalizedAfterSlots + 1);

  const db = () => market.api.dependencies.database;

  async function intentOf(id: string): Promise<TransactionIntent> {
    return (await market.intent(id, trader)) as TransactionIntent;
  }

  /** Signs and submits an intent, and lets the worker confirm it. */
  async function confirmed(intentId: string): Promise<TransactionIntent> {
    const response = await market.submit(intentId, trader, await market.sign(intentId, trader));
    expect(response.status).toBe(202);
    return eventually('the end of the intent', async () => {
      await (await broadcastDue(context, 64)).sent;
      market.chain.advanceSlots(2);
      await confirmSubmitted(context);
      const intent = await intentOf(intentId);
      return intent.status === 'submitted' ? null : intent;
    });
  }

  /** A swap that has landed, and the quote that it was made of. */
  async function swapped() {
    const token = await market.launch();
    const { mint } = token;
    const { intentId, quote } = await market.prepared(mint, trader, buy);
    return { mint, token, intentId, quote, intent: await confirmed(intentId) };
  }

  /** Looks at the landing as if it had landed at this moment. */
  async function lookNow(intentId: string): Promise<void> {
    await db()`
      update intent_landings set landed_at = now(), due_at = now() - interval '1 second' where intent_id = ${intentId}`;
    await followLandings(context);
  }

  /** Looks at the landing as if it had landed a minute ago. */
  async function lookAgain(intentId: string): Promise<TransactionIntent> {
    await db()`
    update intent_landings set due_at = now() - interval '1 second', landed_at = least(landed_at, now() - interval '1 minute')
    where intent_id = ${intentId}`;
    await followLandings(context);
    return intentOf(intentId);
  }

  /** Names of the intent's events, in their order. */
  async function eventsOf(intentId: string): Promise<string[]> {
    const rows = await db()<{ type: string }[]>`
    select type from events where subject = ${intentId} order by recorded_in, id`;
    return rows.map(({ type }) => type.replace(/^build\.service\.transaction_intent\.|\.v1$/g, ''));
  }

  /** Makes nodes show a chain without the transaction, as after a fork. */
  function drop(slot: bigint, dropping: readonly LyingNode[]): void {
    for (const node of dropping)
      node.change = (method, result) => {
        if (method === 'getSignatureStatuses') return { ...result, value: result.value.map(() => null) };
        if (method === 'getTransaction') return {};
        if (method === 'getBlocks') return result.filter((one: number) => BigInt(one) !== slot);
        return null;
      };
  }

  async function slotOf(intentId: string): Promise<bigint> {
    const [row] = await db()<
      { slot: bigint }[]
    >`select slot from intent_landings where intent_id = ${intentId}`;
    return row?.slot ?? expect.unreachable();
  }

  describe('a swap that landed', () => {
    test('is confirmed before its facts are read, and then shows to the last unit what it paid and got', async () => {
      const { mint, intentId, quote, intent } = await swapped();
      expect(intent).toMatchObject({ status: 'confirmed', landed: null, finality: 'confirmed', version: 3 });
      expect(intent).toMatchObject({ mintAddress: mint, launchId: null });
      expect(intent.quote).toMatchObject({ side: 'buy', outputRaw: quote.outputRaw, slot: quote.slot });
      await followLandings(context);
      const after = await intentOf(intentId);
      expect(after).toMatchObject({ finality: isFinalAtOnce ? 'finalized' : 'confirmed', version: 4 });
      expect(after.landed).toMatchObject({
        slot: String(await slotOf(intentId)),
        succeeded: true,
        feeLamports: '5000',
        tipLamports: '0',
        inputRaw: quote.inputRaw,
        outputRaw: quote.outputRaw,
        quoteDifferenceBps: 0,
      });
      expect(after.landed?.changes.tokens).toEqual([{ mintAddress: mint, changeRaw: quote.outputRaw }]);
      // The rent of the token account that it opened.
      const rent = -BigInt(after.landed?.changes.lamports ?? 0) - 5_000n - BigInt(quote.inputRaw);
      expect(rent).toBe(rentOn(market.chain.ledger, TOKEN_ACCOUNT_BYTES));
    });

    test('by a sale pays tokens and gets lamports, whatever else moves in the transaction', async () => {
      const { mint, token } = await swapped();
      const sale = { side: 'sell', amountRaw: '1000000000000', slippageBps: 100 };
      const { intentId, quote } = await market.prepared(mint, trader, sale);
      const before = market.held(token.quoteVault);
      await confirmed(intentId);
      const paid = before - market.held(token.quoteVault);
      await followLandings(context);
      const { landed } = await intentOf(intentId);
      const quoted = BigInt(quote.outputRaw);
      expect(landed).toMatchObject({ inputRaw: '1000000000000', outputRaw: String(paid) });
      expect(landed?.quoteDifferenceBps).toBe(Number(((paid - quoted) * 10_000n) / quoted));
      expect(landed?.changes).toEqual({
        lamports: String(paid - 5_000n),
        tokens: [{ mintAddress: mint, changeRaw: '-1000000000000' }],
      });
    });

    test('and failed shows its fee, and nothing of a swap', async () => {
      const token = await market.launch();
      const { intentId } = await market.prepared(token.mint, trader, buy);
      await market.buy(token, 2_000_000_000n);
      expect(await confirmed(intentId)).toMatchObject({ status: 'failed', finality: 'confirmed' });
      await followLandings(context);
      expect((await intentOf(intentId)).landed).toMatchObject({
        succeeded: false,
        feeLamports: '5000',
        tipLamports: '0',
        changes: { lamports: '-5000', tokens: [] },
        inputRaw: null,
        quoteDifferenceBps: null,
      });
    });

    test('gets its facts later when no node has its block yet, and from the node that has it', async () => {
      const { intentId } = await swapped();
      for (const node of nodes) node.change = (method) => (method === 'getTransaction' ? {} : null);
      await followLandings(context);
      expect((await intentOf(intentId)).landed).toBeNull();
      // Of a final block the nodes have to agree.
      for (const node of isFinalAtOnce ? nodes : nodes.slice(1)) node.change = () => null;
      expect((await lookAgain(intentId)).landed).toMatchObject({ succeeded: true });
    });

    test('gets them in the same look when the nodes show its block a moment after its status', async () => {
      const { intentId } = await swapped();
      for (const node of nodes) {
        let isAsked = false;
        node.change = (method) => {
          if (method !== 'getTransaction' || isAsked) return null;
          isAsked = true;
          return {};
        };
      }
      await lookNow(intentId);
      expect((await intentOf(intentId)).landed).toMatchObject({ succeeded: true });
    });
  });

  describe('facts of many landings', () => {
    const reads = () => nodes.reduce((sum, node) => sum + node.seen('getTransaction'), 0);

    test('are read as far as the budget goes; the others have their turn later, and nothing is final unread', async () => {
      const ids: string[] = [];
      for (let at = 0; at < 3; at += 1) ids.push((await swapped()).intentId);
      for (const node of nodes) node.forget();
      let granted = 2;
      const takeUntil = async () => {
        granted -= 1;
        return granted >= 0;
      };
      /** Looks at all of them, as if they had landed so many seconds ago: whether each was read, and how final it is. */
      const look = async (ageSeconds: number) => {
        await db()`
        update intent_landings set due_at = now() - interval '1 second', landed_at = now() - make_interval(secs => ${ageSeconds})
        where intent_id = any(${ids}::uuid[])`;
        await followLandings({ ...context, factBudget: { takeUntil } });
        const intents = await Promise.all(ids.map(intentOf));
        return intents.map(({ landed, finality }) => `${landed === null ? 'unread' : 'read'} ${finality}`);
      };
      const known = await look(0);
      expect(known).toContain('unread confirmed');
      expect(known).not.toContain('unread finalized');
      expect(reads()).toBe(2);
      // Without a turn nothing is asked, and nothing is withdrawn.
      expect(await look(0)).toEqual(known);
      finalise();
      expect(await look(60)).toEqual(known.map((one) => one.replace('unread confirmed', 'unread finalized')));
      expect(reads()).toBe(2);
      granted = 100;
      expect(await look(60)).toEqual(ids.map(() => 'read finalized'));
    });
  });

  describe('finality', () => {
    test('comes with one event, however many workers look at the same time', async () => {
      const { intentId } = await swapped();
      await followLandings(context);
      finalise();
      await db()`update intent_landings set due_at = now() - interval '1 second' where intent_id = ${intentId}`;
      await Promise.all(Array.from({ length: 4 }, () => followLandings(context)));
      const intent = await intentOf(intentId);
      expect(intent).toMatchObject({
        status: 'confirmed',
        finality: 'finalized',
        version: isFinalAtOnce ? 4 : 5,
      });
      expect(await eventsOf(intentId)).toEqual(['prepared', 'submitted', 'confirmed', 'finalized']);
      const [event] = await db()<{ body: string }[]>`
      select body from events where subject = ${intentId} and type like '%finalized%'`;
      const { serializedTransaction: _bytes, ...shown } = intent;
      expect(JSON.parse(event?.body ?? '').data).toEqual(shown);
      // Nothing is left to do.
      expect(await lookAgain(intentId)).toEqual(intent);
    });

    test('is looked for when the nodes expect it, not before and not after a time of ours', async () => {
      const { intentId } = await swapped();
      const now = systemClock.now();
      await followLandings({ ...context, clock: { now: () => now } });
      const [row] = await db()<{ slot: bigint; dueAt: Date | null }[]>`
        select slot, due_at from intent_landings where intent_id = ${intentId}`;
      const { slot, dueAt } = row ?? expect.unreachable();
      if (isFinalAtOnce) {
        expect(dueAt).toBeNull();
        return;
      }
      const left = Number(slot) - Number(market.chain.ledger.slot) + finalizedAfterSlots;
      // Its facts are awaited for a second.
      const waitMs = Math.max(1_000, Math.ceil(left * paceOf(context.rpcs).slotMs));
      expect(dueAt).toEqual(new Date(now.getTime() + waitMs));
    });

    test('takes two nodes where two count', async () => {
      const { intentId } = await swapped();
      const [first] = nodes;
      if (first === undefined) return expect.unreachable();
      finalise();
      first.change = (method, result) =>
        method === 'getSignatureStatuses' ? { ...result, value: result.value.map(() => null) } : null;
      expect(await lookAgain(intentId)).toMatchObject({ finality: 'confirmed' });
      first.change = () => null;
      expect(await lookAgain(intentId)).toMatchObject({ finality: 'finalized' });
    });

    test('withdraws facts on which the nodes differ, until they agree', async () => {
      const { intentId } = await swapped();
      if (!isFinalAtOnce) await followLandings(context);
      finalise();
      const [first] = nodes;
      if (first === undefined) return expect.unreachable();
      first.change = (method, result) =>
        method === 'getTransaction' ? { ...result, meta: { ...result.meta, fee: 7_000 } } : null;
      expect(await lookAgain(intentId)).toMatchObject({ finality: 'finalized', landed: null });
      first.change = () => null;
      expect(await lookAgain(intentId)).toMatchObject({
        finality: 'finalized',
        landed: { feeLamports: '5000' },
      });
      expect(await eventsOf(intentId)).toEqual(['prepared', 'submitted', 'confirmed', 'finalized']);
    });
  });

  describe('a fork that drops the block', () => {
    test('is reported once two nodes show the final chain without it; the status stays', async () => {
      const { intentId } = await swapped();
      if (!isFinalAtOnce) await followLandings(context);
      const slot = await slotOf(intentId);
      finalise();
      drop(slot, nodes.slice(0, 1));
      const once = await lookAgain(intentId);
      expect(once).toMatchObject({ finality: 'confirmed' });
      drop(slot, nodes);
      const intent = await lookAgain(intentId);
      const version = once.version + 1;
      expect(intent).toMatchObject({ status: 'confirmed', finality: 'reverted', landed: null, version });
      expect(await lookAgain(intentId)).toEqual(intent);
      expect(await eventsOf(intentId)).toEqual(['prepared', 'submitted', 'confirmed', 'reverted']);
    });

    test('of the sandbox chain is reported with what the chain says now', async () => {
      const { intentId, intent } = await swapped();
      await followLandings(context);
      const first = { finality: isFinalAtOnce ? 'finalized' : 'confirmed', landed: { succeeded: true } };
      expect(await intentOf(intentId)).toMatchObject(first);
      if (isFinalAtOnce) {
        expect(() => market.chain.fork({ signature: intent.transactionSignature ?? '' })).toThrow(
          'finalized',
        );
        return;
      }
      const { dropped } = market.chain.fork({ signature: intent.transactionSignature ?? '' });
      expect(dropped).toContain(intent.transactionSignature ?? '');
      finalise();
      expect(await lookAgain(intentId)).toMatchObject({
        status: 'confirmed',
        finality: 'reverted',
        landed: null,
      });
      expect(await eventsOf(intentId)).toEqual(['prepared', 'submitted', 'confirmed', 'reverted']);
    });

    test('may be followed by another landing, which becomes final', async () => {
      const { intentId } = await swapped();
      const slot = await slotOf(intentId);
      finalise();
      drop(slot, nodes);
      expect(await lookAgain(intentId)).toMatchObject({ finality: 'reverted' });
      for (const node of nodes)
        node.change = (method, result) => {
          const moved = { slot: Number(slot) + 5 };
          if (method === 'getTransaction') return { ...result, ...moved };
          if (method !== 'getSignatureStatuses') return null;
          const again = { ...moved, confirmationStatus: 'confirmed' };
          return { ...result, value: result.value.map((one: object) => ({ ...one, ...again })) };
        };
      expect(await lookAgain(intentId)).toMatchObject({
        finality: 'confirmed',
        landed: { slot: String(slot + 5n) },
      });
      for (const node of nodes) node.change = () => null;
      expect(await lookAgain(intentId)).toMatchObject({
        finality: 'finalized',
        landed: { slot: String(slot) },
      });
      expect(await eventsOf(intentId)).toEqual([
        'prepared',
        'submitted',
        'confirmed',
        'reverted',
        'finalized',
      ]);
    });

    test('is not concluded from nodes that have lost their history', async () => {
      const { intentId } = await swapped();
      finalise();
      for (const node of nodes)
        node.change = (method, result) => {
          if (method === 'getSignatureStatuses') return { ...result, value: result.value.map(() => null) };
          return method === 'getBlocks' ? [] : null;
        };
      expect(await lookAgain(intentId)).toMatchObject({ finality: 'confirmed' });
    });
  });

  test('a worker that dies after its claim leaves the landing to another one', async () => {
    const { intentId } = await swapped();
    for (const node of nodes) node.change = () => expect.unreachable();
    const broken = { ...context, rpcs: [createChainRpc('http://127.0.0.1:1')] };
    await followLandings(broken);
    expect((await intentOf(intentId)).landed).toBeNull();
    const [row] = await db()<{ dueInMs: number; checkCount: number }[]>`
    select extract(epoch from due_at - now()) * 1000 as due_in_ms, check_count
    from intent_landings where intent_id = ${intentId}`;
    expect(row?.checkCount).toBe(1);
    expect(Number(row?.dueInMs)).toBeLessThanOrEqual(2_000);
    // And so on, a tenth of its age later each time, until nobody follows it any more.
    const dayS = 86_400;
    for (const [ageS, nextS] of [
      [60, 6],
      [dayS, 600],
      [2 * dayS - 1, 600],
      [2 * dayS, null],
    ] as const) {
      const now = new Date();
      await db()`
        update intent_landings set due_at = ${now}, landed_at = ${new Date(now.getTime() - ageS * 1_000)}
        where intent_id = ${intentId}`;
      await claimLandings(asWorker(db()), now, 100);
      const [next] = await db()<{ dueAt: Date | null }[]>`
        select due_at from intent_landings where intent_id = ${intentId}`;
      expect(next).toEqual({ dueAt: nextS === null ? null : new Date(now.getTime() + nextS * 1_000) });
    }
    await db()`update intent_landings set landed_at = now() where intent_id = ${intentId}`;
    for (const node of nodes) node.change = () => null;
    expect((await lookAgain(intentId)).landed).toMatchObject({ succeeded: true });
  });
});
