import { useShared } from '../run/shared-resources.ts';

/** The name of the shared resource in a run. */
export const GO_CACHE = 'go-cache';

/** Variables for the Go compiler. All files of a run share its cache, because the standard library takes 8 s
 * of CPU. */
export async function goEnvironment(): Promise<Record<string, string>> {
  return {
    GOCACHE: await useShared(GO_CACHE, emptyFolder),
    GOFLAGS: '-p=1',
    CGO_ENABLED: '0',
    GOTOOLCHAIN: 'local',
  };
}

export async function emptyFolder(folder: string): Promise<{ value: string }> {
  return { value: folder };
}
