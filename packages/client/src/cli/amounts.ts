import type { Launchwire } from '../client.ts';
import { UsageError } from './kit/command.ts';

/** 1 SOL is 1,000,000,000 lamports. */
export const SOL_DECIMALS = 9;

/** The unit of an amount: `sol`, or `tokens` with the decimals of their mint. */
export interface Unit {
  name: 'sol' | 'tokens';
  decimals: number;
}

export const sol: Unit = { name: 'sol', decimals: SOL_DECIMALS };

/** Raw units as people write them: without an exponent and without zeros at the end. */
export function decimalOf(raw: string, decimals: number): string {
  const digits = raw.padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

/**
 * Raw units with a readable amount: `50000000 (0.05 SOL)`. Tokens are not named by their symbol, because their creator
 * chooses it: it may be SOL.
 */
export function withAmount(raw: string, { name, decimals }: Unit): string {
  return `${raw} (${decimalOf(raw, decimals)} ${name === 'sol' ? 'SOL' : name})`;
}

const AMOUNT = /^(\d{1,20})(?:\.(\d{1,20}))?(sol|tokens)?$/i;

/** True for an amount with a unit, whose decimals are needed to read it. */
export function hasUnit(text: string): boolean {
  return AMOUNT.exec(text)?.[3] !== undefined;
}

/** The raw units of `50000000`, `0.05sol` or `12.5tokens`, where an amount of this unit is meant. */
export function rawAmount(text: string, unit: Unit, name = '--amount'): string {
  const [, whole = '', fraction = '', suffix] = AMOUNT.exec(text) ?? [];
  if (whole === '' || (suffix === undefined && fraction !== '')) {
    throw new UsageError(
      `${name} is a whole number of raw units, or a number with its unit, as 0.05sol or 12.5tokens, not "${text}"`,
    );
  }
  if (suffix === undefined) return whole;
  if (suffix.toLowerCase() !== unit.name)
    throw new UsageError(`${name} is in ${unit.name} here, not in ${suffix.toLowerCase()}`);
  if (fraction.length > unit.decimals)
    throw new UsageError(`${name} has at most ${unit.decimals} decimals, not "${text}"`);
  return (whole + fraction.padEnd(unit.decimals, '0')).replace(/^0+(?=\d)/, '');
}

/** The unit of a token. */
export async function unitOfToken(client: Launchwire, mint: string, signal: AbortSignal): Promise<Unit> {
  const { decimals } = await client.getToken({ mint }, { signal });
  return { name: 'tokens', decimals };
}
