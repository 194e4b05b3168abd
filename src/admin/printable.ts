/**
 * Selects the printable part of a result: values, lists and plain records. Results of queries carry their
 * connection, with the key that cancels its statements, as properties of the list; these are removed, and so
 * are bytes.
 */
export function printable(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'function' || typeof value === 'symbol') return undefined;
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (ArrayBuffer.isView(value)) return `${value.byteLength} bytes`;
  if (Array.isArray(value)) return Array.from(value, printable);
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, printable(part)]));
}
