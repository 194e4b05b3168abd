import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';

/** The name is in no registry: whoever registers it must not be run by anybody who follows the documentation. */
const fetching = [
  // `npx` in a sentence is followed by its backtick.
  /\bnpx\s+(?!--no-install[\s`])[^\s`'"].*/g,
  /\b(?:bunx|pnpx|pnpm dlx|yarn dlx|npm exec|npm x)\s.*/g,
  /\b(?:npm (?:i|install|add)|(?:bun|pnpm|yarn) (?:i|install|add))\b[^\n`]*\slaunchwire(?:@[^\s`]*)?(?=[\s`'"]|$)/gm,
];
const found = (text: string) => fetching.flatMap((pattern) => text.match(pattern) ?? []);

test('nothing that users read or run fetches a package by the name of ours', () => {
  const folders = [
    '*',
    '{docs,src,sandbox,examples,ops,bench,faults,relay}/**/*',
    'packages/client/{src,scripts}/**/*',
    'packages/client/*',
  ];
  const files = folders
    .flatMap((glob) => [...new Bun.Glob(glob).scanSync('.')])
    .filter((file) => /\.(?:md|ts|mjs|js|py|go|sh|json|ya?ml|html)$|Dockerfile$/.test(file));
  expect(files).toContain('packages/client/README.md');
  expect(files.length).toBeGreaterThan(500);
  const lines = files.flatMap((file) => found(readFileSync(file, 'utf8')).map((line) => `${file}: ${line}`));
  expect(lines).toEqual([]);
});

test('the patterns find what would be fetched, and nothing else', () => {
  for (const line of [
    'npx launchwire swap',
    'npx -y launchwire',
    'npm install launchwire',
    'bun add launchwire@0.2.0',
    'npx tsc',
    'bunx launchwire',
  ])
    expect(found(line)).toHaveLength(1);
  for (const line of [
    'npx --no-install launchwire swap',
    'npm install ../launchwire/launchwire-0.2.0.tgz',
    '`npx` fetches',
    'npm install express',
  ])
    expect(found(line)).toEqual([]);
});
