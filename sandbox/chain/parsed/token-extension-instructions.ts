import { ACCOUNT_STATES } from './extension-names.ts';
import {
  exactly,
  f64Text,
  i16,
  i64,
  ifTagged,
  key,
  keyIfAny,
  keyOrNull,
  layout,
  named,
  u8,
  u16,
  u64,
  u64Text,
} from './field-layouts.ts';
import { byByte, type FormEntry } from './instruction-form.ts';
import { checkedAmount, checkedAmountAndFee, signedBy } from './token-fields.ts';

const AUTHORITY = signedBy('authority');
const OWNER = signedBy('owner');
const STATE = layout({ accountState: named(ACCOUNT_STATES) });

/** The two instructions of an extension that points from a mint to an address. */
function pointer(name: string, addressName: string): FormEntry {
  return byByte({
    0: {
      type: `initialize${name}`,
      accounts: ['mint'],
      args: exactly(layout({ authority: keyIfAny, [addressName]: keyIfAny })),
    },
    1: {
      type: `update${name}`,
      accounts: ['mint'],
      authority: AUTHORITY,
      args: exactly(layout({ [addressName]: keyIfAny })),
    },
  });
}

/** The two instructions of an extension that an account's owner switches on and off. */
function ownerSwitch(name: string): FormEntry {
  return byByte({
    0: { type: `enable${name}`, accounts: ['account'], authority: OWNER },
    1: { type: `disable${name}`, accounts: ['account'], authority: OWNER },
  });
}

const TRANSFER_FEE = byByte({
  0: {
    type: 'initializeTransferFeeConfig',
    accounts: ['mint'],
    args: layout({
      transferFeeConfigAuthority: ifTagged(key),
      withdrawWithheldAuthority: ifTagged(key),
      transferFeeBasisPoints: u16,
      maximumFee: u64,
    }),
  },
  1: {
    type: 'transferCheckedWithFee',
    accounts: ['source', 'mint', 'destination'],
    authority: AUTHORITY,
    args: checkedAmountAndFee,
  },
  2: {
    type: 'withdrawWithheldTokensFromMint',
    accounts: ['mint', 'feeRecipient'],
    authority: signedBy('withdrawWithheldAuthority'),
  },
  3: {
    type: 'withdrawWithheldTokensFromAccounts',
    accounts: ['mint', 'feeRecipient'],
    authority: signedBy('withdrawWithheldAuthority'),
    lastAccounts: { name: 'sourceAccounts', countedBy: 'numTokenAccounts' },
    args: layout({ numTokenAccounts: u8 }),
  },
  4: {
    type: 'harvestWithheldTokensToMint',
    accounts: ['mint'],
    restAccounts: { name: 'sourceAccounts', least: 0 },
  },
  5: {
    type: 'setTransferFee',
    accounts: ['mint'],
    // Nodes spell the second name like this.
    authority: { single: 'transferFeeConfigAuthority', multisig: 'multisigtransferFeeConfigAuthority' },
    args: layout({ transferFeeBasisPoints: u16, maximumFee: u64 }),
  },
});

const INTEREST_BEARING_MINT = byByte({
  0: {
    type: 'initializeInterestBearingConfig',
    accounts: ['mint'],
    args: exactly(layout({ rateAuthority: keyOrNull, rate: i16 })),
  },
  1: {
    type: 'updateInterestBearingConfigRate',
    accounts: ['mint'],
    authority: signedBy('rateAuthority'),
    args: exactly(layout({ newRate: i16 })),
  },
});

const SCALED_UI_AMOUNT = byByte({
  0: {
    type: 'initializeScaledUiAmountConfig',
    accounts: ['mint'],
    args: exactly(layout({ authority: keyOrNull, multiplier: f64Text })),
  },
  1: {
    type: 'updateMultiplier',
    accounts: ['mint'],
    authority: AUTHORITY,
    args: exactly(layout({ newMultiplier: f64Text, newMultiplierTimestamp: i64 })),
  },
});

const PAUSABLE = byByte({
  0: {
    type: 'initializePausableConfig',
    accounts: ['mint'],
    args: exactly(layout({ authority: keyOrNull })),
  },
  1: { type: 'pause', accounts: ['mint'], authority: AUTHORITY },
  2: { type: 'resume', accounts: ['mint'], authority: AUTHORITY },
});

const PERMISSIONED_BURN = byByte({
  0: {
    type: 'initializePermissionedBurnConfig',
    accounts: ['mint'],
    args: exactly(layout({ authority: key })),
  },
  1: {
    type: 'permissionedBurn',
    accounts: ['account', 'mint', 'permissionedBurnAuthority'],
    authority: AUTHORITY,
    args: exactly(layout({ amount: u64Text })),
  },
  2: {
    type: 'permissionedBurnChecked',
    accounts: ['account', 'mint', 'permissionedBurnAuthority'],
    authority: AUTHORITY,
    args: exactly(layout({ tokenAmount: checkedAmount })),
  },
});

/**
 * Instructions of Token-2022's extensions, by the byte of the extension and then by their own. Those of the
 * confidential extensions (27, 37, 42) are absent: what their accounts mean depends on where the proofs are.
 */
export const TOKEN_EXTENSION_FORMS: Readonly<Record<number, FormEntry>> = {
  26: TRANSFER_FEE,
  28: byByte({
    0: { type: 'initializeDefaultAccountState', accounts: ['mint'], args: STATE },
    1: {
      type: 'updateDefaultAccountState',
      accounts: ['mint'],
      authority: signedBy('freezeAuthority'),
      args: STATE,
    },
  }),
  30: ownerSwitch('RequiredMemoTransfers'),
  33: INTEREST_BEARING_MINT,
  34: ownerSwitch('CpiGuard'),
  36: pointer('TransferHook', 'programId'),
  39: pointer('MetadataPointer', 'metadataAddress'),
  40: pointer('GroupPointer', 'groupAddress'),
  41: pointer('GroupMemberPointer', 'memberAddress'),
  43: SCALED_UI_AMOUNT,
  44: PAUSABLE,
  46: PERMISSIONED_BURN,
};
