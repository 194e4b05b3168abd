import type { Keypair } from '@solana/web3.js';
import type { AdminDependencies } from '../../src/admin/admin-dependencies.ts';
import { runCommand } from '../../src/admin/run-command.ts';
import { createKey, isAccepted } from '../demo/identity.ts';
import { readPrivateJson, writePrivateJson } from '../shared/private-file.ts';
import { addressOf } from './context.ts';

/** A wallet of the market that predicts prices with its own API key. */
export interface Forecaster {
  readonly address: string;
  readonly apiKey: string;
}

/** `community.json`: one account for all of them, one key per wallet. */
interface SavedForecasters {
  readonly accountId: string;
  readonly forecasters: readonly Forecaster[];
}

const NAMES = ['mira', 'old_tom', 'quietfern', 'kestrel', 'noor', 'tin_whistle'] as const;
export const USER_NAME = 'sandbox_user';

/** Sets the wallet's username and verifies it. Repeating it changes nothing. */
export async function registerWallet(
  admin: AdminDependencies,
  address: string,
  username: string,
): Promise<void> {
  await runCommand(admin, 'wallet upsert', { address, username, verified: 'true' });
}

/** The saved forecasters while the api accepts their keys, else new keys in a new account. */
export async function ensureForecasters(
  file: string,
  baseUrl: string,
  traders: readonly Keypair[],
  admin: AdminDependencies,
): Promise<readonly Forecaster[]> {
  const wallets = NAMES.flatMap((name, at) => {
    const trader = traders[at];
    return trader === undefined ? [] : [{ name, address: addressOf(trader) }];
  });
  for (const { name, address } of wallets) await registerWallet(admin, address, name);
  const saved = readPrivateJson<SavedForecasters>(file);
  if (saved !== undefined && (await areAccepted(saved, baseUrl, wallets))) return saved.forecasters;
  const forecasters: Forecaster[] = [];
  let account = 'new';
  for (const { name, address } of wallets) {
    const options = { account, wallet: address, scopes: 'predictions:write', name };
    const { accountId, apiKey } = await createKey(admin, options);
    account = accountId;
    forecasters.push({ address, apiKey });
  }
  writePrivateJson(file, { accountId: account, forecasters });
  return forecasters;
}

/** Checks one key only, because all of them were created together. */
async function areAccepted(
  { accountId, forecasters }: SavedForecasters,
  baseUrl: string,
  wallets: readonly { address: string }[],
): Promise<boolean> {
  const isSameMarket =
    forecasters.length === wallets.length &&
    wallets.every(({ address }, at) => forecasters[at]?.address === address);
  const apiKey = forecasters.at(-1)?.apiKey;
  return isSameMarket && apiKey !== undefined && (await isAccepted(baseUrl, apiKey, accountId));
}
