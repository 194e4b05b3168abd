import { readFileSync, statSync } from 'node:fs';
import type { Launchwire } from '../../client.ts';
import type { Arguments, Schemas } from '../../operations.ts';
import { pause } from '../../pause.ts';
import { rawAmount, sol, withAmount } from '../amounts.ts';
import { type Command, defined, type Invocation } from '../command.ts';
import { has, need, needArgument, numberOr, UsageError, type Values } from '../kit/command.ts';
import { flag, required, text, wholeNumber } from '../kit/option.ts';
import {
  flowOptions,
  idempotency,
  optionalSigning,
  readKeyFile,
  sending,
  sendingOf,
  signing,
} from '../sending.ts';

type Launch = Schemas['Launch'];

/** The service sees a pool within a second or two of its transaction, unless no node shows it. */
const POOL_MS = 30_000;
const PAUSE_MS = 500;
/** The largest picture that the service takes. */
const IMAGE_BYTES_MAX = 5 * 1024 * 1024;
/** The quote that shows the price: of 0.001 SOL. */
const PRICED_LAMPORTS = '1000000';

export const launchCommand: Command = {
  name: 'launch',
  summary: 'Launch a token with its pool, buy the first tokens, and wait until it can be traded',
  details:
    'Moves money. It ends with exit code 1 when the transaction did not confirm: then nothing was launched. Under an ' +
    'idempotency key the same line continues the same launch for 24 hours, after a crash too, and never launches twice.',
  options: {
    name: text('name of the token, at most 32 bytes', required),
    symbol: text('ticker of the token, at most 10 bytes', required),
    description: text('text about the token'),
    image: text(
      'picture: a PNG, JPEG, GIF or WebP file, which is uploaded, or an https, ipfs or ar address',
      {
        format: 'file',
      },
    ),
    website: text('website of the token', { format: 'url' }),
    twitter: text('X (Twitter) name or address', { format: 'name' }),
    telegram: text('Telegram name or address', { format: 'name' }),
    config: text('curve config of the operator', { format: 'name', ifUnset: 'the first one' }),
    buy: text('what to spend on the first tokens, fee included, as 0.1', { format: 'sol' }),
    slippage: wholeNumber('how much worse the first buy may become', 'basis points', {
      least: 0,
      most: 10_000,
    }),
    ...optionalSigning,
    'dry-run': flag('quote terms, costs and first buy under the config; launch nothing'),
    ...idempotency,
    ...sending,
  },
  examples: [
    '--name Copper --symbol COPPER --image copper.png --config standard --buy 0.1 --key-file wallet.json',
    '--name Copper --symbol COPPER --config standard --buy 0.1 --dry-run',
  ],
  async run(invocation) {
    const { client, output, signal, options } = invocation;
    const texts = launchOf(options);
    const picture = pictureOf(options);
    if (has(options, 'dry-run')) return quoteLaunch(invocation, texts);
    const signer = await readKeyFile(options);
    const parameters = { ...texts, ...sendingOf(options), ...(await imageOf(invocation, picture)) };
    const { launch, intent } = await client().launch(parameters, signer, flowOptions(invocation));
    const current = await withPool(client(), launch.id, signal);
    const { mintAddress: mint, status, poolAddress, metadataUrl } = current;
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
function launchOf(options: Values): Arguments<'createLaunch'> {
  const { description, config, website, twitter, telegram, buy } = options;
  const links = defined({ website, twitter, telegram });
  const slippageBps = numberOr(options, 'slippage', undefined);
  if (slippageBps !== undefined && buy === undefined) throw new UsageError('--slippage is for --buy');
  return {
    name: need(options, 'name'),
    symbol: need(options, 'symbol'),
    ...defined({
      description,
      config,
      links: Object.keys(links).length > 0 ? links : undefined,
      initialBuy: buy === undefined ? undefined : { amountRaw: lamportsOf(buy), ...defined({ slippageBps }) },
    }),
  };
}

/** The bytes of a file, an address, or undefined. Throws UsageError before any request. */
function pictureOf({ image }: Values): Uint8Array<ArrayBuffer> | string | undefined {
  if (image === undefined || /^[a-z]+:/i.test(image)) return image;
  try {
    if (statSync(image).size > IMAGE_BYTES_MAX) throw new UsageError(`--image ${image} has more than 5 MiB`);
    return Uint8Array.from(readFileSync(image));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`--image ${image} cannot be read: ${(error as NodeJS.ErrnoException).code}`);
  }
}

/** Uploads a file. The same file again has the same address, so a repeated line is the same launch. */
async function imageOf(
  { client, output, signal }: Invocation,
  picture: Uint8Array<ArrayBuffer> | string | undefined,
): Promise<{ imageUrl?: string }> {
  if (picture === undefined) return {};
  if (typeof picture === 'string') return { imageUrl: picture };
  const { imageUrl, url } = await client().uploadImage(picture, { signal });
  output.note(`image: ${url}`);
  return { imageUrl };
}

/** Prints what the launch would give and cost, from the config that it names or the first one. */
async function quoteLaunch(
  { client, output, signal }: Invocation,
  { config, initialBuy }: Arguments<'createLaunch'>,
): Promise<void> {
  const name = config ?? (await client().listLaunchConfigs({}, { signal })).data[0]?.name;
  if (name === undefined) throw new UsageError('this deployment launches no tokens');
  const { amountRaw, slippageBps } = initialBuy ?? {};
  if (amountRaw === undefined) throw new UsageError('--dry-run quotes --buy');
  const terms = { name, amountRaw, ...defined({ slippageBps }) };
  output.record(await client().getLaunchConfigQuote(terms, { signal }));
}

/** SOL with or without the unit: nobody buys lamports at a launch. */
function lamportsOf(text: string): string {
  const lamports = /^\d{1,20}(\.\d{1,9})?(sol)?$/i.test(text)
    ? rawAmount(/sol$/i.test(text) ? text : `${text}sol`, sol)
    : '0';
  if (lamports === '0') throw new UsageError(`--buy is an amount in SOL, as 0.1, not "${text}"`);
  return lamports;
}

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
  arguments: { mint: text('mint address of the token', required) },
  options: {
    to: text('wallet of the new creator', { ...required, format: 'address' }),
    ...signing,
    ...idempotency,
    ...sending,
  },
  examples: [
    '7q2afV64in6N6SeZsAAB81TJzwDoD6zpqmHkzi9dQ1Zw --to 7dHbWXmci3dT8UFYWYZweBLXgycu7Y3iL6trKn1Y7ARj --key-file wallet.json',
  ],
  async run(invocation) {
    const { client, output, options } = invocation;
    const mint = needArgument(invocation.arguments, 'mint');
    const newCreatorWallet = need(options, 'to');
    const parameters = { mint, newCreatorWallet, ...sendingOf(options) };
    const { transfer, intent } = await client().transferCreator(
      parameters,
      await readKeyFile(options),
      flowOptions(invocation),
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
    const amount = claimableLamports === null ? null : withAmount(claimableLamports, sol);
    output.record(recordOf(claimableLamports), recordOf(amount));
  },
};
