import bs58 from 'bs58';
import type { Commitment } from './commitment.ts';
import type { RpcContext } from './rpc-context.ts';
import { invalidParams } from './rpc-errors.ts';

export type RpcConfig = Readonly<Record<string, unknown>>;

/** The optional configuration object at a position; absent and null are an empty one. */
export function configAt(params: readonly unknown[], index: number): RpcConfig {
  const value = params[index];
  if (value === undefined || value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value))
    throw invalidParams(`Invalid params: expected an object at position ${index}.`);
  return Object.fromEntries(Object.entries(value));
}

export function stringAt(params: readonly unknown[], index: number): string {
  const value = params[index];
  if (typeof value !== 'string')
    throw invalidParams(`Invalid params: expected a string at position ${index}.`);
  return value;
}

export function integerOf(value: unknown, name: string): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
    throw invalidParams(`Invalid params: ${name} must be a non-negative integer.`);
  return value;
}

/** A base58 address of exactly 32 bytes. */
export function addressOf(value: unknown): string {
  return base58Of(value, 32, 'Invalid param: not a public key');
}

/** A base58 signature of exactly 64 bytes. */
export function signatureOf(value: unknown): string {
  return base58Of(value, 64, 'Invalid param: not a signature');
}

function base58Of(value: unknown, length: number, message: string): string {
  if (typeof value !== 'string' || bs58.decodeUnsafe(value)?.length !== length) throw invalidParams(message);
  return value;
}

const COMMITMENTS: Readonly<Record<string, Commitment>> = {
  processed: 'processed',
  confirmed: 'confirmed',
  finalized: 'finalized',
};

/** The requested commitment; `finalized` when none is given, as on a cluster. */
export function commitmentOf(value: unknown): Commitment {
  if (value === undefined || value === null) return 'finalized';
  const commitment = typeof value === 'string' ? COMMITMENTS[value] : undefined;
  if (commitment === undefined) throw invalidParams(`Invalid params: unknown commitment ${String(value)}.`);
  return commitment;
}

/** History is not served below `confirmed`. */
export function historyCommitmentOf(config: RpcConfig): Commitment {
  const commitment = commitmentOf(config.commitment);
  if (commitment === 'processed') throw invalidParams('Method does not support commitment below `confirmed`');
  return commitment;
}

/** The slot to answer from under `commitment` and `minContextSlot`. Throws RpcError -32016 when it is not reached. */
export function contextSlotOf(context: RpcContext, config: RpcConfig): bigint {
  const least = config.minContextSlot;
  const minContextSlot =
    least === undefined || least === null ? undefined : BigInt(integerOf(least, 'minContextSlot'));
  return context.view.contextSlot(commitmentOf(config.commitment), minContextSlot);
}
