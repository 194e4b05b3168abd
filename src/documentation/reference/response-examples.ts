import type { SiteOptions } from '../options.ts';
import recorded from './response-examples.json' with { type: 'json' };

/** Address of the deployment that the examples were recorded from. */
export const RECORDED_FROM = 'http://localhost:3000';

/**
 * Returns a response of a running sandbox (`npm run examples:write`) as JSON text; undefined for an unknown
 * operation.
 */
export function responseExample(
  operationId: string,
  { publicUrl }: Pick<SiteOptions, 'publicUrl'>,
): string | undefined {
  const example = (recorded as Readonly<Record<string, unknown>>)[operationId];
  return example === undefined
    ? undefined
    : JSON.stringify(example, null, 2).replaceAll(RECORDED_FROM, publicUrl);
}
