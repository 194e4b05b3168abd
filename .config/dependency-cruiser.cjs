/**
 * Import boundaries (docs/architecture.md): shared <- db <- chain, outbox <- indexer <- intents <- features <- worker, http
 * <- api, internal.
 */

/** The stages of the relay from the ground up: each imports only stages before it. */
const relayStages = [
  'model',
  'members',
  'telemetry',
  'endpoints',
  'results',
  'attempt',
  'retry',
  'deliver',
  'fan-out',
  'maintenance',
];

module.exports = {
  forbidden: [
    // Circles of types alone are refused, too.
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'shared-imports-nothing-outside-itself',
      severity: 'error',
      from: { path: '^src/shared/' },
      to: { path: '^(src/(?!shared/)|relay/|sandbox/|bench/|faults/|test/)' },
    },
    {
      name: 'db-imports-only-shared',
      severity: 'error',
      from: { path: '^src/db/', pathNot: '^src/db/main\\.ts$' },
      to: { path: '^(src/(?!(db|shared)/)|relay/|sandbox/|bench/|faults/|test/)' },
    },
    {
      // It loads the definitions of drizzle, which only its generator needs: 70 ms of the start of a process.
      name: 'the-schema-is-loaded-by-no-process',
      severity: 'error',
      from: { path: '^(src|relay)/', pathNot: '^src/db/schema/' },
      to: { path: '^src/db/schema/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'chain-and-outbox-import-only-db-and-shared',
      severity: 'error',
      from: { path: '^src/(chain|outbox)/' },
      to: { path: '^(src/(?!(chain|outbox|db|shared)/)|relay/|sandbox/|bench/|faults/|test/)' },
    },
    {
      name: 'indexer-imports-no-feature',
      severity: 'error',
      from: { path: '^src/indexer/' },
      to: {
        path: '^(src/(intents|features|http|api|internal|worker|admin)/|relay/|sandbox/|bench/|faults/|test/)',
      },
    },
    {
      name: 'intents-lie-under-every-feature',
      severity: 'error',
      from: { path: '^src/intents/' },
      to: {
        path: '^(src/(?!(intents|indexer|chain|outbox|db|shared)/)|relay/|sandbox/|bench/|faults/|test/)',
      },
    },
    {
      name: 'a-feature-never-imports-another',
      severity: 'error',
      from: { path: '^src/features/([^/]+)/' },
      to: { path: '^src/features/', pathNot: '^src/features/$1/' },
    },
    {
      name: 'http-knows-no-feature',
      severity: 'error',
      from: { path: '^src/http/' },
      to: { path: '^(src/(features|api|internal|worker|indexer|intents|chain|outbox|admin)/|relay/)' },
    },
    {
      name: 'http-is-seen-by-routes-and-schemas-only',
      severity: 'error',
      from: { path: '^src/features/', pathNot: '([/-](routes|schema)|/(api|internal))\\.ts$' },
      to: { path: '^src/http/' },
    },
    {
      name: 'the-worker-imports-no-http',
      severity: 'error',
      from: { path: '^src/(worker/|(features/[^/]+|intents|indexer|outbox)/worker\\.ts$)' },
      to: { path: '^src/(api|internal|http|admin|documentation)/' },
    },
    // The doors of a room: each is opened by its program alone (docs/architecture.md).
    ...['api', 'worker', 'internal', 'admin'].map((program) => ({
      name: `only-the-${program}-opens-its-doors`,
      severity: 'error',
      from: { path: '^(src|relay)/', pathNot: `^src/${program}/` },
      to: { path: `^src/(features/.+|intents|indexer|outbox)/${program}\\.ts$` },
    })),
    {
      name: 'nothing-imports-a-process',
      severity: 'error',
      from: { path: '^(src/(?!(api|internal|worker|admin)/)|relay/)' },
      to: { path: '^src/(api|internal|worker|admin)/' },
    },
    {
      name: 'the-internal-process-loads-no-public-api',
      severity: 'error',
      from: { path: '^src/internal/main\\.ts$' },
      to: { path: '^src/(api/|.*/(routes|api|worker)\\.ts$)', pathNot: '^src/internal/', reachable: true },
    },
    {
      name: 'only-the-main-of-a-process-ends-it',
      severity: 'error',
      // A process that hangs ends itself (docs/decisions/0026).
      from: { path: '^(src|relay)/', pathNot: '(/main\\.ts|^src/shared/liveness\\.ts)$' },
      to: { path: '^src/shared/end-process\\.ts$' },
    },
    {
      name: 'elysia-stays-at-the-edge',
      severity: 'error',
      from: { path: '^(src|relay)/', pathNot: '^src/http/elysia\\.ts$' },
      to: { path: 'node_modules/elysia/' },
    },
    {
      name: 'relay-imports-only-what-processes-share',
      severity: 'error',
      from: { path: '^relay/' },
      to: { path: '^(src/(?!(shared|db|outbox|config)/)|sandbox/|bench/|faults/|test/)' },
    },
    ...relayStages.map((stage, at) => ({
      name: `relay-${stage}-imports-no-later-stage`,
      severity: 'error',
      from: { path: `^relay/${stage}/` },
      to: {
        path: `^relay/(${relayStages
          .slice(at + 1)
          .map((later) => `${later}/`)
          .concat('[^/]+\\.ts$')
          .join('|')})`,
      },
    })),
    {
      name: 'every-folder-of-the-relay-is-a-stage',
      severity: 'error',
      from: { path: '^relay/[^/]+\\.ts$' },
      to: { path: '^relay/[^/]+/', pathNot: `^relay/(${relayStages.join('|')})/` },
    },
    {
      name: 'product-imports-no-test-bench-or-sandbox',
      severity: 'error',
      from: { path: '^(src|relay)/' },
      to: { path: '^(sandbox|bench|faults|test|examples|scripts)/' },
    },
    {
      name: 'parts-of-the-sandbox-know-nothing-of-its-start',
      severity: 'error',
      from: { path: '^sandbox/[^/]+/' },
      to: { path: '^sandbox/[^/]+$' },
    },
    {
      name: 'what-parts-of-the-sandbox-share-imports-none-of-them',
      severity: 'error',
      from: { path: '^sandbox/shared/' },
      to: { path: '^sandbox/(?!shared/)' },
    },
    {
      name: 'the-client-imports-nothing-outside-itself',
      severity: 'error',
      from: { path: '^packages/client/src/' },
      to: { pathNot: '^(packages/client/src/|node:)', dependencyTypesNot: ['core'] },
    },
    {
      name: 'the-library-of-the-client-knows-no-command-line',
      severity: 'error',
      from: { path: '^packages/client/src/', pathNot: '^packages/client/src/cli/' },
      to: { path: '^packages/client/src/cli/' },
    },
    {
      name: 'the-library-of-the-client-needs-no-built-in-module',
      severity: 'error',
      from: { path: '^packages/client/src/', pathNot: '^packages/client/src/cli/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'only-examples-and-tests-use-the-client',
      severity: 'error',
      from: { path: '^(src|relay|sandbox|bench)/' },
      to: { path: '^packages/', pathNot: '^packages/client/src/cli/kit/' },
    },
    {
      name: 'only-command-lines-use-the-kit-of-commands',
      severity: 'error',
      from: { pathNot: '^(packages/client/src/cli|src/admin|test)/' },
      to: { path: '^packages/client/src/cli/kit/' },
    },
    {
      name: 'the-kit-of-commands-imports-nothing-outside-itself',
      severity: 'error',
      from: { path: '^packages/client/src/cli/kit/' },
      to: { pathNot: '^packages/client/src/cli/kit/' },
    },
    {
      name: 'the-checker-of-faults-is-used-by-its-tests-alone',
      severity: 'error',
      from: { path: '^(packages|sandbox|bench|examples)/' },
      to: { path: '^faults/' },
    },
    {
      name: 'the-judge-sees-evidence-alone',
      severity: 'error',
      from: { path: '^faults/judge/' },
      to: { path: '^(faults/(?!judge/|evidence/)|src/db/client\\.ts|sandbox/|bench/|test/)' },
    },
    {
      name: 'no-development-dependency-in-the-product',
      severity: 'error',
      from: { path: '^(src|relay)/' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(drizzle|\\.sandbox)/' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.mjs', '.cjs', '.js', '.json'],
      conditionNames: ['bun', 'import', 'require', 'node', 'default', 'types'],
    },
    builtInModules: { add: ['bun', 'bun:test'] },
  },
};
