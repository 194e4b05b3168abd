import { type ByteReader, MalformedBytes } from '../byte-reader.ts';
import { uiTokenAmount } from '../token-accounts.ts';
import { ifTagged, key, layout, restText, tagged, u8, u64Text } from './field-layouts.ts';
import type { FormTable, InstructionForm } from './instruction-form.ts';
import { extensionTypes } from './token-extensions.ts';

const AMOUNT = layout({ amount: u64Text });
/** An amount followed by the decimals that the sender expects. */
const CHECKED_AMOUNT = layout({ tokenAmount: (reader) => uiTokenAmount(reader.u64(), reader.u8()) });
const AUTHORITY = { single: 'authority', multisig: 'multisigAuthority' };
const OWNER = { single: 'owner', multisig: 'multisigOwner' };
const MINT_AUTHORITY = { single: 'mintAuthority', multisig: 'multisigMintAuthority' };
const FREEZE_AUTHORITY = { single: 'freezeAuthority', multisig: 'multisigFreezeAuthority' };
const NEW_MINT = layout({ decimals: u8, mintAuthority: key, freezeAuthority: ifTagged(key) });

/** By number. The owner and the close authority belong to an account, all others to a mint. */
const AUTHORITY_TYPES: Readonly<Record<number, string>> = {
  0: 'mintTokens',
  1: 'freezeAccount',
  2: 'accountOwner',
  3: 'closeAccount',
  6: 'closeMint',
  12: 'metadataPointer',
};

function setAuthority(reader: ByteReader): InstructionForm {
  const type = reader.u8();
  const authorityType = AUTHORITY_TYPES[type];
  if (authorityType === undefined) throw new MalformedBytes('unknown authority type');
  const isOfAccount = type === 2 || type === 3;
  return {
    type: 'setAuthority',
    accounts: [isOfAccount ? 'account' : 'mint'],
    authority: AUTHORITY,
    args: (args) => {
      args.u8();
      return { authorityType, newAuthority: tagged(key)(args) };
    },
  };
}

/** Instructions that both token programs have, by their first byte. */
export const TOKEN_INSTRUCTIONS: FormTable = {
  discriminatorBytes: 1,
  forms: {
    0: { type: 'initializeMint', accounts: ['mint', 'rentSysvar'], args: NEW_MINT },
    1: { type: 'initializeAccount', accounts: ['account', 'mint', 'owner', 'rentSysvar'] },
    2: {
      type: 'initializeMultisig',
      accounts: ['multisig', 'rentSysvar'],
      hasSigners: true,
      args: layout({ m: u8 }),
    },
    3: { type: 'transfer', accounts: ['source', 'destination'], authority: AUTHORITY, args: AMOUNT },
    4: { type: 'approve', accounts: ['source', 'delegate'], authority: OWNER, args: AMOUNT },
    5: { type: 'revoke', accounts: ['source'], authority: OWNER },
    6: setAuthority,
    7: { type: 'mintTo', accounts: ['mint', 'account'], authority: MINT_AUTHORITY, args: AMOUNT },
    8: { type: 'burn', accounts: ['account', 'mint'], authority: AUTHORITY, args: AMOUNT },
    9: { type: 'closeAccount', accounts: ['account', 'destination'], authority: OWNER },
    10: { type: 'freezeAccount', accounts: ['account', 'mint'], authority: FREEZE_AUTHORITY },
    11: { type: 'thawAccount', accounts: ['account', 'mint'], authority: FREEZE_AUTHORITY },
    12: {
      type: 'transferChecked',
      accounts: ['source', 'mint', 'destination'],
      authority: AUTHORITY,
      args: CHECKED_AMOUNT,
    },
    13: {
      type: 'approveChecked',
      accounts: ['source', 'mint', 'delegate'],
      authority: OWNER,
      args: CHECKED_AMOUNT,
    },
    14: {
      type: 'mintToChecked',
      accounts: ['mint', 'account'],
      authority: MINT_AUTHORITY,
      args: CHECKED_AMOUNT,
    },
    15: { type: 'burnChecked', accounts: ['account', 'mint'], authority: AUTHORITY, args: CHECKED_AMOUNT },
    16: {
      type: 'initializeAccount2',
      accounts: ['account', 'mint', 'rentSysvar'],
      args: layout({ owner: key }),
    },
    17: { type: 'syncNative', accounts: ['account'] },
    18: { type: 'initializeAccount3', accounts: ['account', 'mint'], args: layout({ owner: key }) },
    19: {
      type: 'initializeMultisig2',
      accounts: ['multisig'],
      hasSigners: true,
      args: layout({ m: u8 }),
    },
    20: { type: 'initializeMint2', accounts: ['mint'], args: NEW_MINT },
    21: { type: 'getAccountDataSize', accounts: ['mint'], args: layout({ extensionTypes }) },
    22: { type: 'initializeImmutableOwner', accounts: ['account'] },
    23: { type: 'amountToUiAmount', accounts: ['mint'], args: AMOUNT },
    24: { type: 'uiAmountToAmount', accounts: ['mint'], args: layout({ uiAmount: restText }) },
  },
};
