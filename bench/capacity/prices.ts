/** What is paid for a month. */
export interface Prices {
  currency: string;
  perCore: number;
  perGbMemory: number;
  perTbDisk: number;
  /** Sent to clients. */
  perTbTraffic: number;
  /** A node of the chain that answers 1,000 calls a second. */
  perNode: number;
}

const AMOUNTS = ['perCore', 'perGbMemory', 'perTbDisk', 'perTbTraffic', 'perNode'] as const;

/** Reads a file of prices. Throws with what is wrong in it. */
export async function loadPrices(path: string | URL): Promise<Prices> {
  const given = (await Bun.file(path).json()) as unknown;
  if (typeof given !== 'object' || given === null) throw new Error('the prices are no object');
  return checkPrices(given as Record<string, unknown>);
}

export function checkPrices(given: Readonly<Record<string, unknown>>): Prices {
  const { currency } = given;
  if (typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency))
    throw new Error(`the currency is ${String(currency)}, not three capital letters`);
  const unknown = Object.keys(given).find(
    (name) => name !== 'currency' && !AMOUNTS.some((known) => known === name),
  );
  if (unknown !== undefined) throw new Error(`there is no price ${unknown}; there are ${AMOUNTS.join(', ')}`);
  const amount = (name: (typeof AMOUNTS)[number]) => {
    const value = given[name];
    if (typeof value !== 'number' || !Number.isFinite(value) || value < 0)
      throw new Error(`the price ${name} is ${String(value)}, not an amount`);
    return value;
  };
  return {
    currency,
    perCore: amount('perCore'),
    perGbMemory: amount('perGbMemory'),
    perTbDisk: amount('perTbDisk'),
    perTbTraffic: amount('perTbTraffic'),
    perNode: amount('perNode'),
  };
}
