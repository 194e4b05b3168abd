import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { ALLOCATOR } from '../../sandbox/services/allocator.ts';

const root = new URL('../../', import.meta.url).pathname;
/** The instructions of the Dockerfile, one a line, without comments. */
const instructions = readFileSync(`${root}Dockerfile`, 'utf8')
  .replaceAll(/^\s*#.*\n/gm, '')
  .replaceAll(/\\\n\s*/g, '')
  .split('\n')
  .filter((line) => line !== '');

function argumentsOf(name: string): string[] {
  return instructions
    .filter((line) => line.startsWith(`${name} `))
    .map((line) => line.slice(name.length + 1).trim());
}

describe('the image (docs/operations/releases.md)', () => {
  test('begins with one exact version', () => {
    const stages = argumentsOf('FROM').map((text) => text.split(' AS '));
    const bases = stages.map(([base = '']) => base.replace(/^\$\{(\w+)\}$/, '$1'));
    const named = stages.flatMap(([, name = []]) => name);
    for (const base of bases) expect(['BUN_IMAGE', ...named]).toContain(base);
    expect(argumentsOf('ARG').find((text) => text.startsWith('BUN_IMAGE='))).toMatch(
      /:\d+\.\d+\.\d+-\w+(@sha256:[0-9a-f]{64})?$/,
    );
  });

  test('fetches only packages of the lock file, and runs none of their scripts', () => {
    const commands = argumentsOf('RUN').flatMap((text) => text.split(/\s*(?:&&|\|\||;|\|)\s*/));
    const installs = commands.filter((command) => !/^rm -rf node_modules\//.test(command));
    expect(installs).toHaveLength(1);
    for (const part of ['bun install ', ' --frozen-lockfile', ' --ignore-scripts'])
      expect(installs[0]).toContain(part);
    expect(instructions.filter((line) => /^ADD /.test(line))).toEqual([]);
  });

  test('copies only named files, so that no other file of a folder gets in', () => {
    const sources = argumentsOf('COPY').flatMap((text) =>
      text
        .split(' ')
        .filter((part) => !part.startsWith('--from='))
        .slice(0, -1),
    );
    expect(sources.length).toBeGreaterThan(5);
    for (const source of sources) expect(source).toMatch(/^[\w./-]*\w$/);
    expect(readFileSync(`${root}.dockerignore`, 'utf8').split('\n')).toContain('*');
  });

  test('returns memory as the sandbox and the bench suite do', () => {
    const variables = argumentsOf('ENV').flatMap((text) => text.split(' '));
    for (const [name, value] of Object.entries(ALLOCATOR)) expect(variables).toContain(`${name}=${value}`);
  });
});
