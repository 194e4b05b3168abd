import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_ROOT } from '../../../sandbox/shared/sandbox-folder.ts';
import { createTempDir } from './temp-dir.ts';

/** Addresses of servers that no test uses, so that the run starts no servers. */
const SERVERS = { DATABASE_URL: 'postgres://none', NATS_URL: 'nats://none', REDIS_URL: 'redis://none' };

/** Runs test files, given by name and text, like `npm test`. They need no servers. */
export async function runLikeNpmTest(
  files: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Promise<{ output: string; exitCode: number }> {
  const folder = createTempDir('inner-run');
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const { TEST_SEED: _seed, ...environment } = process.env;
  const run = Bun.spawn([process.execPath, 'test/run.ts', ...args, folder], {
    cwd: PROJECT_ROOT,
    env: { ...environment, ...SERVERS },
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [out, error] = await Promise.all([new Response(run.stdout).text(), new Response(run.stderr).text()]);
  return { output: out + error, exitCode: await run.exited };
}
