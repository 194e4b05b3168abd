import type { Keypair } from '@solana/web3.js';
import { BONDING_CURVE } from '../../src/chain/accounts/programs.ts';
import { LAMPORTS_PER_SOL } from './amounts.ts';
import { catalogue, type LaunchedListing } from './catalogue.ts';
import { curveKinds, curvePlans } from './curve-kinds.ts';
import { listingOf, type MarketState, type MarketToken } from './market-state.ts';
import { createConfig } from './pool-instructions.ts';
import { launchInstructions } from './transactions.ts';
import { waitUntil } from './wait-until.ts';
import { type Funding, fund } from './wallet-funding.ts';

const CREATOR_LAMPORTS = 2n * LAMPORTS_PER_SOL;
/** The creator buys for this fraction of the threshold, which gives one percent of the supply. */
const THRESHOLD_SHARE_OF_CREATOR = 280n;

/** Creates the configs that the chain does not have. */
export async function createConfigs(state: MarketState, { rpc, sender, signal }: Funding): Promise<void> {
  if (!(await rpc.accountExists(BONDING_CURVE))) throw new Error('this chain has no bonding-curve program');
  const partner = state.fees.publicKey.toBase58();
  for (const kind of curveKinds) {
    const keypair = state.configs[kind];
    const config = keypair.publicKey.toBase58();
    if (await rpc.accountExists(config)) continue;
    await sender.sendChecked([createConfig(curvePlans[kind], { config, partner })], [state.fees, keypair]);
    await waitUntil(() => rpc.accountExists(config), signal);
  }
}

/** Creates the token with its pool, unless the chain has it. Returns when the pool is confirmed and can be traded. */
export async function launchToken(token: MarketToken, state: MarketState, funding: Funding): Promise<void> {
  const { rpc, signal } = funding;
  const { pool } = state.addressesOf(token);
  if (!(await rpc.accountExists(pool))) await createPool(token, state, funding);
  await waitUntil(() => rpc.accountExists(pool, 'confirmed'), signal);
}

async function createPool(token: MarketToken, state: MarketState, funding: Funding): Promise<void> {
  const { rpc, sender, signal } = funding;
  const addresses = state.addressesOf(token);
  const creator = token.creator.publicKey.toBase58();
  await fund(rpc, creator, CREATOR_LAMPORTS);
  await waitUntil(async () => (await rpc.balanceLamports(creator)) > 0n, signal);
  const listing = listingOf(token);
  const bought = curvePlans[listing.curve].thresholdLamports / THRESHOLD_SHARE_OF_CREATOR;
  const instructions = launchInstructions(addresses, creator, textsOf(listing), bought);
  await sender.sendChecked(instructions, [token.creator, token.mint]);
}

function textsOf({ name, symbol }: LaunchedListing) {
  return { name, symbol, uri: `https://example.com/metadata/${symbol.toLowerCase()}.json` };
}

/** Adds the next listings of the catalogue to the state, up to `count` tokens. `firstCreator` creates the first. */
export function addListings(state: MarketState, count: number, firstCreator?: Keypair): MarketToken[] {
  const added: MarketToken[] = [];
  while (state.tokens.length < Math.min(count, catalogue.length))
    added.push(state.add(state.tokens.length, state.tokens.length === 0 ? firstCreator : undefined));
  return added;
}
