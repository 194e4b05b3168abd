export interface AccountUse {
  address: string;
  isSigner: boolean;
  isWritable: boolean;
}

export interface Instruction {
  program: string;
  accounts: readonly AccountUse[];
  data: Uint8Array;
}

export function readonly(address: string): AccountUse {
  return { address, isSigner: false, isWritable: false };
}

export function writable(address: string): AccountUse {
  return { address, isSigner: false, isWritable: true };
}

export function signer(address: string): AccountUse {
  return { address, isSigner: true, isWritable: false };
}

/** The account signs, and its lamports or data change. */
export function writableSigner(address: string): AccountUse {
  return { address, isSigner: true, isWritable: true };
}

/** Accounts to which instructions write. Transactions compete for them. */
export function writtenAccounts(instructions: readonly Instruction[]): string[] {
  const written = instructions.flatMap(({ accounts }) => accounts.filter(({ isWritable }) => isWritable));
  return [...new Set(written.map(({ address }) => address))];
}
