/**
 * An array parameter as text, of addresses, numbers and times, which need no quotes: it costs a tenth of what the
 * driver needs to write each element.
 */
export function arrayText(values: readonly (string | number | bigint | boolean | Date | null)[]): string {
  return `{${values.map(elementText).join(',')}}`;
}

function elementText(value: string | number | bigint | boolean | Date | null) {
  if (value === null) return 'NULL';
  return value instanceof Date ? value.toISOString() : value;
}
