import type { Launchwire } from '../../client.ts';
import type { Arguments, Schemas } from '../../operations.ts';
import { hasUnit, rawAmount, SOL_DECIMALS, type Unit, unitOfToken, withAmount } from '../amounts.ts';
import { argumentOf, type Command, type Invocation, numberOf, textOf } from '../command.ts';
import { UsageError } from '../failures.ts';
import { idempotencyKeyOf, idempotencyOption } from '../idempotency-key.ts';
import { keyFileOption, readKeyFile } from '../key-file.ts';
import { sendingOf, sendingOptions } from '../sending.ts';

const mint = { name: 'mint', help: 'mint address of the token', required: true };
const order = {
  side: { kind: 'text', choices: ['buy', 'sell'], help: 'buy tokens for SOL, or sell them', required: true },
  amount: {
    kind: 'text',
    value: 'AMOUNT',
    help: 'of what goes in, or with exact-out of what comes out: raw units, or with a unit as 0.05sol or 12.5tokens',
  },
  bps: {
    kind: 'text',
    value: 'BPS',
    help: 'in place of an amount: the share of the wallet’s tokens to sell, in basis points from 1 to 10000',
  },
  mode: {
    kind: 'text',
    choices: ['exact-in', 'exact-out'],
    help: 'what the amount is of',
    default: 'exact-in',
  },
  slippage: {
    kind: 'text',
    value: 'BPS',
    help: 'how much worse it may become, in basis points from 0 to 10000',
    default: '50',
  },
  'platform-fee': {
    kind: 'text',
    value: 'BPS',
    help: 'fee of an integrator in basis points of the SOL side, for the account that the operator registered',
  },
} as const;

interface Order {
  parameters: Arguments<'createSwap'> & { slippageBps?: number };
  /** Null when it is not needed: amounts are raw, and a program reads them. */
  token: Unit | null;
}

/** The options that orders of one token and of several share. */
function termsOf(invocation: Invocation) {
  const { options } = invocation;
  const side = textOf(invocation, 'side') as 'buy' | 'sell';
  const mode = textOf(invocation, 'mode') as 'exact-in' | 'exact-out';
  const amountBps = numberOf(invocation, 'bps', 1, 10_000);
  if ((amountBps === undefined) === (options.amount === undefined))
    throw new UsageError(
      amountBps === undefined ? '--amount is needed, or --bps' : '--amount and --bps exclude each other',
    );
  if (amountBps !== undefined && (side === 'buy' || mode === 'exact-out'))
    throw new UsageError('--bps is a share of tokens to sell, with exact-in');
  const slippageBps = numberOf(invocation, 'slippage', 0, 10_000);
  const platformFeeBps = numberOf(invocation, 'platform-fee', 0, 10_000);
  return {
    terms: {
      side,
      mode,
      ...(slippageBps !== undefined && { slippageBps }),
      ...(platformFeeBps !== undefined && { platformFeeBps }),
    },
    amountBps,
    isInSol: (side === 'buy') === (mode === 'exact-in'),
  };
}

async function orderOf(invocation: Invocation): Promise<Order> {
  const { client, output, signal } = invocation;
  const mint = argumentOf(invocation, 'mint');
  const { terms, amountBps, isInSol } = termsOf(invocation);
  if (amountBps !== undefined) {
    const token = output.isJson ? null : await unitOfToken(client(), mint, signal);
    return { parameters: { mint, ...terms, amountBps }, token };
  }
  const amount = textOf(invocation, 'amount');
  // Before the first request, so that a wrong line is refused without a network.
  rawAmount(amount, isInSol ? sol : { name: 'tokens', decimals: 20 });
  const isNeeded = !output.isJson || (!isInSol && hasUnit(amount));
  const token = isNeeded ? await unitOfToken(client(), mint, signal) : null;
  const amountRaw = rawAmount(amount, isInSol || token === null ? sol : token);
  return { parameters: { mint, ...terms, amountRaw }, token };
}

const sol: Unit = { name: 'sol', decimals: SOL_DECIMALS };

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
  const { client, output, signal } = invocation;
  const { terms, amountBps, isInSol } = termsOf(invocation);
  const amount = amountBps === undefined ? textOf(invocation, 'amount') : '0';
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
      ...(wallet !== undefined && { wallet }),
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
  arguments: [{ ...mint, help: 'mint address of the token, or of several, separated by commas' }],
  options: {
    ...order,
    wallet: { kind: 'text', value: 'ADDRESS', help: 'whose tokens --bps is a share of' },
  },
  examples: [
    'launchwire quote 7q2afV64in6N6SeZsAAB81TJzwDoD6zpqmHkzi9dQ1Zw --side buy --amount 50000000',
    'launchwire quote 7q2afV64in6N6SeZsAAB81TJzwDoD6zpqmHkzi9dQ1Zw --side sell --amount 12.5tokens',
    'launchwire quote 7q2afV64in6N6SeZsAAB81TJzwDoD6zpqmHkzi9dQ1Zw,BFJ5gnYSdKk2tTJwvB9sNsxJ4rKzcQ2nE3sBTjDhPMZD --side sell --bps 5000 --wallet 7dHbWXmci3dT8UFYWYZweBLXgycu7Y3iL6trKn1Y7ARj',
  ],
  async run(invocation) {
    const { client, output, signal, options } = invocation;
    const wallet = typeof options.wallet === 'string' ? options.wallet : undefined;
    const { amountBps } = termsOf(invocation);
    if ((amountBps === undefined) !== (wallet === undefined))
      throw new UsageError(wallet === undefined ? '--bps needs --wallet' : '--wallet is for --bps');
    const mints = argumentOf(invocation, 'mint').split(',');
    if (mints.length > 1) return quoteBasket(invocation, mints, wallet);
    const { parameters, token } = await orderOf(invocation);
    const quote = await client().getSwapQuote(
      { ...parameters, ...(wallet !== undefined && { wallet }) },
      { signal },
    );
    output.record(quote, token === null ? quote : forPeople(quote, token));
  },
};

export const priorityFeesCommand: Command = {
  name: 'priority-fees',
  summary: 'Show what recent transactions with a token paid for priority; needs no key',
  arguments: [mint],
  options: {},
  examples: ['launchwire priority-fees 7q2afV64in6N6SeZsAAB81TJzwDoD6zpqmHkzi9dQ1Zw'],
  async run(invocation) {
    const { client, output, signal } = invocation;
    const fees = await client().getPriorityFees({ mint: argumentOf(invocation, 'mint') }, { signal });
    const { levels, ...others } = fees;
    output.record(fees, { ...levels, ...others, accounts: others.accounts.join(', ') });
  },
};

export const swapCommand: Command = {
  name: 'swap',
  summary: 'Prepare a swap, sign it with a key file, submit it and wait until it has landed',
  details:
    'Moves money. It ends with exit code 1 when the transaction did not confirm: then nothing was swapped. Under an ' +
    'idempotency key the same line continues the same swap for 24 hours, after a crash too, and never swaps twice.',
  arguments: [mint],
  options: {
    ...order,
    'key-file': keyFileOption,
    ...idempotencyOption,
    ...sendingOptions,
  },
  examples: [
    'launchwire swap 7q2afV64in6N6SeZsAAB81TJzwDoD6zpqmHkzi9dQ1Zw --side buy --amount 0.05sol --key-file wallet.json',
    'launchwire swap 7q2afV64in6N6SeZsAAB81TJzwDoD6zpqmHkzi9dQ1Zw --side sell --bps 10000 --key-file wallet.json',
    'launchwire swap 7q2afV64in6N6SeZsAAB81TJzwDoD6zpqmHkzi9dQ1Zw --side buy --amount 0.05sol --key-file wallet.json --priority veryHigh --max-priority 100000 --route protected',
  ],
  async run(invocation) {
    const { client, output, signal } = invocation;
    const idempotencyKey = idempotencyKeyOf(invocation);
    const sending = sendingOf(invocation);
    const signer = await readKeyFile(textOf(invocation, 'key-file'));
    const { parameters, token } = await orderOf(invocation);
    const onStep = (step: string, record: { intentId?: string; id?: string }) =>
      output.note(`${step}: intent ${record.intentId ?? record.id}`);
    const swapped = await client().swap({ ...parameters, ...sending }, signer, {
      signal,
      onStep,
      idempotencyKey,
    });
    output.record(recordOf(swapped, null), recordOf(swapped, token));
  },
};

type Swapped = Awaited<ReturnType<Launchwire['swap']>>;

/** A swap as it ended. With the unit of its token, for people: amounts have their units beside the raw ones. */
function recordOf({ swap: { quote }, intent, landed }: Swapped, token: Unit | null) {
  const [input, output] = quote.inputMint === quote.mintAddress ? [token, sol] : [sol, token];
  const shown = (raw: string | null | undefined, unit: Unit | null) => amountOf(raw, token && unit);
  return {
    intentId: intent.id,
    status: intent.status,
    transactionSignature: intent.transactionSignature,
    quotedInputRaw: shown(quote.inputRaw, input),
    quotedOutputRaw: shown(quote.outputRaw, output),
    paidRaw: shown(landed?.inputRaw, input),
    receivedRaw: shown(landed?.outputRaw, output),
    priceInSol: landed?.priceInSol ?? null,
    quoteDifferenceBps: landed?.quoteDifferenceBps ?? null,
    feeLamports: shown(landed?.feeLamports, sol),
    tipLamports: shown(landed?.tipLamports, sol),
  };
}
