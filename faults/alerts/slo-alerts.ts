import { join } from 'node:path';
import { PROJECT_ROOT } from '../../sandbox/shared/sandbox-folder.ts';

export const RULES_FILE = join(PROJECT_ROOT, 'ops/prometheus/alerts.yml');
const ALERT_GROUP = 'launchwire-slo-alerts';

interface Rules {
  groups: { name: string; rules: { alert?: string; expr: string }[] }[];
}

/** A metric as the rules ask for it: its name, and the labels that have to have a value. */
export interface Selector {
  readonly metric: string;
  readonly labels: readonly (readonly [name: string, value: string])[];
}

export interface SloAlerts {
  /** Names of the alerts of objectives, in the order of the file. */
  readonly names: readonly string[];
  /** Series from which the objectives are computed. */
  readonly selectors: readonly Selector[];
}

/** The alerts of objectives in ops/prometheus/alerts.yml. */
export async function readSloAlerts(): Promise<SloAlerts> {
  const { groups } = Bun.YAML.parse(await Bun.file(RULES_FILE).text()) as Rules;
  const rules = groups
    .filter(({ name }) => name.startsWith('launchwire-slo'))
    .flatMap((group) => group.rules);
  const alerts = groups.find(({ name }) => name === ALERT_GROUP)?.rules ?? [];
  return {
    names: alerts.flatMap(({ alert }) => alert ?? []),
    selectors: rules.flatMap(({ expr }) => selectorsOf(expr)),
  };
}

function selectorsOf(expression: string): Selector[] {
  return [...expression.matchAll(/(launchwire_\w+)(?:\{([^}]*)\})?/g)].map(
    ([, metric = '', matchers = '']) => ({
      metric,
      labels: [...matchers.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]),
    }),
  );
}

/** Whether one of the selectors may take a sample such as `name{label="value"}`. */
export function isAskedFor(selectors: readonly Selector[], sample: string): boolean {
  const name = sample.replace(/\{.*/, '');
  return selectors.some(
    ({ metric, labels }) =>
      metric === name && labels.every(([label, value]) => sample.includes(`${label}="${value}"`)),
  );
}
