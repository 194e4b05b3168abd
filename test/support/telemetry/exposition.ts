/** The result of a scrape: types of metrics by name, and samples by `name{labels}`. */
export interface Exposition {
  types: ReadonlyMap<string, string>;
  samples: ReadonlyMap<string, number>;
}

/** Reads Prometheus text exposition format 0.0.4; throws on an invalid line. */
export function parseExposition(text: string): Exposition {
  const types = new Map<string, string>();
  const samples = new Map<string, number>();
  for (const line of text.split('\n')) {
    const type = /^# TYPE (\S+) (counter|gauge|histogram|summary)$/.exec(line);
    if (type !== null) types.set(type[1] ?? '', type[2] ?? '');
    if (line === '' || line.startsWith('#')) continue;
    const sample = /^([a-zA-Z_:][\w:]*(?:\{.*\})?) (\S+)$/.exec(line);
    if (sample === null || Number.isNaN(Number(sample[2]?.replace('Nan', '0'))))
      throw new Error(`no sample: ${line}`);
    samples.set(sample[1] ?? '', Number(sample[2]));
  }
  return { types, samples };
}

export async function scrape(origin: string): Promise<Exposition> {
  return parseExposition(await (await fetch(`${origin}/metrics`)).text());
}

/** Every name that a query may use: histograms have three. */
export function queryableNames({ types }: Exposition): string[] {
  return [...types].flatMap(([name, type]) =>
    type === 'histogram' ? ['_bucket', '_sum', '_count'].map((suffix) => name + suffix) : [name],
  );
}

const GROUPING = /\b(?:by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)/g;
const OPERATORS = new Set(['and', 'or', 'unless', 'bool', 'offset', 'inf', 'nan']);

/** Names of the metrics in a PromQL expression, without functions, labels, texts, durations and operators. */
export function metricNames(expression: string): string[] {
  const bare = expression
    .replace(/"[^"]*"/g, '')
    .replace(/\{[^}]*\}/g, '')
    .replace(/\[[^\]]*\]/g, '')
    .replace(GROUPING, '');
  const names = [...bare.matchAll(/(?<![\w.])[a-zA-Z_:][\w:]*(?!\w|\s*\()/g)].map(([name]) => name);
  return [...new Set(names.filter((name) => !OPERATORS.has(name.toLowerCase())))];
}

/** Label names that an expression filters a metric by. */
export function filteredLabels(expression: string): { metric: string; label: string }[] {
  return [...expression.matchAll(/([a-zA-Z_:][\w:]*)\{([^}]*)\}/g)].flatMap(([, metric = '', filters = '']) =>
    [...filters.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = '']) => ({ metric, label })),
  );
}
