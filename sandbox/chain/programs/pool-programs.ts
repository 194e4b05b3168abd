import { ammProgram } from './amm/amm-program.ts';
import { curveProgram } from './curve/curve-program.ts';
import { lockerProgram } from './locker/locker-program.ts';
import { tokenMetadataProgram } from './metadata/token-metadata-program.ts';
import type { ProgramModel } from './model.ts';

/** The computed programs with which tokens are launched, traded and migrated. */
export const poolPrograms: readonly ProgramModel[] = [
  curveProgram,
  ammProgram,
  lockerProgram,
  tokenMetadataProgram,
];
