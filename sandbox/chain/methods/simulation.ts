import bs58 from 'bs58';
import { accountJson } from '../account-json.ts';
import type { RpcContext } from '../rpc-context.ts';
import { invalidParams } from '../rpc-errors.ts';
import { addressOf, configAt, type RpcConfig } from '../rpc-params.ts';
import type { Simulation } from '../vm.ts';
import { parseTransaction, type WireTransaction } from '../wire-transaction.ts';
import { decimalsAt } from './accounts.ts';

/** The same transaction with another blockhash; its signatures no longer verify, which a simulation tolerates. */
export function withBlockhash(transaction: WireTransaction, blockhash: string): WireTransaction {
  const { version, staticKeys } = transaction.message;
  const messageStart = version === 1 ? 0 : transaction.bytes.length - transaction.messageBytes.length;
  const keyCountBytes = staticKeys.length < 128 ? 1 : 2;
  const beforeHash = version === 1 ? 8 : (version === 0 ? 4 : 3) + keyCountBytes + staticKeys.length * 32;
  const bytes = Uint8Array.from(transaction.bytes);
  bytes.set(bs58.decode(blockhash), messageStart + beforeHash);
  return parseTransaction(bytes);
}

/** The accounts a simulation was asked to show; all null when it failed, null when none were asked for. */
export function simulatedAccounts(
  context: RpcContext,
  config: RpcConfig,
  slot: bigint,
  simulation: Simulation | null,
): unknown {
  const wanted = config.accounts;
  if (wanted === undefined || wanted === null) return null;
  const accountsConfig = configAt([wanted], 0);
  const { addresses } = accountsConfig;
  if (!Array.isArray(addresses)) throw invalidParams('Invalid params: accounts.addresses must be an array.');
  const encoding = accountsConfig.encoding ?? 'base64';
  return addresses.map(addressOf).map((address) => {
    if (simulation === null) return null;
    const after = simulation.postAccounts.get(address);
    const account = after === undefined ? context.ledger.accountAt(address, slot) : after;
    return account === null ? null : accountJson(account, { encoding }, decimalsAt(context, slot));
  });
}
