import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BunPlugin } from 'bun';
import { PROJECT_ROOT } from '../../../sandbox/shared/sandbox-folder.ts';
import { isInRun, type SharedResource, useShared } from '../run/shared-resources.ts';

/** The name of the shared resource in a run. */
export const COMPILED_PROGRAMS = 'programs';

const PROGRAMS: readonly string[] = [
  'src/api/main.ts',
  'src/worker/main.ts',
  'src/internal/main.ts',
  'src/admin/main.ts',
  'src/db/main.ts',
  'relay/main.ts',
  'sandbox/start.ts',
  'sandbox/chain/main.ts',
  'sandbox/market/main.ts',
  'sandbox/community/main.ts',
  'sandbox/inbox/main.ts',
];

let executable: Promise<string> | undefined;

/**
 * The command that starts an entry of the project as Bun does: `<command> <entry> <arguments>`. In a run it has the
 * programs compiled in, and starts them with a third of the CPU. A file that it does not have it runs from its source.
 * If no run is going on, or the entry is none of them, it is Bun.
 */
export async function commandOf(entry: string): Promise<string> {
  if (!isInRun() || !PROGRAMS.includes(entry)) return process.execPath;
  executable ??= useShared(COMPILED_PROGRAMS, compilePrograms);
  return executable;
}

/** Compiles the programs into one executable with their bytecode: 4 s of CPU, as much as seven starts of the api from its sources. */
export async function compilePrograms(folder: string): Promise<SharedResource<string>> {
  const entry = join(folder, 'programs.ts');
  writeFileSync(entry, entryText());
  const outfile = join(folder, 'bun-with-programs');
  await Bun.build({
    entrypoints: [entry],
    target: 'bun',
    format: 'esm',
    splitting: true,
    bytecode: true,
    sourcemap: 'inline',
    // Product code and its libraries ask for it at run time, as when they run from the sources.
    define: { 'process.env.NODE_ENV': 'process.env.NODE_ENV' },
    // A file that runs from its source finds its packages.
    compile: { outfile, autoloadPackageJson: true, autoloadTsconfig: true, autoloadBunfig: false },
    plugins: [sourcePlaces, otherPackages],
  });
  return { value: outfile };
}

/** Names the program like Bun does: processes find themselves, and each other, by it. */
function entryText(): string {
  const files = PROGRAMS.map((program) => JSON.stringify(join(PROJECT_ROOT, program)));
  return `import { resolve } from 'node:path';
const programs = { ${files.map((file) => `${file}: () => import(${file})`).join(',\n')} };
const file = resolve(process.argv[2]);
process.argv.splice(0, 3, process.execPath, file);
Bun.main = file;
await (programs[file] ?? (() => import(file)))();
`;
}

/** A source that looks for files beside itself finds them: its place stays that of the source. */
const sourcePlaces: BunPlugin = {
  name: 'source-places',
  setup(build) {
    build.onLoad({ filter: /^(?!.*\/node_modules\/).*\.ts$/ }, async ({ path }) => {
      const text = await Bun.file(path).text();
      if (!text.includes('import.meta.')) return undefined;
      const contents = text
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
        .replaceAll('import.meta.dir', JSON.stringify(dirname(path)))
        .replace(/import\.meta\.resolve\('([^']+)'\)/g, (_, name: string) =>
          JSON.stringify(pathToFileURL(Bun.resolveSync(name, dirname(path))).href),
        );
      return { contents, loader: 'ts' };
    });
  },
};

/** Native code is loaded from its package, and so is what a program loads only where it is configured. */
const otherPackages: BunPlugin = {
  name: 'other-packages',
  setup(build) {
    const filter = /^(litesvm|@aws-sdk\/client-s3|@triton-one\/yellowstone-grpc)(\/|$)/;
    build.onResolve({ filter }, ({ path, importer }) => ({
      path: Bun.resolveSync(path, dirname(importer)),
      external: true,
    }));
  },
};
