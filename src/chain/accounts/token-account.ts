import { type ChainAccount, fieldsOf } from './account-data.ts';
import { TOKEN_2022, tokenProgramNames } from './programs.ts';

/** The classic layout ends here. Token-2022 appends the kind of account and its extensions. */
export const TOKEN_ACCOUNT_BYTES = 165;
/** Token-2022 gives every associated account the extension for an immutable owner. */
const IMMUTABLE_OWNER_BYTES = 5;
/** Mint, owner and amount come first. Balances need no other field. */
export const BALANCE_BYTES = 72;
export const MINT_ACCOUNT_KIND = 1;
export const TOKEN_ACCOUNT_KIND = 2;

const MINT_OFFSET = 0;
const OWNER_OFFSET = 32;
export const AMOUNT_OFFSET = 64;
const STATE_OFFSET = 108;
const UNINITIALISED = 0;

/** The least size of an associated account that is opened under a token program. */
export function openedAccountBytes(tokenProgram: string): number {
  return tokenProgram === TOKEN_2022 ? TOKEN_ACCOUNT_BYTES + IMMUTABLE_OWNER_BYTES : TOKEN_ACCOUNT_BYTES;
}

/**
 * The raw balance of a token account of this mint, under either token program. Null when the account is no
 * such token account. Layout: SPL Token `Account`; Token-2022 appends the kind and extensions.
 */
export function readTokenBalance(account: ChainAccount | null, mintAddress: string): bigint | null {
  if (account === null || !tokenProgramNames.has(account.owner) || !isTokenAccount(account)) return null;
  const fields = fieldsOf(account.data);
  if (fields.u8(STATE_OFFSET) === UNINITIALISED || fields.address(MINT_OFFSET) !== mintAddress) return null;
  return fields.u64(AMOUNT_OFFSET);
}

/** The owner of the tokens in an account of this mint. Null when the account holds none. */
export function readTokenOwner(account: ChainAccount | null, mintAddress: string): string | null {
  const balance = readTokenBalance(account, mintAddress);
  return account === null || balance === null || balance === 0n
    ? null
    : fieldsOf(account.data).address(OWNER_OFFSET);
}

function isTokenAccount({ owner, data }: ChainAccount): boolean {
  if (data.length === TOKEN_ACCOUNT_BYTES) return true;
  return (
    owner === TOKEN_2022 &&
    data.length > TOKEN_ACCOUNT_BYTES &&
    data[TOKEN_ACCOUNT_BYTES] === TOKEN_ACCOUNT_KIND
  );
}
