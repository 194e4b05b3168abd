import { SYSTEM_PROGRAM } from '../../src/chain/accounts/programs.ts';

/** The address of zero bytes, which programs store where they name nobody. It is also that of the system program. */
export const ZERO_ADDRESS = SYSTEM_PROGRAM;
