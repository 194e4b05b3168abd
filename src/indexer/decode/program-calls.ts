import type { Instruction, OuterInstruction } from './chain-transaction.ts';

/** A call of a program. `innerIndex` is null for the top-level instruction itself. */
export interface ProgramCall {
  instruction: Instruction;
  innerIndex: number | null;
}

/** Calls of a program in a top-level instruction, including itself, in the order of execution. */
export function callsOf(outer: OuterInstruction, programAddress: string): ProgramCall[] {
  return [
    { instruction: outer, innerIndex: null },
    ...outer.inner.map((instruction, innerIndex) => ({ instruction, innerIndex })),
  ].filter(({ instruction }) => instruction.programAddress === programAddress);
}

/**
 * The instructions inside a call: all up to the next instruction on its own level or above. If the node
 * reports no levels, all following instructions.
 */
export function innerRange(
  { inner }: OuterInstruction,
  { instruction, innerIndex }: ProgramCall,
): { firstInner: number; endInner: number } {
  if (innerIndex === null) return { firstInner: 0, endInner: inner.length };
  const height = instruction.stackHeight;
  const next = inner.findIndex(
    ({ stackHeight }, index) =>
      index > innerIndex && height !== null && stackHeight !== null && stackHeight <= height,
  );
  return { firstInner: innerIndex + 1, endInner: next === -1 ? inner.length : next };
}
