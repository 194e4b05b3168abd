import { ammProgram } from './amm/amm-program.ts';
import { curveProgram } from './curve/curve-program.ts';
import { lockerProgram } from './locker/locker-program.ts';
import { tokenMetadataProgram } from './metadata/token-metadata-program.ts';
import type { ProgramModel } from './model.ts';

/** The programs with which tokens are launched, traded and migrated, as far as the sandbox computes them. */
export const poolPrograms: readonly ProgramModel[] = [
  curveProgram,
  ammProgram,
  lockerProgram,
  tokenMetadataProgram,
];
