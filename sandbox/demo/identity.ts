import { Keypair } from '@solana/web3.js';
import type { AdminDependencies } from '../../src/admin/admin-dependencies.ts';
import { runCommand } from '../../src/admin/run-command.ts';
import { encodeBase58 } from '../../src/shared/base58.ts';
import { readPrivateJson, writePrivateJson } from '../shared/private-file.ts';
import type { SandboxWallet } from '../shared/state-file.ts';

/** The user of the sandbox, the same after a restart. `identity.json`. */
export interface Identity {
  readonly wallet: SandboxWallet;
  readonly accountId?: string;
  readonly apiKey?: string;
}

export interface Credentials {
  readonly accountId: string;
  readonly apiKey: string;
}

/** The saved identity, or a new wallet. */
export function openIdentity(file: string): Identity {
  const saved = readPrivateJson<Identity>(file);
  if (saved !== undefined) return saved;
  const { publicKey, secretKey } = Keypair.generate();
  const identity = { wallet: { address: publicKey.toBase58(), secretKey: encodeBase58(secretKey) } };
  writePrivateJson(file, identity);
  return identity;
}

/** The saved key while the api at `baseUrl` accepts it, else a new one with all scopes. */
export async function ensureCredentials(
  file: string,
  identity: Identity,
  baseUrl: string,
  admin: AdminDependencies,
): Promise<Credentials> {
  const { wallet, accountId, apiKey } = identity;
  if (accountId !== undefined && apiKey !== undefined && (await isAccepted(baseUrl, apiKey, accountId))) {
    return { accountId, apiKey };
  }
  const account = accountId !== undefined && (await accountExists(admin, accountId)) ? accountId : 'new';
  const key = { account, wallet: wallet.address, scopes: 'all', name: 'Sandbox' };
  const credentials = await createKey(admin, key);
  writePrivateJson(file, { wallet, ...credentials });
  return credentials;
}

/** Whether the api knows the key as one of the account. */
export async function isAccepted(baseUrl: string, apiKey: string, accountId: string): Promise<boolean> {
  const response = await fetch(`${baseUrl}/me`, { headers: { Authorization: `Bearer ${apiKey}` } });
  if (response.status === 401) return false;
  if (!response.ok) throw new Error(`the api returned ${response.status} for the sandbox's own key`);
  return ((await response.json()) as { accountId: string }).accountId === accountId;
}

async function accountExists({ database }: AdminDependencies, accountId: string): Promise<boolean> {
  return (await database`select from accounts where id = ${accountId}`).count === 1;
}

/** @param options those of `key create` */
export async function createKey(
  admin: AdminDependencies,
  options: Readonly<Record<string, string>>,
): Promise<Credentials> {
  const created = await runCommand(admin, 'key create', options);
  return { accountId: String(created.accountId), apiKey: String(created.key) };
}
