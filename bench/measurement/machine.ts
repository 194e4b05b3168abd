import { cpus, totalmem } from 'node:os';

/** What a figure depends on besides the code. */
export async function describeMachine() {
  const [cpu] = cpus();
  const commit = await Bun.$`git rev-parse --short HEAD`.quiet().nothrow().text();
  return {
    cpu: cpu?.model ?? 'unknown',
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    bun: Bun.version,
    commit: commit.trim() || 'none',
    date: new Date().toISOString(),
  };
}
