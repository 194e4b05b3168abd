import type { Launchwire } from '../../client.ts';
import type { Arguments, Schemas } from '../../operations.ts';
import { hasUnit, rawAmount, sol, type Unit, unitOfToken, withAmount } from '../amounts.ts';
import { type Command, defined, type Invocation } from '../command.ts';
import { need, needArgument, numberOr, UsageError, type Values } from '../kit/command.ts';
import { choice, type Options, required, text, wholeNumber } from '../kit/option.ts';
import { operationCommand } from '../operation-command.ts';
import { flowOptions, idempotency, readKeyFile, sending, sendingOf, signing } from '../sending.ts';

const MINT = '7q2afV64in6N6SeZsAAB81TJzwDoD6zpqmHkzi9dQ1Zw';
const mint = { mint: text('mint address of the token', { ...required, example: MINT }) };
const terms: Options = {
  side: choice('buy tokens for SOL, or sell them', ['buy', 'sell'], required),
  amount: text(
    'of what goes in, or with exact-out of what comes out: raw units, or with a unit as 0.05sol or 12.5tokens',
    { format: 'amount' },
  ),
  bps: wholeNumber('in place of an amount: the share of the wallet’s tokens to sell', 'basis points', {
    most: 10_000,
  }),
  mode: choice('what the amount is of', ['exact-in', 'exact-out'], { default: 'exact-in' }),
  slippage: wholeNumber('how much worse it may become', 'basis points', {
    least: 0,
    most: 10_000,
    default: '50',
  }),
  'platform-fee': wholeNumber(
    'fee of an integrator, a share of the SOL side, for the account that the operator registered',
    'basis points',
    { least: 0, most: 10_000 },
  ),
};

interface Order {
  parameters: Arguments<'createSwap'> & { slippageBps?: number };
  /** Null when it is not needed: amounts are raw, and a program reads them. */
  token: Unit | null;
}

/** The options that orders of one token and of several share. */
function termsOf(options: Values) {
  const side = need(options, 'side') as 'buy' | 'sell';
  const mode = need(options, 'mode') as 'exact-in' | 'exact-out';
  const amountBps = numberOr(options, 'bps', undefined);
  if ((amountBps === undefined) === (options.amount === undefined))
    throw new UsageError(
      amountBps === undefined ? '--amount is needed, or --bps' : '--amount and --bps exclude each other',
    );
  if (amountBps !== undefined && (side === 'buy' || mode === 'exact-out'))
    throw new UsageError('--bps is a share of tokens to sell, with exact-in');
  const slippageBps = numberOr(options, 'slippage', undefined);
  const platformFeeBps = numberOr(options, 'platform-fee', undefined);
  return {
    terms: { side, mode, ...defined({ slippageBps, platformFeeBps }) },
    amountBps,
    isInSol: (side === 'buy') === (mode === 'exact-in'),
  };
}

async function orderOf({ client, output, signal, options, arguments: values }: Invocation): Promise<Order> {
  const mint = needArgument(values, 'mint');
  const { terms, amountBps, isInSol } = termsOf(options);
  if (amountBps !== undefined) {
    const token = output.isJson ? null : await unitOfToken(client(), mint, signal);
    return { parameters: { mint, ...terms, amountBps }, token };
  }
  const amount = need(options, 'amount');
  // Before the first request, so that a wrong line is refused without a network.
  rawAmount(amount, isInSol ? sol : { name: 'tokens', decimals: 20 });
  const isNeeded = !output.isJson || (!isInSol && hasUnit(amount));
  const token = isNeeded ? await unitOfToken(client(), mint, signal) : null;
  const amountRaw = rawAmount(amount, isInSol || token === null ? sol : token);
  return { parameters: { mint, ...terms, amountRaw }, token };
}

/** A raw amount with its unit beside it; null where there is none, raw without a unit. */
function amountOf(raw: string | null | undefined, unit: Unit | null): string | null {
  if (raw == null) return null;
  return unit === null ? raw : withAmount(raw, unit);
}

/** A quote with readable amounts beside the raw ones. */
function forPeople(quote: Schemas['SwapQuote'], token: Unit) {
  const unitOf = (mint: string) => (mint === quote.mintAddress ? token : sol);
  const [input, output] = [unitOf(quote.inputMint), unitOf(quote.outputMint)];
  const { fee, platformFee, remainingCapacity } = quote;
  return {
    ...quote,
    inputRaw: amountOf(quote.inputRaw, input),
    outputRaw: amountOf(quote.outputRaw, output),
    minimumOutputRaw: amountOf(quote.minimumOutputRaw, output),
    maximumInputRaw: amountOf(quote.maximumInputRaw, input),
    walletBalanceRaw: amountOf(quote.walletBalanceRaw, token),
    platformFee: amountOf(platformFee?.lamports, sol),
    fee: `${withAmount(fee.totalRaw, unitOf(fee.mintAddress))}, rate ${fee.rate}`,
    remainingCapacity:
      remainingCapacity === null
        ? null
        : `${withAmount(remainingCapacity.quoteRaw, sol)}, ${withAmount(remainingCapacity.baseRaw, token)}`,
  };
}

/** Tokens of a basket, each with the same order; prints a row for each, also for those that have no quote. */
async function quoteBasket(
  invocation: Invocation,
  mints: readonly string[],
  wallet: string | undefined,
): Promise<void> {
  const { client, output, signal, options } = invocation;
  const { terms, amountBps, isInSol } = termsOf(options);
  const amount = amountBps === undefined ? need(options, 'amount') : '0';
  // Before the first request, so that a wrong line is refused without a network.
  rawAmount(amount, isInSol ? sol : { name: 'tokens', decimals: 20 });
  const unitOf = async (mint: string) =>
    isInSol || !hasUnit(amount) ? sol : await unitOfToken(client(), mint, signal);
  const amounts = await Promise.all(mints.map(async (mint) => rawAmount(amount, await unitOf(mint))));
  const { items } = await client().listQuotes(
    {
      ...terms,
      mints: mints.join(','),
      ...(amountBps === undefined ? { amountRaw: amounts.join(',') } : { amountBps: String(amountBps) }),
      ...defined({ wallet }),
    },
    { signal },
  );
  output.table(
    items,
    ['mintAddress', 'inputRaw', 'outputRaw', 'slot', 'error'],
    ({ mintAddress, quote, error }) => ({
      mintAddress,
      inputRaw: quote?.inputRaw,
      outputRaw: quote?.outputRaw,
      slot: quote?.slot,
      error: error && `${error.code}: ${error.detail}`,
    }),
  );
}

export const quoteCommand: Command = {
  name: 'quote',
  summary: 'Quote a swap of one token, or of up to 20 in one slot; changes nothing and needs no key',
  arguments: { mint: text('mint address of the token, or of several, separated by commas', required) },
  options: { ...terms, wallet: text('whose tokens --bps is a share of', { format: 'address' }) },
  examples: [
    `${MINT} --side buy --amount 50000000`,
    `${MINT} --side sell --amount 12.5tokens`,
    `${MINT},BFJ5gnYSdKk2tTJwvB9sNsxJ4rKzcQ2nE3sBTjDhPMZD --side sell --bps 5000 --wallet 7dHbWXmci3dT8UFYWYZweBLXgycu7Y3iL6trKn1Y7ARj`,
  ],
  async run(invocation) {
    const { client, output, signal, options } = invocation;
    const { wallet } = options;
    const { amountBps } = termsOf(options);
    if ((amountBps === undefined) !== (wallet === undefined))
      throw new UsageError(wallet === undefined ? '--bps needs --wallet' : '--wallet is for --bps');
    const mints = needArgument(invocation.arguments, 'mint').split(',');
    if (mints.length > 1) return quoteBasket(invocation, mints, wallet);
    const { parameters, token } = await orderOf(invocation);
    const quote = await client().getSwapQuote({ ...parameters, ...defined({ wallet }) }, { signal });
    output.record(quote, token === null ? quote : forPeople(quote, token));
  },
};

export const priorityFeesCommand = operationCommand(
  'priority-fees',
  'getPriorityFees',
  'Show what recent transactions with a token paid for priority; needs no key',
  {
    arguments: mint,
    forPeople: ({ levels, ...others }) => ({ ...levels, ...others }),
  },
);

export const swapCommand: Command = {
  name: 'swap',
  summary: 'Prepare a swap, sign it with a key file, submit it and wait until it has landed',
  details:
    'Moves money. It ends with exit code 1 when the transaction did not confirm: then nothing was swapped. Under an ' +
    'idempotency key the same line continues the same swap for 24 hours, after a crash too, and never swaps twice.',
  arguments: mint,
  options: { ...terms, ...signing, ...idempotency, ...sending },
  examples: [
    `${MINT} --side buy --amount 0.05sol --key-file wallet.json`,
    `${MINT} --side sell --bps 10000 --key-file wallet.json`,
    `${MINT} --side buy --amount 0.05sol --key-file wallet.json --priority veryHigh --max-priority 100000 --route protected`,
  ],
  async run(invocation) {
    const { client, output, options } = invocation;
    const signer = await readKeyFile(options);
    const { parameters, token } = await orderOf(invocation);
    const order = { ...parameters, ...sendingOf(options) };
    const swapped = await client().swap(order, signer, flowOptions(invocation));
    output.record(recordOf(swapped, null), recordOf(swapped, token));
  },
};

type Swapped = Awaited<ReturnType<Launchwire['swap']>>;

/** A swap as it ended. With the unit of its token, for people: amounts have their units beside the raw ones. */
function recordOf({ swap: { quote }, intent, landed }: Swapped, token: Unit | null) {
  const [input, output] = quote.inputMint === quote.mintAddress ? [token, sol] : [sol, token];
  const readable = (raw: string | null | undefined, unit: Unit | null) => amountOf(raw, token && unit);
  return {
    intentId: intent.id,
    status: intent.status,
    transactionSignature: intent.transactionSignature,
    quotedInputRaw: readable(quote.inputRaw, input),
    quotedOutputRaw: readable(quote.outputRaw, output),
    paidRaw: readable(landed?.inputRaw, input),
    receivedRaw: readable(landed?.outputRaw, output),
    priceInSol: landed?.priceInSol ?? null,
    quoteDifferenceBps: landed?.quoteDifferenceBps ?? null,
    feeLamports: readable(landed?.feeLamports, sol),
    tipLamports: readable(landed?.tipLamports, sol),
  };
}
