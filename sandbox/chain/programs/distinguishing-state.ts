import type { ComputedInstruction, Effect } from './effects.ts';

/** A computed call, with the data that its accounts had when it began. */
export interface RecordedCall {
  readonly program: string;
  readonly accounts: readonly string[];
  readonly data: Uint8Array;
  readonly before: ReadonlyMap<string, Uint8Array>;
  readonly effects: readonly Effect[];
}

const COMPARED_BYTES = 8;

/**
 * Prepares the calls of one program for its image. Where two calls have the same data and accounts, each gets the places
 * at which the contents of their accounts differ. Calls without a difference have the same effects, and one is kept.
 */
export function distinguishingState(calls: readonly RecordedCall[]): readonly ComputedInstruction[] {
  const groups = new Map<string, RecordedCall[]>();
  for (const call of calls) {
    const name = `${Buffer.from(call.data).toString('hex')} ${call.accounts.join()}`;
    groups.set(name, [...(groups.get(name) ?? []), call]);
  }
  return [...groups.values()].flatMap(tellApart);
}

interface Place {
  readonly account: number;
  readonly offset: number;
}

function tellApart(group: readonly RecordedCall[]): readonly ComputedInstruction[] {
  const places: Place[] = [];
  const kept: RecordedCall[] = [];
  for (const call of group) {
    const differences = kept.map((other) => firstDifference(call, other));
    if (differences.includes(null)) continue;
    for (const place of differences) if (place !== null) places.push(place);
    kept.push(call);
  }
  return kept.map((call) => ({
    data: call.data,
    accounts: call.accounts,
    effects: call.effects,
    state: places.map(({ account, offset }) => {
      const data = dataOf(call, account);
      const bytes = data.subarray(offset, offset + COMPARED_BYTES);
      return { account, dataBytes: data.length, offset, bytes };
    }),
  }));
}

function firstDifference(one: RecordedCall, other: RecordedCall): Place | null {
  for (const account of one.accounts.keys()) {
    const mine = dataOf(one, account);
    const theirs = dataOf(other, account);
    const length = Math.max(mine.length, theirs.length);
    for (let offset = 0; offset < length; offset += 1)
      if (mine[offset] !== theirs[offset]) return { account, offset };
  }
  return null;
}

function dataOf(call: RecordedCall, account: number): Uint8Array {
  return call.before.get(call.accounts[account] ?? '') ?? new Uint8Array(0);
}
