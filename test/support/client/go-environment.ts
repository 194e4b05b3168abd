import { useShared } from '../run/shared-resources.ts';

/** Under which the files of a run find it. */
export const GO_CACHE = 'go-cache';

/** For the compiler of Go. What it has compiled once, its standard library above all (8 s of CPU), serves all files of a run. */
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
