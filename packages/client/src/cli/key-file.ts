import { readFileSync } from 'node:fs';
import { secretKeySigner } from '../signers/secret-key.ts';
import type { TransactionSigner } from '../signers/signer.ts';
import { UsageError } from './failures.ts';

export const keyFileOption = {
  kind: 'text',
  value: 'FILE',
  help: 'secret key: of solana-keygen, or base58',
  required: true,
} as const;

/** A wallet from a file of `solana-keygen` (64 numbers), or one that holds a base58 secret key. Never shows its content. */
export async function readKeyFile(path: string): Promise<TransactionSigner> {
  try {
    return await secretKeySigner(readFileSync(path, 'utf8'));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== undefined) throw new UsageError(`${path} cannot be read: ${code}`);
    throw new UsageError(`${path} holds no secret key: 64 numbers as solana-keygen writes them, or base58`);
  }
}
