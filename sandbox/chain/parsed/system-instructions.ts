import type { ByteReader } from '../byte-reader.ts';
import { key, layout, text64, u64 } from './field-layouts.ts';
import type { FormTable, InstructionForm } from './instruction-form.ts';

export const SYSTEM_INSTRUCTIONS: FormTable = {
  discriminatorBytes: 4,
  forms: {
    0: {
      type: 'createAccount',
      accounts: ['source', 'newAccount'],
      args: layout({ lamports: u64, space: u64, owner: key }),
    },
    1: { type: 'assign', accounts: ['account'], args: layout({ owner: key }) },
    2: { type: 'transfer', accounts: ['source', 'destination'], args: layout({ lamports: u64 }) },
    3: {
      type: 'createAccountWithSeed',
      accounts: ['source', 'newAccount'],
      args: layout({ base: key, seed: text64, lamports: u64, space: u64, owner: key }),
    },
    4: { type: 'advanceNonce', accounts: ['nonceAccount', 'recentBlockhashesSysvar', 'nonceAuthority'] },
    5: {
      type: 'withdrawFromNonce',
      accounts: ['nonceAccount', 'destination', 'recentBlockhashesSysvar', 'rentSysvar', 'nonceAuthority'],
      args: layout({ lamports: u64 }),
    },
    6: {
      type: 'initializeNonce',
      accounts: ['nonceAccount', 'recentBlockhashesSysvar', 'rentSysvar'],
      args: layout({ nonceAuthority: key }),
    },
    7: {
      type: 'authorizeNonce',
      accounts: ['nonceAccount', 'nonceAuthority'],
      args: layout({ newAuthorized: key }),
    },
    8: { type: 'allocate', accounts: ['account'], args: layout({ space: u64 }) },
    9: {
      type: 'allocateWithSeed',
      accounts: ['account'],
      hiddenAccounts: 1,
      args: layout({ base: key, seed: text64, space: u64, owner: key }),
    },
    10: {
      type: 'assignWithSeed',
      accounts: ['account'],
      hiddenAccounts: 1,
      args: layout({ base: key, seed: text64, owner: key }),
    },
    11: {
      type: 'transferWithSeed',
      accounts: ['source', 'sourceBase', 'destination'],
      args: layout({ lamports: u64, sourceSeed: text64, sourceOwner: key }),
    },
    12: { type: 'upgradeNonce', accounts: ['nonceAccount'] },
    13: createAccountAllowPrefund,
  },
};

/** Without lamports there is no payer, and neither is shown. */
function createAccountAllowPrefund(reader: ByteReader): InstructionForm {
  const type = 'createAccountAllowPrefund';
  if (reader.u64() === 0n)
    return {
      type,
      accounts: ['newAccount'],
      args: layout({ lamports: (args) => void args.u64(), space: u64, owner: key }),
    };
  return {
    type,
    accounts: ['newAccount', 'source'],
    args: layout({ lamports: u64, space: u64, owner: key }),
  };
}
