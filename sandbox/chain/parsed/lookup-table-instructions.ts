import { key, layout, list64, u8, u64 } from './field-layouts.ts';
import { byWord } from './instruction-form.ts';

const TABLE_AND_AUTHORITY = ['lookupTableAccount', 'lookupTableAuthority'] as const;

/** Instructions of the address-lookup-table program. */
export const LOOKUP_TABLE_INSTRUCTIONS = byWord({
  0: {
    type: 'createLookupTable',
    accounts: [...TABLE_AND_AUTHORITY, 'payerAccount', 'systemProgram'],
    args: layout({ recentSlot: u64, bumpSeed: u8 }),
  },
  1: { type: 'freezeLookupTable', accounts: TABLE_AND_AUTHORITY },
  2: {
    type: 'extendLookupTable',
    accounts: TABLE_AND_AUTHORITY,
    optionalAccounts: ['payerAccount', 'systemProgram'],
    args: layout({ newAddresses: list64(key) }),
  },
  3: { type: 'deactivateLookupTable', accounts: TABLE_AND_AUTHORITY },
  4: { type: 'closeLookupTable', accounts: [...TABLE_AND_AUTHORITY, 'recipient'] },
});
