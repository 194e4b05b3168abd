// Preloaded into an api (BUN_OPTIONS=--preload …) for `http/observation` alone: its requests are counted nowhere. The
// product has no such switch. Throws when the function has another name, so that nobody measures metrics against metrics.
const DECLARATION = 'export function createApiMetrics(';
const WITHOUT_COUNTS = `
export function createApiMetrics(role: string): ApiMetrics {
  return { ...countedApiMetrics(role), onOutcome() {}, countDecisions: (limiter) => limiter };
}
`;

Bun.plugin({
  name: 'without-metrics',
  setup(build) {
    build.onLoad({ filter: /\/src\/http\/observation\/metrics\.ts$/ }, async ({ path }) => {
      const text = await Bun.file(path).text();
      if (!text.includes(DECLARATION)) throw new Error(`${path} declares no createApiMetrics`);
      const counted = text.replace(DECLARATION, 'function countedApiMetrics(');
      return { contents: counted + WITHOUT_COUNTS, loader: 'ts' };
    });
  },
});
