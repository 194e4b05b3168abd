import type { Arguments, Schemas } from '../../operations.ts';
import { hasUnit, rawAmount, SOL_DECIMALS, type Unit, unitOfToken, withAmount } from '../amounts.ts';
import { argumentOf, type Command, type Invocation, numberOf, textOf } from '../command.ts';
import { CommandFailed, UsageError } from '../failures.ts';
import { idempotencyKeyOf, idempotencyOption } from '../idempotency-key.ts';
import { keyFileOption, readKeyFile } from '../key-file.ts';
import { sendingOf, sendingOptions } from '../sending.ts';
import { take } from '../take.ts';
import { timeOf } from '../time.ts';

type Order = Schemas['Order'];

const sol: Unit = { name: 'sol', decimals: SOL_DECIMALS };
const orderId = { name: 'id', help: 'id of the order', required: true };
const STATUSES = [
  ...(['unsigned', 'open', 'triggered', 'landed'] as const),
  ...(['failed', 'cancelled', 'expired', 'voided'] as const),
] as const satisfies readonly Order['status'][];
const PRICE = /^(0|[1-9]\d*)(\.\d+)?$/;

/** `order`: swaps that were signed once, and wait for a price. */
export const orderCommands: readonly Command[] = [
  {
    name: 'order place',
    summary: 'Sign a swap with a key file that is sent when a trade crosses a price',
    details:
      'Nothing is deposited, and nothing is paid before the price is there. The order has its slot for itself; orders ' +
      'with the same --oco name share one, and whichever lands first ends the others. Priority and tip are part of ' +
      'the signature. Under an idempotency key the same line places the order once.',
    arguments: [{ name: 'mint', help: 'mint address of the token', required: true }],
    options: {
      side: {
        kind: 'text',
        choices: ['buy', 'sell'],
        help: 'buy tokens for SOL, or sell them',
        required: true,
      },
      amount: {
        kind: 'text',
        value: 'AMOUNT',
        help: 'what the wallet pays: raw units, or with a unit as 0.05sol or 12.5tokens',
        required: true,
      },
      'at-or-above': {
        kind: 'text',
        value: 'PRICE',
        help: 'SOL for a whole token, at which and above it is sent',
      },
      'at-or-below': {
        kind: 'text',
        value: 'PRICE',
        help: 'SOL for a whole token, at which and below it is sent',
      },
      of: {
        kind: 'text',
        choices: ['spot', 'trade'],
        help: 'which price is compared: the pool’s after a trade, or what the trade paid',
        default: 'spot',
      },
      slippage: {
        kind: 'text',
        value: 'BPS',
        help: 'how much worse than at the price it may become, fees included, in basis points from 0 to 10000',
      },
      least: {
        kind: 'text',
        value: 'AMOUNT',
        help: 'in place of --slippage: the least that the wallet gets, in raw units or with a unit',
      },
      slot: { kind: 'text', value: 'ID', help: 'order slot over whose nonce it is signed', required: true },
      oco: {
        kind: 'text',
        value: 'NAME',
        help: 'name that orders of one slot share, which exclude each other',
      },
      expires: { kind: 'text', value: 'TIME', help: 'when it ends, as 2026-12-20T10:00:00Z' },
      'this-pool-only': {
        kind: 'flag',
        help: 'sign nothing for the pool after the migration: the order ends with the curve',
      },
      'key-file': keyFileOption,
      ...idempotencyOption,
      ...sendingOptions,
    },
    examples: [
      'launchwire order place 7q2afV64in6N6SeZsAAB81TJzwDoD6zpqmHkzi9dQ1Zw --side sell --amount 1000tokens --at-or-below 0.000000021 --slippage 500 --slot 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e --key-file wallet.json',
    ],
    async run(invocation) {
      const { client, output, signal, options } = invocation;
      const idempotencyKey = idempotencyKeyOf(invocation);
      const terms = termsOf(invocation);
      const sending = sendingOf(invocation);
      const signer = await readKeyFile(textOf(invocation, 'key-file'));
      const amounts = await amountsOf(invocation, terms.side);
      const order = await client().placeOrder({ ...terms, ...amounts, ...sending }, signer, {
        signal,
        idempotencyKey,
        outlivesMigration: options['this-pool-only'] !== true,
        onStep: (step, record) => {
          output.note(`${step}: order ${record.id}`);
          for (const notice of 'notices' in record ? record.notices : []) output.note(`notice: ${notice}`);
        },
      });
      await showOrder(invocation, order);
    },
  },
  {
    name: 'order list',
    summary: 'List the orders of the account, newest first',
    arguments: [],
    options: {
      status: { kind: 'text', choices: STATUSES, help: 'only those with this status' },
      mint: { kind: 'text', value: 'MINT', help: 'only those of this token' },
      limit: { kind: 'text', value: 'N', help: 'how many, from 1 to 1000', default: '20' },
    },
    examples: ['launchwire order list --status open'],
    async run(invocation) {
      const { client, output, signal, options } = invocation;
      const { status, mint } = options as Pick<NonNullable<Arguments<'listOrders'>>, 'status' | 'mint'>;
      const orders = client().orders(
        { ...(status !== undefined && { status }), ...(mint !== undefined && { mint }) },
        { signal },
      );
      output.table(
        await take(orders, numberOf(invocation, 'limit', 1, 1_000) ?? 20),
        ['id', 'status', 'side', 'mintAddress', 'amountRaw', 'trigger', 'oco', 'createdAt'],
        (order) => ({ ...order, trigger: triggerText(order), status: statusText(order) }),
      );
    },
  },
  {
    name: 'order show',
    summary: 'Show an order, with what triggered it and what landed',
    arguments: [orderId],
    options: {},
    examples: ['launchwire order show 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e'],
    async run(invocation) {
      const { client, signal } = invocation;
      await showOrder(
        invocation,
        await client().getOrder({ orderId: argumentOf(invocation, 'id') }, { signal }),
      );
    },
  },
  {
    name: 'order wait',
    summary: 'Wait until an order has ended, and show it',
    details: 'It ends with exit code 1 when the order did not land.',
    arguments: [orderId],
    options: {},
    examples: ['launchwire order wait 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e'],
    async run(invocation) {
      const { client, signal } = invocation;
      const order = await client().waitForOrder(argumentOf(invocation, 'id'), { signal });
      await showOrder(invocation, order);
      if (order.status !== 'landed') throw new CommandFailed(`the order is ${statusText(order)}`);
    },
  },
  {
    name: 'order cancel',
    summary: 'Stop an order; with a key file also make its signature worthless',
    details:
      'The service sends nothing from then on. The signature stays good for whoever has the signed bytes, until the ' +
      'nonce advances: with --key-file the command signs that and waits until it has landed, which ends the other ' +
      'orders of the slot too.',
    arguments: [orderId],
    options: { 'key-file': { ...keyFileOption, required: false }, ...idempotencyOption },
    examples: [
      'launchwire order cancel 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e',
      'launchwire order cancel 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e --key-file wallet.json',
    ],
    async run(invocation) {
      const { client, output, signal, options } = invocation;
      const idempotencyKey = idempotencyKeyOf(invocation);
      const parameters = { orderId: argumentOf(invocation, 'id') };
      if (options['key-file'] === undefined) {
        const { order, missing } = await client().cancelOrder(parameters, { signal, idempotencyKey });
        await showOrder(invocation, order);
        if (missing !== 'nothing_signed' && missing !== 'nonce_spent')
          output.note('The signature stays good until the nonce advances: repeat it with --key-file.');
        return;
      }
      const signer = await readKeyFile(textOf(invocation, 'key-file'));
      const { order, intent } = await client().withdrawOrder(parameters, signer, {
        signal,
        idempotencyKey,
        onStep: (step, record) =>
          output.note(
            'order' in record ? `cancelled: order ${record.order.id}` : `${step}: intent ${record.id}`,
          ),
      });
      await showOrder(invocation, order);
      if (intent === null) output.note('There is no signature whose nonce could be advanced.');
    },
  },
];

/** The terms of an order without its amounts. Throws UsageError before any request. */
function termsOf(invocation: Invocation) {
  const { options } = invocation;
  const [above, below] = [options['at-or-above'], options['at-or-below']];
  if ((above === undefined) === (below === undefined))
    throw new UsageError('one of --at-or-above and --at-or-below is needed');
  const price = typeof above === 'string' ? above : textOf(invocation, 'at-or-below');
  if (!PRICE.test(price))
    throw new UsageError(`the price is a decimal of SOL, as 0.000000021, not "${price}"`);
  const slippageBps = numberOf(invocation, 'slippage', 0, 10_000);
  if ((slippageBps === undefined) === (options.least === undefined))
    throw new UsageError('one of --slippage and --least is needed');
  const expiresAt = timeOf(invocation, 'expires');
  return {
    slotId: textOf(invocation, 'slot'),
    mint: argumentOf(invocation, 'mint'),
    side: textOf(invocation, 'side') as Order['side'],
    trigger: {
      price,
      when: above === undefined ? 'at_or_below' : 'at_or_above',
      of: textOf(invocation, 'of') as Order['trigger']['of'],
    } as const,
    ...(slippageBps !== undefined && { slippageBps }),
    ...(typeof options.oco === 'string' && { oco: options.oco }),
    ...(expiresAt !== undefined && { expiresAt }),
  };
}

/** The raw amounts; the decimals of the token are read where an amount is in tokens. */
async function amountsOf(
  invocation: Invocation,
  side: Order['side'],
): Promise<{ amountRaw: string; limitRaw?: string }> {
  const { client, options, signal } = invocation;
  const least = typeof options.least === 'string' ? options.least : undefined;
  const amount = textOf(invocation, 'amount');
  const inTokens = side === 'sell' ? amount : least;
  // Before the first request, so that a wrong line is refused without a network.
  const finest: Unit = { name: 'tokens', decimals: 20 };
  const inUnits = (token: Unit) => ({
    amountRaw: rawAmount(amount, side === 'sell' ? token : sol),
    ...(least !== undefined && { limitRaw: rawAmount(least, side === 'sell' ? sol : token, '--least') }),
  });
  inUnits(finest);
  const isNeeded = inTokens !== undefined && hasUnit(inTokens);
  return inUnits(isNeeded ? await unitOfToken(client(), argumentOf(invocation, 'mint'), signal) : finest);
}

/** For people with readable amounts, and without the bytes to sign. */
async function showOrder({ client, output, signal }: Invocation, order: Order): Promise<void> {
  if (output.isJson) return output.record(order);
  const token = await unitOfToken(client(), order.mintAddress, signal);
  const [paid, received] = order.side === 'sell' ? [token, sol] : [sol, token];
  const { trigger, triggeredBy, transactions, amountRaw, limitRaw, landed, refusal, ...rest } = order;
  output.record(order, {
    ...rest,
    amountRaw: withAmount(amountRaw, paid),
    limitRaw: withAmount(limitRaw, received),
    trigger: triggerText(order),
    venues: transactions.map(({ venue, signed }) => (signed ? venue : `${venue} (not signed)`)),
    triggeredBy: triggeredBy === null ? null : `${triggeredBy.price} in slot ${triggeredBy.slot}`,
    tradeId: triggeredBy?.tradeId ?? null,
    refusal: refusal === null ? null : (refusal.programError?.name ?? refusal.reason),
    receivedRaw: landed?.outputRaw == null ? null : withAmount(landed.outputRaw, received),
    feeLamports: landed?.feeLamports ?? null,
  });
}

function triggerText({ trigger: { price, when, of } }: Order): string {
  return `${of} ${when === 'at_or_above' ? '>=' : '<='} ${price}`;
}

function statusText({ status, reason }: Order): string {
  return reason === null ? status : `${status} (${reason})`;
}
