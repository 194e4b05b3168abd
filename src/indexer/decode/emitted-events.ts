import bs58 from 'bs58';
import { BONDING_CURVE } from '../../chain/accounts/programs.ts';
import type { Instruction, OuterInstruction } from './chain-transaction.ts';
import { EVENT_AUTHORITY, EVENT_PREFIX } from './curve-program.ts';

/** An event of the bonding-curve program, with the instruction that emitted it. */
export interface EmittedEvent {
  /** Hex. */
  discriminator: string;
  body: Uint8Array;
  emitter: Instruction;
  /** Hex discriminator of the emitter's data. */
  emitterDiscriminator: string;
  outerIndex: number;
  /** Position among all inner instructions of the top-level instruction. */
  innerIndex: number;
}

const DISCRIMINATOR_BYTES = 8;

/**
 * Events of one top-level instruction, in the order they were emitted. They are instructions in which the program
 * calls itself, not logs, which nodes cut short. The emitter is the caller: the nearest earlier instruction one
 * level up. Where a node reports no levels, it is the nearest earlier call of the program: a swap emits its events
 * before anything else can call the program again, which the runtime forbids inside it.
 */
export function emittedEvents(outer: OuterInstruction): EmittedEvent[] {
  const events: EmittedEvent[] = [];
  outer.inner.forEach((instruction, innerIndex) => {
    const data = eventData(instruction);
    if (data === null) return;
    const emitter = emitterOf(outer, innerIndex);
    if (emitter === null) return;
    events.push({
      discriminator: hex(data.subarray(DISCRIMINATOR_BYTES, 2 * DISCRIMINATOR_BYTES)),
      body: data.subarray(2 * DISCRIMINATOR_BYTES),
      emitter,
      emitterDiscriminator: instructionDiscriminator(emitter),
      outerIndex: outer.outerIndex,
      innerIndex,
    });
  });
  return events;
}

/** Calls of the program in a top-level instruction, itself included, events left out. */
export function programCalls(outer: OuterInstruction): Instruction[] {
  return [outer, ...outer.inner].filter(isProgramCall);
}

export function instructionDiscriminator({ data }: Instruction): string {
  return hex(bs58.decode(data).subarray(0, DISCRIMINATOR_BYTES));
}

function eventData({ programAddress, accounts, data }: Instruction): Uint8Array | null {
  if (programAddress !== BONDING_CURVE || accounts[0] !== EVENT_AUTHORITY || accounts.length !== 1)
    return null;
  const bytes = bs58.decode(data);
  return hex(bytes.subarray(0, DISCRIMINATOR_BYTES)) === EVENT_PREFIX ? bytes : null;
}

function isProgramCall(instruction: Instruction): boolean {
  return instruction.programAddress === BONDING_CURVE && eventData(instruction) === null;
}

function emitterOf(outer: OuterInstruction, innerIndex: number): Instruction | null {
  const height = outer.inner[innerIndex]?.stackHeight ?? null;
  for (let at = innerIndex - 1; at >= -1; at -= 1) {
    const candidate = at === -1 ? outer : outer.inner[at];
    if (candidate === undefined) continue;
    if (height === null || candidate.stackHeight === null) {
      if (isProgramCall(candidate)) return candidate;
    } else if (candidate.stackHeight === height - 1) {
      return isProgramCall(candidate) ? candidate : null;
    }
  }
  return null;
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
