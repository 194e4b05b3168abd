import { need, UsageError, type Values } from '../../packages/client/src/cli/kit/command.ts';
import { isUsableWallet } from '../chain/signature.ts';
import { decodeAddress } from '../shared/address.ts';
import { CommandRefused } from './command.ts';

/**
 * Requires a wallet whose signatures can be trusted (contract/authentication#pinned-wallet): any other is
 * refused wherever a wallet is pinned.
 */
export function needWallet(options: Values, name: string): string {
  const wallet = need(options, name);
  const publicKey = decodeAddress(wallet);
  if (publicKey === null) throw new UsageError(`--${name} must be a base58 address of 32 bytes`);
  if (!isUsableWallet(publicKey))
    throw new CommandRefused(`--${name} is a small-order point: anyone could sign for it`);
  return wallet;
}
