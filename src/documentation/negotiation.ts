interface MediaRange {
  type: string;
  quality: number;
}

/**
 * True when a request for an event's address wants the page, false for the schema. Browsers name `text/html`;
 * machines that follow `dataschema` name JSON or no particular type. `?format=json` and `?format=html`
 * override both.
 */
export function wantsPage(accept: string | null, format: string | null): boolean {
  if (format === 'html' || format === 'json') return format === 'html';
  const ranges = parseAccept(accept ?? '');
  const page = quality(ranges, ['text/html', 'application/xhtml+xml']);
  const schema = quality(ranges, ['application/schema+json', 'application/json']);
  return page > 0 && page >= schema;
}

function parseAccept(accept: string): MediaRange[] {
  return accept.split(',').map((entry) => {
    const [type = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase());
    const weight = parameters.find((parameter) => parameter.startsWith('q='));
    const value = weight === undefined ? 1 : Number(weight.slice(2));
    return { type, quality: Number.isNaN(value) ? 0 : value };
  });
}

function quality(ranges: readonly MediaRange[], types: readonly string[]): number {
  return Math.max(0, ...ranges.filter(({ type }) => types.includes(type)).map((range) => range.quality));
}
