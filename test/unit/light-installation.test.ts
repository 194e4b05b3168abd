import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';

const root = join(import.meta.dir, '..', '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const importsOf = (file: string) =>
  transpiler.scanImports(read(file).replace(/^#!.*/, '')).map(({ path }) => path);
const { dependencies, devDependencies } = JSON.parse(read('package.json'));
const listed = new Set(Object.keys({ ...dependencies, ...devDependencies }));
const transpiler = new Bun.Transpiler({ loader: 'ts' });
/** What `npm start`, the command line and the examples run. */
const RUN = ['src', 'relay', 'sandbox', 'packages/client/src', 'examples/*.ts'];

const files = RUN.flatMap((path) => [
  ...new Bun.Glob(path.endsWith('.ts') ? path : `${path}/**/*.{ts,mjs}`).scanSync(root),
]);
const packageOf = (path: string) =>
  path
    .split('/')
    .slice(0, path.startsWith('@') ? 2 : 1)
    .join('/');
/** Commands whose names are not those of their packages. */
const COMMANDS: Readonly<Record<string, string>> = {
  '@biomejs/biome': 'biome',
  '@redocly/cli': 'redocly',
  'dependency-cruiser': 'depcruise',
};
/** The npm package, by the paths of tsconfig.json. */
const ALIASES = new Set(['launchwire']);
const isPackage = (path: string) =>
  !/^(\.|node:|bun:|bun$|data:)/.test(path) && !builtinModules.includes(path.split('/')[0] ?? path);

test('what `npm start` runs imports no package of the tests, benchmarks and checks', () => {
  expect(files.length).toBeGreaterThan(1_000);
  const missing = files.flatMap((file) =>
    importsOf(file)
      .filter((path) => isPackage(path) && !listed.has(packageOf(path)) && !ALIASES.has(packageOf(path)))
      .map((path) => `${file}: ${path}`),
  );
  expect(missing).toEqual([]);
});

test('each package of the tests, benchmarks and checks is used', () => {
  const { devDependencies } = JSON.parse(read('.config/package.json'));
  const commands = Object.values(JSON.parse(read('package.json')).scripts).join('\n');
  const tracked = ['bench', 'examples', 'faults', 'packages', 'scripts', 'test', '.config'].flatMap(
    (folder) => [...new Bun.Glob(`${folder}/**/*.{ts,mjs,cjs}`).scanSync({ cwd: root, dot: true })],
  );
  const texts = tracked.filter((file) => !file.includes('node_modules')).map(read);
  const isUsed = (name: string) =>
    texts.some((text) => text.includes(`'${name}'`) || text.includes(`'${name}/`)) ||
    commands.includes(COMMANDS[name] ?? name);
  const unused = Object.keys(devDependencies).filter((name) => !name.startsWith('@types/') && !isUsed(name));
  expect(unused).toEqual([]);
});
