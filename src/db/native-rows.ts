import postgres from 'postgres';

type Convert = (value: unknown) => unknown;

/** OIDs of `int4[]` and `float4[]`, which Bun's client reads as typed arrays. */
const TYPED_ARRAYS = [1007, 1021];
/** OIDs of `json` and `jsonb`, whose keys the driver renames as it does columns. */
const JSON_TYPES = [114, 3802];

interface NativeResult extends Array<Record<string, unknown>> {
  statement: { columns: readonly { name: string; type: number }[] } | null;
}

/** By statement: the columns that differ from those of the driver. */
const conversions = new WeakMap<object, readonly { name: string; convert: Convert }[]>();

/** Makes the rows of Bun's client equal to those of the driver, in place. */
export function driverRows(rows: NativeResult): NativeResult {
  const { statement } = rows;
  if (statement === null) return rows;
  let converted = conversions.get(statement);
  if (converted === undefined) {
    converted = statement.columns.flatMap(({ name, type }) => {
      const convert = conversionOf(type);
      return convert === null ? [] : [{ name, convert }];
    });
    conversions.set(statement, converted);
  }
  for (const { name, convert } of converted) for (const row of rows) row[name] = convert(row[name]);
  return rows;
}

function conversionOf(type: number): Convert | null {
  if (TYPED_ARRAYS.includes(type))
    return (value) => (value === null ? null : Array.from(value as Iterable<number>));
  // It reads the type of the column, and nothing else of it.
  return JSON_TYPES.includes(type)
    ? (value) => postgres.toCamel.value.from(value, { type } as postgres.Column<string>)
    : null;
}
