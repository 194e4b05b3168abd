import { ifTagged, key, layout, restText, tagged, u8, u64Text } from './field-layouts.ts';
import { byByte, type FormEntry, type InstructionForm } from './instruction-form.ts';
import { TOKEN_EXTENSION_FORMS } from './token-extension-instructions.ts';
import { checkedAmount, extensionTypes, extensionTypesIfAny, signedBy } from './token-fields.ts';

const AMOUNT = layout({ amount: u64Text });
const CHECKED_AMOUNT = layout({ tokenAmount: checkedAmount });
const AUTHORITY = signedBy('authority');
const OWNER = signedBy('owner');
const NEW_MINT = layout({ decimals: u8, mintAuthority: key, freezeAuthority: ifTagged(key) });

// By number; an account's owner and close authority belong to an account, all others to a mint.
const AUTHORITY_TYPES = [
  'mintTokens',
  'freezeAccount',
  'accountOwner',
  'closeAccount',
  'transferFeeConfig',
  'withheldWithdraw',
  'closeMint',
  'interestRate',
  'permanentDelegate',
  'confidentialTransferMint',
  'transferHookProgramId',
  'confidentialTransferFeeConfig',
  'metadataPointer',
  'groupPointer',
  'groupMemberPointer',
  'scaledUiAmount',
  'pause',
  'permissionedBurn',
] as const;

function setAuthority(authorityType: (typeof AUTHORITY_TYPES)[number]): InstructionForm {
  const ofAccount = authorityType === 'accountOwner' || authorityType === 'closeAccount';
  return {
    type: 'setAuthority',
    accounts: [ofAccount ? 'account' : 'mint'],
    constants: { authorityType },
    authority: AUTHORITY,
    args: layout({ newAuthority: tagged(key) }),
  };
}

const BASE_FORMS: Readonly<Record<number, FormEntry>> = {
  0: { type: 'initializeMint', accounts: ['mint', 'rentSysvar'], args: NEW_MINT },
  1: { type: 'initializeAccount', accounts: ['account', 'mint', 'owner', 'rentSysvar'] },
  2: {
    type: 'initializeMultisig',
    accounts: ['multisig', 'rentSysvar'],
    restAccounts: { name: 'signers', least: 1 },
    args: layout({ m: u8 }),
  },
  3: { type: 'transfer', accounts: ['source', 'destination'], authority: AUTHORITY, args: AMOUNT },
  4: { type: 'approve', accounts: ['source', 'delegate'], authority: OWNER, args: AMOUNT },
  5: { type: 'revoke', accounts: ['source'], authority: OWNER },
  6: byByte(Object.fromEntries(AUTHORITY_TYPES.map((name, number) => [number, setAuthority(name)]))),
  7: { type: 'mintTo', accounts: ['mint', 'account'], authority: signedBy('mintAuthority'), args: AMOUNT },
  8: { type: 'burn', accounts: ['account', 'mint'], authority: AUTHORITY, args: AMOUNT },
  9: { type: 'closeAccount', accounts: ['account', 'destination'], authority: OWNER },
  10: { type: 'freezeAccount', accounts: ['account', 'mint'], authority: signedBy('freezeAuthority') },
  11: { type: 'thawAccount', accounts: ['account', 'mint'], authority: signedBy('freezeAuthority') },
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
    authority: signedBy('mintAuthority'),
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
    restAccounts: { name: 'signers', least: 1 },
    args: layout({ m: u8 }),
  },
  20: { type: 'initializeMint2', accounts: ['mint'], args: NEW_MINT },
  21: {
    type: 'getAccountDataSize',
    accounts: ['mint'],
    args: layout({ extensionTypes: extensionTypesIfAny }),
  },
  22: { type: 'initializeImmutableOwner', accounts: ['account'] },
  23: { type: 'amountToUiAmount', accounts: ['mint'], args: AMOUNT },
  24: { type: 'uiAmountToAmount', accounts: ['mint'], args: layout({ uiAmount: restText }) },
  25: {
    type: 'initializeMintCloseAuthority',
    accounts: ['mint'],
    args: layout({ newAuthority: tagged(key) }),
  },
  29: {
    type: 'reallocate',
    accounts: ['account', 'payer', 'systemProgram'],
    authority: OWNER,
    args: layout({ extensionTypes }),
  },
  31: { type: 'createNativeMint', accounts: ['payer', 'nativeMint', 'systemProgram'] },
  32: { type: 'initializeNonTransferableMint', accounts: ['mint'] },
  35: { type: 'initializePermanentDelegate', accounts: ['mint'], args: layout({ delegate: key }) },
  38: { type: 'withdrawExcessLamports', accounts: ['source', 'destination'], authority: AUTHORITY },
  45: {
    type: 'unwrapLamports',
    accounts: ['source', 'destination'],
    authority: AUTHORITY,
    args: layout({ amount: ifTagged(u64Text) }),
  },
};

/** Instructions of both token programs, by their first byte. */
export const TOKEN_INSTRUCTIONS = byByte({ ...BASE_FORMS, ...TOKEN_EXTENSION_FORMS });
