import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';

const REPOSITORY = join(import.meta.dir, '../..');

async function run(...args: string[]): Promise<{ code: number; output: string; errors: string }> {
  const child = Bun.spawn([process.execPath, ...args], { cwd: REPOSITORY, stdout: 'pipe', stderr: 'pipe' });
  const [output, errors, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { code, output, errors };
}

test.each([
  ['a case', ['bench/compare.ts', 'HEAD', 'http/nonsense'], 'no case http/nonsense; there are '],
  ['a commit', ['bench/compare.ts', 'nonsense', 'micro/cursor'], 'this repository has no commit nonsense\n'],
  ['a case to profile', ['bench/profile/run.ts', 'nonsense'], 'no case nonsense; there are '],
])(
  '%s that does not exist is named in one sentence, and ends the command with 2',
  async (_what, args, sentence) => {
    const { code, output, errors } = await run(...args);
    expect({ code, output }).toEqual({ code: 2, output: '' });
    expect(errors).toStartWith(sentence);
    expect(errors.trimEnd()).not.toContain('\n');
  },
);

describe.each([
  ['bench/run.ts', 'npm run bench -- ['],
  ['bench/check.ts', 'npm run bench:check -- ['],
  ['bench/compare.ts', 'npm run bench:compare -- <'],
  ['bench/latencies/run.ts', 'npm run bench:latencies -- ['],
  ['bench/capacity/run.ts', 'npm run capacity -- ['],
  ['bench/capacity/measure.ts', 'npm run capacity:costs -- ['],
])('%s', (file, usage) => {
  test('prints its usage for --help and ends with 0', async () => {
    const { code, output, errors } = await run(file, '--help');
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    expect(output).toStartWith(usage);
  });

  test('names an unknown option, prints its usage and ends with 2', async () => {
    const { code, output, errors } = await run(file, '--nonsense');
    expect({ code, output }).toEqual({ code: 2, output: '' });
    expect(errors).toStartWith("Unknown option '--nonsense'");
    expect(errors).toContain(`\n\n${usage}`);
    expect(errors).not.toContain('    at ');
  });
});
