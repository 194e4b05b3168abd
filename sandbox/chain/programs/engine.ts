import type { StoredAccount } from '../vm.ts';
import { isWritable, type WireMessage } from '../wire-message.ts';
import { AccountOverlay } from './account-overlay.ts';
import type { ComputedInstruction, Effect } from './effects.ts';
import {
  type CallAccount,
  type ChainClock,
  ProgramError,
  type ProgramModel,
  type TopLevelInstruction,
} from './model.ts';
import { EVENT_TAG, programImage } from './program-image.ts';

/** What the engine needs of the chain. */
export interface EngineHost {
  account(address: string): StoredAccount | null;
  install(program: string, elf: Uint8Array): void;
  rentExemptLamports(dataBytes: number): bigint;
}

/** One call to compute, top-level or from another computed program. */
interface PendingCall {
  readonly program: string;
  readonly accounts: readonly CallAccount[];
  readonly data: Uint8Array;
}

/**
 * Runs programs whose arithmetic is TypeScript. Before a transaction is executed, its calls of such programs are computed
 * in order, each on the state after the calls before it. Then an image is installed for each program that carries out
 * these calls and no others.
 */
export class ProgramEngine {
  readonly #host: EngineHost;
  readonly #models: Map<string, ProgramModel>;

  constructor(host: EngineHost, models: readonly ProgramModel[]) {
    this.#host = host;
    this.#models = new Map(models.map((model) => [model.address, model]));
    // The accounts of the programs must exist and be executable before the first call.
    for (const { address } of models) host.install(address, programImage([]));
  }

  /** A real program takes the place of a computed one. */
  remove(program: string): void {
    this.#models.delete(program);
  }

  /** @param keys every account of the transaction: static ones, then those of lookup tables, writable ones first */
  prepare(message: WireMessage, keys: readonly string[], loadedWritable: number, clock: ChainClock): void {
    const involved = [...this.#models.keys()].filter((address) => keys.includes(address));
    if (involved.length === 0) return;
    const instructions = topLevelInstructions(message, keys, loadedWritable);
    const run = new TransactionRun(this.#models, this.#host, clock, instructions);
    const calls = run.computeAll();
    for (const program of involved) {
      const own = calls.filter((call) => call.program === program);
      this.#host.install(program, programImage(distinguishingState(own)));
    }
  }
}

/** The computation of one transaction. */
class TransactionRun {
  readonly #models: ReadonlyMap<string, ProgramModel>;
  readonly #host: EngineHost;
  readonly #clock: ChainClock;
  readonly #instructions: readonly TopLevelInstruction[];
  readonly #overlay: AccountOverlay;
  readonly #calls: RecordedCall[] = [];

  constructor(
    models: ReadonlyMap<string, ProgramModel>,
    host: EngineHost,
    clock: ChainClock,
    instructions: readonly TopLevelInstruction[],
  ) {
    this.#models = models;
    this.#host = host;
    this.#clock = clock;
    this.#instructions = instructions;
    this.#overlay = new AccountOverlay(
      (address) => host.account(address),
      (dataBytes) => host.rentExemptLamports(dataBytes),
    );
  }

  computeAll(): readonly RecordedCall[] {
    for (const [index, instruction] of this.#instructions.entries())
      if (!this.#follow(instruction) || !this.#compute(instruction, index)) break;
    return this.#calls;
  }

  /** @returns false for malformed data: the virtual machine refuses the instruction, and the transaction with it */
  #follow(instruction: TopLevelInstruction): boolean {
    try {
      this.#overlay.invoke(instruction);
      return true;
    } catch (error) {
      if (error instanceof RangeError) return false;
      throw error;
    }
  }

  /** @returns false when the call fails, and the transaction with it */
  #compute(call: PendingCall, index: number): boolean {
    const model = this.#models.get(call.program);
    if (model === undefined) return true;
    const effects: Effect[] = [];
    const before = this.#computedStateOf(call.accounts);
    this.#calls.push({ ...call, accounts: call.accounts.map(({ address }) => address), before, effects });
    try {
      for (const effect of model.run(this.#callOf(call, index))) {
        effects.push(effect);
        if (!this.#apply(effect, call, index)) return false;
      }
      return true;
    } catch (error) {
      effects.push(...endingOf(error));
      return false;
    }
  }

  /** Data of the accounts that computed programs own: the changes of other programs are not known exactly. */
  #computedStateOf(accounts: readonly CallAccount[]): ReadonlyMap<string, Uint8Array> {
    const state = new Map<string, Uint8Array>();
    for (const { address } of accounts) {
      const account = this.#overlay.get(address);
      if (account !== null && this.#models.has(account.owner)) state.set(address, account.data);
    }
    return state;
  }

  /** Puts an effect into the overlay. Computes the calls that it makes of computed programs. */
  #apply(effect: Effect, caller: PendingCall, index: number): boolean {
    switch (effect.kind) {
      case 'log':
        return true;
      case 'fail':
      case 'abort':
        return false;
      case 'write': {
        const account = caller.accounts[effect.account];
        if (account === undefined) throw new RangeError(`the call has no account ${effect.account}`);
        this.#overlay.write(account.address, effect.offset, effect.bytes);
        return true;
      }
      case 'invoke': {
        const { instruction } = effect;
        this.#overlay.invoke(instruction);
        const isEvent = EVENT_TAG.every((byte, at) => instruction.data[at] === byte);
        return isEvent || this.#compute(instruction, index);
      }
    }
  }

  #callOf(call: PendingCall, index: number) {
    return {
      accounts: call.accounts,
      data: call.data,
      clock: this.#clock,
      transaction: { instructions: this.#instructions, index },
      account: (address: string) => this.#overlay.get(address),
      rentExemptLamports: (dataBytes: number) => this.#host.rentExemptLamports(dataBytes),
    };
  }
}

/** The effects that end a call after an error of its model. Only ProgramError and RangeError are not defects. */
function endingOf(error: unknown): readonly Effect[] {
  if (error instanceof ProgramError)
    return [
      { kind: 'log', message: error.message },
      { kind: 'fail', error: error.number },
    ];
  // Compiled programs panic where a number does not fit its place or is divided by zero.
  if (error instanceof RangeError)
    return [{ kind: 'log', message: `panicked: ${error.message}` }, { kind: 'abort' }];
  throw error;
}

function topLevelInstructions(
  message: WireMessage,
  keys: readonly string[],
  loadedWritable: number,
): readonly TopLevelInstruction[] {
  const accounts = keys.map((address, index) => ({
    address,
    signer: index < message.header.numRequiredSignatures,
    writable: isWritable(message, index, loadedWritable),
  }));
  return message.instructions.map((instruction) => ({
    program: keys[instruction.programIdIndex] ?? '',
    accounts: [...instruction.accounts].flatMap((index) => accounts[index] ?? []),
    data: instruction.data,
  }));
}

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
