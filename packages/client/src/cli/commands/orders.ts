import type { Schemas } from '../../operations.ts';
import { hasUnit, rawAmount, sol, type Unit, unitOfToken, withAmount } from '../amounts.ts';
import { type Command, CommandFailed, defined, type Invocation } from '../command.ts';
import { has, need, needArgument, numberOr, UsageError } from '../kit/command.ts';
import { choice, flag, required, text, wholeNumber } from '../kit/option.ts';
import { operationCommand } from '../operation-command.ts';
import { idempotency, optionalSigning, readKeyFile, sending, sendingOf, signing } from '../sending.ts';
import { readTime, time } from '../time.ts';

type Order = Schemas['Order'];

const ID = '0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e';
const order = { orderId: text('id of the order', { ...required, example: ID }) };
const SIDES = ['buy', 'sell'] as const;
const PRICES = ['spot', 'trade'] as const;
const STATUSES = [
  'unsigned',
  'open',
  'triggered',
  'landed',
  'failed',
  'cancelled',
  'expired',
  'voided',
] as const satisfies readonly Order['status'][];
const PRICE = /^(0|[1-9]\d*)(\.\d+)?$/;

const price = (when: string) =>
  text(`SOL for a whole token, at which and ${when} it is sent`, { format: 'price' });

/** `order`: swaps that were signed once, and wait for a price. */
export const orderCommands: readonly Command[] = [
  {
    name: 'order place',
    summary: 'Sign a swap with a key file that is sent when a trade crosses a price',
    details:
      'Nothing is deposited, and nothing is paid before the price is there. The order has its slot for itself; orders ' +
      'with the same --oco name share one, and whichever lands first ends the others. Priority and tip are part of ' +
      'the signature. Under an idempotency key the same line places the order once.',
    arguments: { mint: text('mint address of the token', required) },
    options: {
      side: choice('buy tokens for SOL, or sell them', SIDES, required),
      amount: text('what the wallet pays: raw units, or with a unit as 0.05sol or 12.5tokens', {
        ...required,
        format: 'amount',
      }),
      'at-or-above': price('above'),
      'at-or-below': price('below'),
      of: choice('which price is compared: the pool’s after a trade, or what the trade paid', PRICES, {
        default: 'spot',
      }),
      slippage: wholeNumber('how much worse than at the price it may become, fees included', 'basis points', {
        least: 0,
        most: 10_000,
      }),
      least: text('in place of --slippage: the least that the wallet gets, in raw units or with a unit', {
        format: 'amount',
      }),
      slot: text('order slot over whose nonce it is signed', { ...required, format: 'id' }),
      oco: text('name that orders of one slot share, which exclude each other', { format: 'name' }),
      expires: time('when it ends'),
      'this-pool-only': flag('sign nothing for the pool after the migration: the order ends with the curve'),
      ...signing,
      ...idempotency,
      ...sending,
    },
    examples: [
      `7q2afV64in6N6SeZsAAB81TJzwDoD6zpqmHkzi9dQ1Zw --side sell --amount 1000tokens --at-or-below 0.000000021 --slippage 500 --slot ${ID} --key-file wallet.json`,
    ],
    async run(invocation) {
      const { client, output, signal, options } = invocation;
      const terms = termsOf(invocation);
      const signer = await readKeyFile(options);
      const parameters = { ...terms, ...(await amountsOf(invocation, terms.side)), ...sendingOf(options) };
      const placed = await client().placeOrder(parameters, signer, {
        signal,
        idempotencyKey: options['idempotency-key'],
        outlivesMigration: !has(options, 'this-pool-only'),
        onStep: (step, record) => {
          output.note(`${step}: order ${record.id}`);
          for (const notice of 'notices' in record ? record.notices : []) output.note(`notice: ${notice}`);
        },
      });
      await showOrder(invocation, placed);
    },
  },
  operationCommand('order list', 'listOrders', 'List the orders of the account, newest first', {
    options: {
      status: choice('only those with this status', STATUSES),
      mint: text('only those of this token', { format: 'address' }),
    },
    examples: ['--status open'],
    columns: 'id status side mintAddress amountRaw trigger oco createdAt',
    forPeople: (record) => ({ ...record, trigger: triggerText(record), status: statusText(record) }),
  }),
  {
    name: 'order show',
    summary: 'Show an order, with what triggered it and what landed',
    arguments: order,
    async run(invocation) {
      const { client, signal } = invocation;
      const orderId = needArgument(invocation.arguments, 'orderId');
      await showOrder(invocation, await client().getOrder({ orderId }, { signal }));
    },
  },
  {
    name: 'order wait',
    summary: 'Wait until an order has ended, and show it',
    details: 'It ends with exit code 1 when the order did not land.',
    arguments: order,
    async run(invocation) {
      const { client, signal } = invocation;
      const ended = await client().waitForOrder(needArgument(invocation.arguments, 'orderId'), { signal });
      await showOrder(invocation, ended);
      if (ended.status !== 'landed') throw new CommandFailed(`the order is ${statusText(ended)}`);
    },
  },
  {
    name: 'order cancel',
    summary: 'Stop an order; with a key file also make its signature worthless',
    details:
      'The service sends nothing from then on. The signature stays good for whoever has the signed bytes, until the ' +
      'nonce advances: with --key-file the command signs that and waits until it has landed, which ends the other ' +
      'orders of the slot too.',
    arguments: order,
    options: { ...optionalSigning, ...idempotency },
    examples: [ID, `${ID} --key-file wallet.json`],
    async run(invocation) {
      const { client, output, signal, options } = invocation;
      const idempotencyKey = options['idempotency-key'];
      const parameters = { orderId: needArgument(invocation.arguments, 'orderId') };
      if (options['key-file'] === undefined) {
        const stopped = await client().cancelOrder(parameters, { signal, idempotencyKey });
        await showOrder(invocation, stopped.order);
        if (stopped.missing !== 'nothing_signed' && stopped.missing !== 'nonce_spent')
          output.note('The signature stays good until the nonce advances: repeat it with --key-file.');
        return;
      }
      const signer = await readKeyFile(options);
      const withdrawn = await client().withdrawOrder(parameters, signer, {
        signal,
        idempotencyKey,
        onStep: (step, record) =>
          output.note(
            'order' in record ? `cancelled: order ${record.order.id}` : `${step}: intent ${record.id}`,
          ),
      });
      await showOrder(invocation, withdrawn.order);
      if (withdrawn.intent === null) output.note('There is no signature whose nonce could be advanced.');
    },
  },
];

/** The terms of an order except its amounts. Throws UsageError before any request. */
function termsOf({ options, arguments: values }: Invocation) {
  const { 'at-or-above': above, 'at-or-below': below, oco, expires } = options;
  if ((above === undefined) === (below === undefined))
    throw new UsageError('one of --at-or-above and --at-or-below is needed');
  const limit = above ?? need(options, 'at-or-below');
  if (!PRICE.test(limit))
    throw new UsageError(`the price is a decimal of SOL, as 0.000000021, not "${limit}"`);
  const slippageBps = numberOr(options, 'slippage', undefined);
  if ((slippageBps === undefined) === (options.least === undefined))
    throw new UsageError('one of --slippage and --least is needed');
  return {
    slotId: need(options, 'slot'),
    mint: needArgument(values, 'mint'),
    side: need(options, 'side') as Order['side'],
    trigger: {
      price: limit,
      when: above === undefined ? 'at_or_below' : 'at_or_above',
      of: need(options, 'of') as Order['trigger']['of'],
    } as const,
    ...defined({ slippageBps, oco, expiresAt: expires === undefined ? undefined : readTime(expires) }),
  };
}

/** The raw amounts; the decimals of the token are read where an amount is in tokens. */
async function amountsOf(
  { client, options, signal, arguments: values }: Invocation,
  side: Order['side'],
): Promise<{ amountRaw: string; limitRaw?: string }> {
  const { least } = options;
  const amount = need(options, 'amount');
  const inTokens = side === 'sell' ? amount : least;
  // Before the first request, so that a wrong line is refused without a network.
  const finest: Unit = { name: 'tokens', decimals: 20 };
  const inUnits = (token: Unit) => ({
    amountRaw: rawAmount(amount, side === 'sell' ? token : sol),
    ...(least !== undefined && { limitRaw: rawAmount(least, side === 'sell' ? sol : token, '--least') }),
  });
  inUnits(finest);
  const isNeeded = inTokens !== undefined && hasUnit(inTokens);
  return inUnits(isNeeded ? await unitOfToken(client(), needArgument(values, 'mint'), signal) : finest);
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
