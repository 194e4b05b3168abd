import { describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../../sandbox/services/command.ts';

const root = new URL('../../', import.meta.url).pathname;
const workflows = join(root, '.github/workflows');

interface Bom {
  bomFormat: string;
  components: {
    name: string;
    version: string;
    purl: string;
    licenses?: { license?: { id?: string }; expression?: string }[];
  }[];
}

const dependencies = readFileSync(join(root, 'docs/dependencies.md'), 'utf8');
const allowed: readonly string[] =
  (/^Licences: .*$/m.exec(dependencies)?.[0] ?? '').match(/(?<=`)[\w.-]+(?=`)/g) ?? [];
/** One allowed alternative is enough. */
const isAllowed = (licence: string | undefined) =>
  licence?.split(' OR ').some((alternative) => allowed.includes(alternative)) ?? false;

describe('what the service is made of', () => {
  test('every action of a workflow is fixed to a commit, with its version beside it', () => {
    const uses = readdirSync(workflows).flatMap((file) =>
      readFileSync(join(workflows, file), 'utf8')
        .split('\n')
        .filter((line) => /\buses:/.test(line)),
    );
    expect(uses.length).toBeGreaterThan(0);
    for (const line of uses) expect(line).toMatch(/uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test('the suite of the database driver is that of the version in use', () => {
    const { postgres } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).dependencies;
    const workflow = readFileSync(join(workflows, 'driver.yml'), 'utf8');
    expect(/repository: porsager\/postgres\n +ref: (\S+)/.exec(workflow)?.[1]).toBe(`v${postgres}`);
  });

  test('the list of components has every package of the product in its exact version, with a licence that is allowed, and no development package', async () => {
    const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const { succeeded, output } = await runCommand('npm', ['run', '--silent', 'sbom'], { cwd: root });
    expect(succeeded).toBe(true);
    const { bomFormat, components } = JSON.parse(output.slice(output.indexOf('{'))) as Bom;
    expect(bomFormat).toBe('CycloneDX');
    const versions = new Map(components.map(({ name, version }) => [name, version]));
    for (const [name, version] of Object.entries(manifest.dependencies))
      expect(versions.get(name)).toBe(`${version}`);
    for (const name of ['@biomejs/biome', 'litesvm', 'knip']) expect(versions.has(name)).toBe(false);
    for (const { purl } of components) expect(purl).toMatch(/^pkg:npm\//);

    const others = components.filter(
      ({ licenses: [first] = [] }) => !isAllowed(first?.license?.id ?? first?.expression),
    );
    // A shared library, once for each platform.
    const exception = /^@img\/sharp-libvips-/;
    expect(others.map(({ name }) => name).filter((name) => !exception.test(name))).toEqual([]);
  });

  test('every package that we name has a row of the documentation, and a licence that is allowed', () => {
    const rows = dependencies
      .split('\n')
      .filter((line) => line.startsWith('| '))
      .flatMap((line) => line.split('|')[1]?.split(',') ?? [])
      .map((cell) => cell.trim().split(' ')[0]);
    const manifests = ['package.json', '.config/package.json'].map((path) =>
      JSON.parse(readFileSync(join(root, path), 'utf8')),
    );
    const names = manifests.flatMap((manifest) =>
      Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }),
    );
    expect(names.filter((name) => !rows.includes(name))).toEqual([]);
    const licenceOf = (name: string) =>
      JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8')).license;
    // It has MPL-2.0.
    expect(names.filter((name) => !isAllowed(licenceOf(name)))).toEqual(['axe-core']);
  });

  test('the lockfile names no registry, so that everybody installs from their own', () => {
    expect(readFileSync(join(root, 'bun.lock'), 'utf8').match(/https?:[^"]*/g)).toBeNull();
  });
});
