import { bytes64, layout, u32, u64 } from './field-layouts.ts';
import { byWord } from './instruction-form.ts';

/** Instructions of the upgradeable loader. */
export const UPGRADEABLE_LOADER_INSTRUCTIONS = byWord({
  0: { type: 'initializeBuffer', accounts: ['account'], optionalAccounts: ['authority'] },
  1: { type: 'write', accounts: ['account', 'authority'], args: layout({ offset: u32, bytes: bytes64 }) },
  2: {
    type: 'deployWithMaxDataLen',
    accounts: [
      'payerAccount',
      'programDataAccount',
      'programAccount',
      'bufferAccount',
      'rentSysvar',
      'clockSysvar',
      'systemProgram',
      'authority',
    ],
    args: layout({ maxDataLen: u64 }),
  },
  3: {
    type: 'upgrade',
    accounts: [
      'programDataAccount',
      'programAccount',
      'bufferAccount',
      'spillAccount',
      'rentSysvar',
      'clockSysvar',
      'authority',
    ],
  },
  4: { type: 'setAuthority', accounts: ['account', 'authority'], nullableAccounts: ['newAuthority'] },
  5: { type: 'close', accounts: ['account', 'recipient', 'authority'], nullableAccounts: ['programAccount'] },
  6: {
    type: 'extendProgram',
    accounts: ['programDataAccount', 'programAccount'],
    nullableAccounts: ['systemProgram', 'payerAccount'],
    args: layout({ additionalBytes: u32 }),
  },
  7: { type: 'setAuthorityChecked', accounts: ['account', 'authority', 'newAuthority'] },
  9: {
    type: 'extendProgramChecked',
    accounts: ['programDataAccount', 'programAccount', 'authority'],
    nullableAccounts: ['systemProgram', 'payerAccount'],
    args: layout({ additionalBytes: u32 }),
  },
});
