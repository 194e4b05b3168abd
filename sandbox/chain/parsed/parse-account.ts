import { ADDRESS_LOOKUP_TABLE, SYSTEM_PROGRAM } from '../../../src/chain/accounts/programs.ts';
import { type ByteReader, MalformedBytes } from '../byte-reader.ts';
import { readNonceState } from '../durable-nonces.ts';
import {
  decodeMint,
  decodeMultisig,
  decodeTokenAccount,
  TOKEN_PROGRAM_NAMES,
  uiTokenAmount,
} from '../token-accounts.ts';
import type { StoredAccount } from '../vm.ts';
import { key, layout, readOrNull, tagged, u8, u64Text } from './field-layouts.ts';
import type { ParsedForm } from './instruction-form.ts';
import { extensionsOf } from './token-extensions.ts';

/** Account data as `jsonParsed` shows it. */
export interface ParsedAccountJson {
  readonly program: string;
  readonly parsed: ParsedForm;
  readonly space: number;
}

type AccountAt = (address: string) => StoredAccount | null;

const LOOKUP_TABLE_HEADER_BYTES = 56;
const KEY_BYTES = 32;

/** Null when there is no parser for the owner, or the data is not of a kind that its owner keeps. */
export function parsedAccountData(account: StoredAccount, accountAt: AccountAt): ParsedAccountJson | null {
  const { owner, data } = account;
  if (owner === SYSTEM_PROGRAM) return parsedNonce(account);
  const isTable = owner === ADDRESS_LOOKUP_TABLE;
  const program = isTable ? 'address-lookup-table' : TOKEN_PROGRAM_NAMES[owner];
  if (program === undefined) return null;
  const parsed = isTable
    ? readOrNull(data, parseLookupTable)
    : (parsedTokenAccount(account, accountAt) ?? parsedMint(account) ?? parsedMultisig(account));
  return parsed === null ? null : { program, parsed, space: data.length };
}

/** Accounts of the system program are nonce accounts, or have no parser. */
function parsedNonce(account: StoredAccount): ParsedAccountJson | null {
  const state = readNonceState(account);
  if (state === null) return null;
  const { authority, nonce: blockhash, lamportsPerSignature } = state;
  const info = {
    authority,
    blockhash,
    feeCalculator: { lamportsPerSignature: lamportsPerSignature.toString() },
  };
  return { program: 'nonce', parsed: { type: 'initialized', info }, space: account.data.length };
}

function parsedTokenAccount(account: StoredAccount, accountAt: AccountAt): ParsedForm | null {
  const token = decodeTokenAccount(account);
  const mintAccount = token === null ? null : accountAt(token.mint);
  const mint = mintAccount === null ? null : decodeMint(mintAccount);
  if (token === null || mint === null) return null;
  const shown = (amount: bigint) => uiTokenAmount(amount, mint.decimals);
  const reserve = token.nativeReserveLamports;
  return {
    type: 'account',
    info: {
      isNative: reserve !== null,
      mint: token.mint,
      owner: token.owner,
      state: token.state,
      tokenAmount: shown(token.amount),
      ...(reserve === null ? {} : { rentExemptReserve: shown(reserve) }),
      ...(token.delegate === null
        ? {}
        : { delegate: token.delegate, delegatedAmount: shown(token.delegatedAmount) }),
      ...(token.closeAuthority === null ? {} : { closeAuthority: token.closeAuthority }),
      ...extensionsIfAny(account),
    },
  };
}

function parsedMint(account: StoredAccount): ParsedForm | null {
  const mint = decodeMint(account);
  if (mint === null) return null;
  return {
    type: 'mint',
    info: {
      decimals: mint.decimals,
      freezeAuthority: mint.freezeAuthority,
      isInitialized: true,
      mintAuthority: mint.mintAuthority,
      supply: mint.supply.toString(),
      ...extensionsIfAny(account),
    },
  };
}

function parsedMultisig(account: StoredAccount): ParsedForm | null {
  const multisig = decodeMultisig(account);
  if (multisig === null) return null;
  return {
    type: 'multisig',
    info: {
      numRequiredSigners: multisig.required,
      numValidSigners: multisig.valid,
      isInitialized: true,
      signers: multisig.signers,
    },
  };
}

function extensionsIfAny({ data }: StoredAccount): Record<string, unknown> {
  const extensions = extensionsOf(data);
  return extensions.length === 0 ? {} : { extensions };
}

/** @solana/kit reads lookup tables in this form. */
function parseLookupTable(reader: ByteReader): ParsedForm {
  if (reader.u32() !== 1) throw new MalformedBytes('not a lookup table');
  const slots = layout({
    deactivationSlot: u64Text,
    lastExtendedSlot: u64Text,
    lastExtendedSlotStartIndex: u8,
  })(reader);
  const authority = tagged(key)(reader);
  reader.offset = LOOKUP_TABLE_HEADER_BYTES;
  if (reader.remaining < 0 || reader.remaining % KEY_BYTES !== 0)
    throw new MalformedBytes('not a lookup table');
  const addresses = Array.from({ length: reader.remaining / KEY_BYTES }, () => key(reader));
  return { type: 'lookupTable', info: { ...slots, ...(authority === null ? {} : { authority }), addresses } };
}
