import { beforeAll, describe, expect, test } from 'bun:test';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  OFFLINE as environment,
  output,
  type PackedClient,
  packedClient,
  type RunOptions,
  runCommand,
} from '../support/client/packed-client.ts';
import { createTempDir } from '../support/run/temp-dir.ts';

const PROJECT_ROOT = join(import.meta.dir, '..', '..');
const PACK_TIMEOUT_MS = 300_000;

interface Line {
  file: string;
  text: string;
}

/** Commands about the package that the documentation shows, in shell blocks and in sentences. */
function linesOf(pattern: string): Line[] {
  const patterns = ['*.md', 'docs/**/*.md', 'packages/client/*.md', 'examples/**/*'];
  const files = patterns.flatMap((glob) => [...new Bun.Glob(glob).scanSync(PROJECT_ROOT)]);
  return files
    .filter((file) => !/\/decisions\/|CHANGELOG/.test(file))
    .sort()
    .flatMap((file) => {
      const text = readFileSync(join(PROJECT_ROOT, file), 'utf8');
      const blocks = [...text.matchAll(/^```sh.*\n([\s\S]*?)^```/gm)].flatMap(([, block = '']) =>
        block.replaceAll(/ \\\n\s*/g, ' ').split('\n'),
      );
      const sentences = [...text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/`([^`\n]+)`/g)].map(
        ([, code = '']) => code,
      );
      return [...blocks, ...sentences, ...(file.endsWith('.md') ? [] : text.split('\n'))].flatMap((line) => {
        const [found] = new RegExp(pattern).exec(line) ?? [];
        return found === undefined ? [] : [{ file, text: found.replace(/\s+#.*$/, '').trim() }];
      });
    });
}

const packing = linesOf('npm (run client:pack|pack\\b.*packages/client).*');
const installing = linesOf('(npm (i|install)|bun add|yarn add|pnpm add)\\b.*launchwire.*');
const running = linesOf('npx [^`|)]*launchwire\\b[^`|)]*');

const distinct = (lines: readonly Line[]) => [...new Set(lines.map(({ text }) => text))];

let packed: PackedClient;
let project: string;
const inClone = (): RunOptions => ({ cwd: packed.clone, environment });
const inProject = (): RunOptions => ({ cwd: project, environment });

/** Creates an empty project next to the clone. */
beforeAll(async () => {
  packed = await packedClient();
  const folder = createTempDir('reader');
  project = join(folder, 'bot');
  symlinkSync(packed.clone, join(folder, 'launchwire'));
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{ "private": true }\n');
}, PACK_TIMEOUT_MS);

describe('the printed install commands work today, although the package is in no registry', () => {
  test('there are such lines in the README of the package, in the guides and in the README of the repository', () => {
    for (const lines of [packing, installing, running]) {
      const files = lines.map(({ file }) => file);
      expect(files).toContain('packages/client/README.md');
      expect(files).toContain('docs/guides/npm-package.md');
    }
    expect(running.map(({ file }) => file)).toContain('README.md');
    expect(new Set(packing.map(({ text }) => text))).toEqual(new Set(['npm run client:pack']));
  });

  test('packing prints the packed file and how it is installed', async () => {
    const { clone, tarball, printed } = packed;
    const { version } = await Bun.file(join(clone, 'packages', 'client', 'package.json')).json();
    expect(tarball).toBe(join(clone, `launchwire-${version}.tgz`));
    expect(printed).toBe(`launchwire-${version}.tgz\nIn a project of yours: npm install ${tarball}\n`);
  });

  test.each(distinct(installing))('%s', async (text) => {
    await output(['sh', '-c', text], inProject());
    const { dependencies } = JSON.parse(await output(['npm', 'ls', '--json'], inProject()));
    expect(dependencies.launchwire.version).toBeString();
  });

  test('npx finds the command line in the project and in the clone', async () => {
    for (const where of [inProject(), inClone()])
      expect(await output(['npx', '--no-install', 'launchwire', '--help'], where)).toContain(
        'Usage: launchwire <command>',
      );
  });

  // Other tests run these commands. This one checks that the command and its options exist. It avoids npx,
  // which takes two seconds for each.
  test.each(distinct(running))('%s', async (text) => {
    const words = text.replace(/^npx --no-install launchwire/, '').replace(/<(\w+)>|\$([A-Z]+)/g, '$1$2');
    const line = `./node_modules/.bin/launchwire${words.replace(/ --help$/, '')} --help`;
    const { code, stdout, stderr } = await runCommand(['sh', '-c', line], inProject());
    expect({ line, code, stderr }).toEqual({ line, code: 0, stderr: '' });
    expect(stdout).toContain('Usage: launchwire');
  });
});
