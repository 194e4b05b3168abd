import { emptyFolder, GO_CACHE } from '../client/go-environment.ts';
import { PACKED_CLIENT, packClient } from '../client/packed-client.ts';
import { COMPILED_PROGRAMS, compilePrograms } from '../processes/compiled-programs.ts';
import type { Maker } from '../run/shared-resources.ts';
import { SHARED_SANDBOX, startSharedSandbox } from '../sandbox/shared-sandbox.ts';

/** The shared resources of a run, by name. */
export const sharedMakers: Readonly<Record<string, Maker<unknown>>> = {
  [COMPILED_PROGRAMS]: compilePrograms,
  [GO_CACHE]: emptyFolder,
  [PACKED_CLIENT]: packClient,
  [SHARED_SANDBOX]: startSharedSandbox,
};
