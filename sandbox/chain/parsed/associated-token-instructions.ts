import { byByte, type InstructionForm } from './instruction-form.ts';

const CREATE_ACCOUNTS = ['source', 'account', 'wallet', 'mint', 'systemProgram', 'tokenProgram'] as const;
export const CREATE: InstructionForm = { type: 'create', accounts: CREATE_ACCOUNTS };

/** Instructions of the associated-token-account program; no data at all means `create`. */
export const ASSOCIATED_TOKEN_INSTRUCTIONS = byByte({
  0: CREATE,
  1: { type: 'createIdempotent', accounts: CREATE_ACCOUNTS },
  2: {
    type: 'recoverNested',
    accounts: [
      'nestedSource',
      'nestedMint',
      'destination',
      'nestedOwner',
      'ownerMint',
      'wallet',
      'tokenProgram',
    ],
  },
});
