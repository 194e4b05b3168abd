import type { Launchwire } from '../../client.ts';
import type { Arguments, Schemas } from '../../operations.ts';
import { pause } from '../../pause.ts';
import { rawAmount, SOL_DECIMALS, type Unit, withAmount } from '../amounts.ts';
import { argumentOf, type Command, type Invocation, numberOf, textOf } from '../command.ts';
import { UsageError } from '../failures.ts';
import { idempotencyKeyOf, idempotencyOption } from '../idempotency-key.ts';
import { keyFileOption, readKeyFile } from '../key-file.ts';
import { sendingOf, sendingOptions } from '../sending.ts';

type Launch = Schemas['Launch'];

const sol: Unit = { name: 'sol', decimals: SOL_DECIMALS };
/** The service sees a pool within a second or two of its transaction, unless no node shows it. */
const POOL_MS = 30_000;
const PAUSE_MS = 500;
/** The quote that shows the price: of 0.001 SOL. */
const PRICED_LAMPORTS = '1000000';

export const launchCommand: Command = {
  name: 'launch',
  summary: 'Launch a token with its pool, buy the first tokens, and wait until it can be traded',
  details:
    'Moves money. It ends with exit code 1 when the transaction did not confirm: then nothing was launched. Under an ' +
    'idempotency key the same line continues the same launch for 24 hours, after a crash too, and never launches twice.',
  arguments: [],
  options: {
    name: { kind: 'text', value: 'TEXT', help: 'name of the token, at most 32 bytes', required: true },
    symbol: { kind: 'text', value: 'TEXT', help: 'ticker of the token, at most 10 bytes', required: true },
    description: { kind: 'text', value: 'TEXT', help: 'text about the token' },
    image: { kind: 'text', value: 'URL', help: 'picture: an https, ipfs or ar address' },
    website: { kind: 'text', value: 'URL', help: 'website of the token' },
    twitter: { kind: 'text', value: 'NAME', help: 'X (Twitter) name or address' },
    telegram: { kind: 'text', value: 'NAME', help: 'Telegram name or address' },
    config: { kind: 'text', value: 'NAME', help: 'curve config of the operator; without it the first one' },
    buy: { kind: 'text', value: 'SOL', help: 'what to spend on the first tokens, fee included, as 0.1' },
    slippage: {
      kind: 'text',
      value: 'BPS',
      help: 'how much worse the first buy may become, in basis points from 0 to 10000',
    },
    'key-file': keyFileOption,
    ...idempotencyOption,
    ...sendingOptions,
  },
  examples: [
    'launchwire launch --name "Copper Wire" --symbol COPPER --image https://images.example.com/copper.png --buy 0.1 --key-file wallet.json',
  ],
  async run(invocation) {
    const { client, output, signal } = invocation;
    const idempotencyKey = idempotencyKeyOf(invocation);
    const parameters = { ...launchOf(invocation), ...sendingOf(invocation) };
    const signer = await readKeyFile(textOf(invocation, 'key-file'));
    const { launch, intent } = await client().launch(parameters, signer, {
      signal,
      onStep: noteStep(invocation),
      idempotencyKey,
    });
    const seen = await withPool(client(), launch.id, signal);
    const { mintAddress: mint, status, poolAddress, metadataUrl } = seen;
    const price = status === 'bonding' ? await priceOf(client(), mint, signal) : null;
    output.record({
      mintAddress: mint,
      poolAddress,
      status,
      metadataUrl,
      spotPriceInSol: price,
      boughtRaw: launch.initialBuy?.amountOutRaw ?? null,
      launchId: launch.id,
      transactionSignature: intent.transactionSignature,
    });
    if (status !== 'bonding')
      output.note(
        'The transaction has landed, and the service has not seen the pool yet: read the launch again.',
      );
  },
};

/** The fields of the launch. Throws UsageError before any request. */
function launchOf(invocation: Invocation): Arguments<'createLaunch'> {
  const { options } = invocation;
  const given = (name: string) => (typeof options[name] === 'string' ? { [name]: options[name] } : {});
  const links = { ...given('website'), ...given('twitter'), ...given('telegram') };
  const slippageBps = numberOf(invocation, 'slippage', 0, 10_000);
  const amountRaw = typeof options.buy === 'string' ? lamportsOf(options.buy) : undefined;
  if (slippageBps !== undefined && amountRaw === undefined) throw new UsageError('--slippage is for --buy');
  return {
    name: textOf(invocation, 'name'),
    symbol: textOf(invocation, 'symbol'),
    ...given('description'),
    ...given('config'),
    ...(typeof options.image === 'string' && { imageUrl: options.image }),
    ...(Object.keys(links).length > 0 && { links }),
    ...(amountRaw !== undefined && {
      initialBuy: { amountRaw, ...(slippageBps !== undefined && { slippageBps }) },
    }),
  };
}

/** SOL with or without the unit: nobody buys lamports at a launch. */
function lamportsOf(text: string): string {
  const lamports = /^\d{1,20}(\.\d{1,9})?(sol)?$/i.test(text)
    ? rawAmount(/sol$/i.test(text) ? text : `${text}sol`, sol)
    : '0';
  if (lamports === '0') throw new UsageError(`--buy is an amount in SOL, as 0.1, not "${text}"`);
  return lamports;
}

const noteStep =
  ({ output }: Invocation) =>
  (step: string, record: { intentId?: string; id?: string }) =>
    output.note(`${step}: intent ${record.intentId ?? record.id}`);

/** The launch once the service has seen its pool, or as it is when that takes too long: it has landed either way. */
async function withPool(client: Launchwire, launchId: string, signal: AbortSignal): Promise<Launch> {
  const endsAtMs = performance.now() + POOL_MS;
  for (;;) {
    const launch = await client.getLaunch({ launchId }, { signal });
    if (launch.status !== 'pending_launch_init' || performance.now() > endsAtMs) return launch;
    await pause(PAUSE_MS, signal);
  }
}

/** The price of a whole token at the pool; null while the pool has no quote. */
async function priceOf(client: Launchwire, mint: string, signal: AbortSignal): Promise<string | null> {
  const order = { mint, side: 'buy', amountRaw: PRICED_LAMPORTS } as const;
  return client.getSwapQuote(order, { signal }).then(
    ({ spotPriceInSol }) => spotPriceInSol,
    () => null,
  );
}

export const transferCreatorCommand: Command = {
  name: 'transfer-creator',
  summary: 'Give the pool of a token, with its unclaimed fees, to another creator',
  details: 'Only the new creator can give it back.',
  arguments: [{ name: 'mint', help: 'mint address of the token', required: true }],
  options: {
    to: { kind: 'text', value: 'ADDRESS', help: 'wallet of the new creator', required: true },
    'key-file': keyFileOption,
    ...idempotencyOption,
    ...sendingOptions,
  },
  examples: [
    'launchwire transfer-creator 7q2afV64in6N6SeZsAAB81TJzwDoD6zpqmHkzi9dQ1Zw --to 7dHbWXmci3dT8UFYWYZweBLXgycu7Y3iL6trKn1Y7ARj --key-file wallet.json',
  ],
  async run(invocation) {
    const { client, output, signal } = invocation;
    const idempotencyKey = idempotencyKeyOf(invocation);
    const sending = sendingOf(invocation);
    const mint = argumentOf(invocation, 'mint');
    const newCreatorWallet = textOf(invocation, 'to');
    const signer = await readKeyFile(textOf(invocation, 'key-file'));
    const { transfer, intent } = await client().transferCreator(
      { mint, newCreatorWallet, ...sending },
      signer,
      {
        signal,
        onStep: noteStep(invocation),
        idempotencyKey,
      },
    );
    const { poolAddress, creatorWallet, claimableLamports } = transfer;
    const recordOf = (fees: string | null) => ({
      mintAddress: mint,
      poolAddress,
      formerCreatorWallet: creatorWallet,
      creatorWallet: newCreatorWallet,
      claimableLamports: fees,
      transactionSignature: intent.transactionSignature,
    });
    const shown = claimableLamports === null ? null : withAmount(claimableLamports, sol);
    output.record(recordOf(claimableLamports), recordOf(shown));
  },
};
