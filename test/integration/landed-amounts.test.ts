import { beforeAll, describe, expect, test } from 'bun:test';
import { startChain } from '../../sandbox/chain/server.ts';
import { TOKEN_ACCOUNT_BYTES } from '../../src/chain/accounts/token-account.ts';
import { createChainRpc } from '../../src/chain/rpc.ts';
import { confirmSubmitted } from '../../src/intents/confirm/confirm-submitted.ts';
import { followLandings } from '../../src/intents/land/follow-landings.ts';
import type { TransactionIntent } from '../../src/intents/schema.ts';
import { broadcastDue } from '../../src/intents/send/broadcast-due.ts';
import type { Sending } from '../../src/intents/sending-schema.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { rentOn } from '../support/chain/cluster-rent.ts';
import { fundedWallet } from '../support/intents/submitted-intent.ts';
import { intentContext } from '../support/processes/worker-context.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';
import { registerFeeAccount } from '../support/trading/fee-account.ts';
import { TradedMarket, type Trader } from '../support/trading/traded-market.ts';

const TIP_LAMPORTS = 54_321n;
const SIGNATURE_FEE = 5_000n;

let market: TradedMarket;
let trader: Trader;
let context: ReturnType<typeof intentContext>['context'];
let [tipAccount, feeAccount] = ['', ''];
/** A token that the wallet holds. */
let mint: string;

beforeAll(async () => {
  const chain = await startChain({ slotMs: 'manual' });
  atEnd(() => chain.stop());
  // Accounts that hold their rent, because smaller payments could not open them.
  tipAccount = (await fundedWallet(chain.rpcUrl)).publicKey.toBase58();
  feeAccount = (await fundedWallet(chain.rpcUrl)).publicKey.toBase58();
  market = await TradedMarket.over(chain, { TIP_ACCOUNTS: tipAccount, TIP_LAMPORTS: String(TIP_LAMPORTS) });
  trader = await market.trader();
  await registerFeeAccount(market, trader, feeAccount);
  const { database } = market.api.dependencies;
  context = intentContext(database, [createChainRpc(chain.rpcUrl)], systemClock).context;
  ({ mint } = await market.launch());
  // A quote and its landing are then at one time, so that a fee of the pool which depends on it is the same.
  market.stopTime();
  await landedSwap({ side: 'buy', amountRaw: '20000000000' });
});

const heldBy = (address: string) => market.chain.ledger.vm.getAccount(address)?.lamports ?? 0n;

interface Landed {
  intent: TransactionIntent;
  landed: NonNullable<TransactionIntent['landed']>;
  sending: Sending;
  // biome-ignore lint/suspicious/noExplicitAny: its schema is tested elsewhere
  quote: any;
  /** What the accounts got, and what the wallet has more than before. */
  got: { tip: bigint; fee: bigint; wallet: bigint };
}

/** Prepares, submits, confirms, and reads the facts. `meanwhile` runs before the transaction lands. */
async function landedSwap(
  { of = mint, ...fields }: Record<string, unknown> & { of?: string },
  meanwhile: () => Promise<void> = async () => {},
): Promise<Landed> {
  market.settle();
  const answer = await market.freshlyPrepared(of, trader, { slippageBps: 0, simulate: true, ...fields });
  const { intentId, quote } = answer;
  const { sending } = answer as unknown as { sending: Sending };
  const signed = await market.sign(intentId, trader);
  await meanwhile();
  const held = () => [heldBy(tipAccount), heldBy(feeAccount), market.lamportsOf(trader)] as const;
  const before = held();
  expect((await market.submit(intentId, trader, signed)).status).toBe(202);
  await eventually('the end of the intent', async () => {
    await (await broadcastDue(context, 64)).sent;
    market.chain.advanceSlots(2);
    await confirmSubmitted(context);
    return (await market.intent(intentId, trader)).status !== 'submitted';
  });
  const after = held();
  await followLandings(context);
  const intent = (await market.intent(intentId, trader)) as TransactionIntent;
  const { landed } = intent;
  if (landed === null) return expect.unreachable();
  const [tip, fee, wallet] = [after[0] - before[0], after[1] - before[1], after[2] - before[2]];
  return { intent, landed, sending, quote, got: { tip, fee, wallet } };
}

const orders = [
  { side: 'buy', mode: 'exact-in', amountRaw: '300000001' },
  { side: 'buy', mode: 'exact-out', amountRaw: '1234567891' },
  { side: 'sell', mode: 'exact-in', amountRaw: '2345678912' },
  { side: 'sell', mode: 'exact-out', amountRaw: '1000003' },
] as const;
const terms = [
  { tipLamports: '1', platformFeeBps: 500, computeUnitPrice: '12345', transactionVersion: 'v0' },
  { tipLamports: '77777', platformFeeBps: 33, computeUnitPrice: '1', transactionVersion: 'v1' },
  { tipLamports: undefined, platformFeeBps: 1, computeUnitPrice: '0', transactionVersion: 'legacy' },
] as const;

const cases = orders.flatMap((order) =>
  terms.map(
    (term) => [`${order.side} ${order.mode}`, term.transactionVersion, { ...order, ...term }] as const,
  ),
);

describe('a landed swap with a tip, a platform fee and priority', () => {
  test.each(cases)(
    '(%s, %s) shows each to the last lamport, and the amounts of its quote',
    async (_order, _version, { tipLamports, ...order }) => {
      const fields = { ...order, ...(tipLamports === undefined ? {} : { tipLamports }) };
      const { intent, landed, sending, quote, got } = await landedSwap(fields);
      expect(intent).toMatchObject({ status: 'confirmed', finality: 'confirmed' });
      const tip = BigInt(tipLamports ?? TIP_LAMPORTS);
      const fee = SIGNATURE_FEE + BigInt(sending.priorityFeeLamports);
      expect(sending.tipLamports).toBe(String(tip));
      expect(landed).toMatchObject({
        succeeded: true,
        feeLamports: String(fee),
        tipLamports: String(tip),
        inputRaw: quote.inputRaw,
        outputRaw: quote.outputRaw,
        quoteDifferenceBps: 0,
      });
      expect(got).toEqual({
        tip,
        fee: BigInt(quote.platformFee.lamports),
        wallet: BigInt(landed.changes.lamports),
      });
      expect(got.fee).toBeGreaterThan(0n);
      const isBuy = order.side === 'buy';
      const moved = isBuy ? -BigInt(quote.inputRaw) : BigInt(quote.outputRaw);
      expect(got.wallet).toBe(moved - fee - tip);
      const changeRaw = isBuy ? quote.outputRaw : `-${quote.inputRaw}`;
      expect(landed.changes.tokens).toEqual([{ mintAddress: mint, changeRaw }]);
    },
  );

  test('that is the first of its wallet pays the rent of its token account beside', async () => {
    const { mint: of } = await market.launch();
    const fields = { of, side: 'buy', amountRaw: '300000000', platformFeeBps: 250, computeUnitPrice: '5000' };
    const { landed, sending, quote, got } = await landedSwap(fields);
    expect(landed).toMatchObject({
      inputRaw: '300000000',
      outputRaw: quote.outputRaw,
      quoteDifferenceBps: 0,
    });
    const fee = SIGNATURE_FEE + BigInt(sending.priorityFeeLamports);
    expect(got.wallet).toBe(
      -300_000_000n - fee - TIP_LAMPORTS - rentOn(market.chain.ledger, TOKEN_ACCOUNT_BYTES),
    );
  });

  test('that failed shows what it paid for priority, and no tip and no platform fee', async () => {
    const token = await market.launch();
    const fields = {
      of: token.mint,
      side: 'buy',
      amountRaw: '300000000',
      platformFeeBps: 250,
      computeUnitPrice: '5000',
    };
    const { intent, landed, sending, got } = await landedSwap(fields, () =>
      market.buy(token, 2_000_000_000n),
    );
    expect(intent.status).toBe('failed');
    const fee = SIGNATURE_FEE + BigInt(sending.priorityFeeLamports);
    expect(landed).toMatchObject({
      succeeded: false,
      feeLamports: String(fee),
      tipLamports: '0',
      inputRaw: null,
    });
    expect(got).toEqual({ tip: 0n, fee: 0n, wallet: -fee });
  });

  test('and they are the sums of the landing report', async () => {
    const fields = { side: 'buy', amountRaw: '300000000', platformFeeBps: 250, computeUnitPrice: '5000' };
    const both = [await landedSwap(fields), await landedSwap({ ...fields, tipLamports: '9' })];
    // Not of this process's clock: that of the api may be some milliseconds behind it.
    const from = both[0]?.intent.createdAt;
    const to = new Date(Date.now() + 60_000).toISOString();
    const url = `${market.api.baseUrl}/landing-report?from=${from}&to=${to}`;
    const { total } = (await (await fetch(url, { headers: trader.key.header })).json()) as {
      total: Record<string, unknown>;
    };
    const fees = both.reduce((sum, { landed }) => sum + BigInt(landed.feeLamports), 0n);
    expect(total).toMatchObject({
      sent: 2,
      landed: 2,
      unknownFees: 0,
      feesLamports: String(fees),
      tipsLamports: String(TIP_LAMPORTS + 9n),
    });
  });
});
