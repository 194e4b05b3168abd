import {
  BONDING_CURVE,
  CURVE_EVENT_AUTHORITY,
  DAMM_V2,
  DAMM_V2_EVENT_AUTHORITY,
} from '../../chain/accounts/programs.ts';
import { DISCRIMINATOR_BYTES } from '../../chain/anchor-discriminator.ts';
import type { Instruction, OuterInstruction } from './chain-transaction.ts';
import { hex, instructionBytes, instructionDiscriminator } from './discriminators.ts';

/** Programs that report events by calling themselves: the bonding curve, and DAMM v2. */
export type EventVenue = 'dbc' | 'damm';

/** The only account of an event instruction. Only the program can sign for it and emit its events. */
const programs: ReadonlyMap<string, { venue: EventVenue; eventAuthority: string }> = new Map([
  [BONDING_CURVE, { venue: 'dbc', eventAuthority: CURVE_EVENT_AUTHORITY }],
  [DAMM_V2, { venue: 'damm', eventAuthority: DAMM_V2_EVENT_AUTHORITY }],
]);

/**
 * The first bytes of the instruction with which a program emits an event. The event's own discriminator
 * follows (reference/solana#curve-events).
 */
const EVENT_PREFIX = 'e445a52e51cb9a1d';

/** An event of one of the two programs, with the instruction that emitted it. */
export interface EmittedEvent {
  venue: EventVenue;
  /** Hex. The two programs share names with different layouts, so the venue is needed too. */
  discriminator: string;
  body: Uint8Array;
  emitter: Instruction;
  /** Hex discriminator of the emitter's data. */
  emitterDiscriminator: string;
  outerIndex: number;
  /** Position among all inner instructions of the top-level instruction. */
  innerIndex: number;
}

/**
 * Events of one top-level instruction, in the order in which they were emitted. They are instructions in
 * which a program calls itself, not logs, which nodes cut short. The emitter is the caller: the nearest
 * earlier instruction one level up. If a node reports no levels, it is the nearest earlier call of the
 * program, because a swap emits its events before any other call of the program can follow.
 */
export function emittedEvents(outer: OuterInstruction): EmittedEvent[] {
  const events: EmittedEvent[] = [];
  outer.inner.forEach((instruction, innerIndex) => {
    const found = eventData(instruction);
    if (found === null) return;
    const emitter = emitterOf(outer, innerIndex);
    if (emitter === null) return;
    events.push({
      venue: found.venue,
      discriminator: hex(found.data.subarray(DISCRIMINATOR_BYTES, 2 * DISCRIMINATOR_BYTES)),
      body: found.data.subarray(2 * DISCRIMINATOR_BYTES),
      emitter,
      emitterDiscriminator: instructionDiscriminator(emitter),
      outerIndex: outer.outerIndex,
      innerIndex,
    });
  });
  return events;
}

function eventData({
  programAddress,
  accounts,
  data,
}: Instruction): { venue: EventVenue; data: Uint8Array } | null {
  const program = programs.get(programAddress);
  if (program === undefined || accounts[0] !== program.eventAuthority || accounts.length !== 1) return null;
  const bytes = instructionBytes(data);
  return hex(bytes.subarray(0, DISCRIMINATOR_BYTES)) === EVENT_PREFIX
    ? { venue: program.venue, data: bytes }
    : null;
}

function isCallOf(instruction: Instruction, programAddress: string): boolean {
  return instruction.programAddress === programAddress && eventData(instruction) === null;
}

function emitterOf(outer: OuterInstruction, innerIndex: number): Instruction | null {
  const event = outer.inner[innerIndex];
  if (event === undefined) return null;
  const height = event.stackHeight;
  for (let at = innerIndex - 1; at >= -1; at -= 1) {
    const candidate = at === -1 ? outer : outer.inner[at];
    if (candidate === undefined) continue;
    if (height === null || candidate.stackHeight === null) {
      if (isCallOf(candidate, event.programAddress)) return candidate;
    } else if (candidate.stackHeight === height - 1) {
      return isCallOf(candidate, event.programAddress) ? candidate : null;
    }
  }
  return null;
}
