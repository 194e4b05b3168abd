import type { Address } from '../../shared/address.ts';
import { type AccountFields, type ChainAccount, fieldsOf } from './account-data.ts';
import { readMintExtensions } from './mint-extensions.ts';
import { TOKEN_2022, tokenProgramNames } from './programs.ts';
import { MINT_ACCOUNT_KIND, TOKEN_ACCOUNT_BYTES } from './token-account.ts';

/** The facts that a mint account holds about its token. */
export interface Mint {
  tokenProgram: 'spl_token' | 'token_2022';
  supplyRaw: bigint;
  decimals: number;
  /** Null: nobody can mint any more tokens. */
  mintAuthority: Address | null;
  /** Null: nobody can freeze token accounts. */
  freezeAuthority: Address | null;
  /** Token-2022 extensions by name, in the order of the account; empty under SPL Token. */
  extensions: readonly string[];
}

const MINT_BYTES = 82;
const SUPPLY_OFFSET = 36;
const DECIMALS_OFFSET = 44;
const INITIALISED_OFFSET = 45;
const MINT_AUTHORITY_OFFSET = 0;
const FREEZE_AUTHORITY_OFFSET = 46;

/** The mint in an account of either token program. Null for no mint, or malformed extensions. */
export function readMint(account: ChainAccount | null): Mint | null {
  if (account === null) return null;
  const tokenProgram = tokenProgramNames.get(account.owner);
  if (tokenProgram === undefined || !isMint(account)) return null;
  const fields = fieldsOf(account.data);
  const extensions = readMintExtensions(account.data);
  if (fields.u8(INITIALISED_OFFSET) !== 1 || extensions === null) return null;
  return {
    tokenProgram,
    supplyRaw: fields.u64(SUPPLY_OFFSET),
    decimals: fields.u8(DECIMALS_OFFSET),
    mintAuthority: optionalAddress(fields, MINT_AUTHORITY_OFFSET),
    freezeAuthority: optionalAddress(fields, FREEZE_AUTHORITY_OFFSET),
    extensions,
  };
}

/** Token-2022 pads an extended mint to the size of a token account before the byte with its kind. */
function isMint({ owner, data }: ChainAccount): boolean {
  if (data.length === MINT_BYTES) return true;
  return (
    owner === TOKEN_2022 &&
    data.length > TOKEN_ACCOUNT_BYTES &&
    data[TOKEN_ACCOUNT_BYTES] === MINT_ACCOUNT_KIND
  );
}

/** A `COption<Pubkey>`: a 4-byte tag, then 32 bytes that count only when the tag is 1. */
function optionalAddress(fields: AccountFields, offset: number): Address | null {
  return fields.u32(offset) === 1 ? fields.address(offset + 4) : null;
}
