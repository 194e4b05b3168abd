import { insertChunk, type ResultFile } from '../../../src/features/operations/results/rows.ts';
import type { AnyOperationKind, OperationRun } from '../../../src/features/operations/runner/kind.ts';

export type ScriptedRun = OperationRun<unknown, { at: number }>;

let kindNumber = 0;

/** A unique kind of operation that runs the given function. */
export function scripted(run: (run: ScriptedRun) => Promise<ResultFile>): AnyOperationKind {
  kindNumber += 1;
  return { kind: `scripted_${kindNumber}`, run };
}

/** Writes `text` as the file of the operation. */
export async function writeText(run: ScriptedRun, text: string): Promise<ResultFile> {
  const content = Buffer.from(text);
  await run.step(async (transaction) => {
    await insertChunk(transaction, run.operationId, 0, content);
    return { progress: { completed: 2n, total: 2n, unit: 'things' } };
  });
  return { contentType: 'text/plain', fileName: 'a.txt', byteLength: BigInt(content.byteLength) };
}

/** A step that does nothing but count. */
export const count = (run: ScriptedRun, at: number) =>
  run.step(async () => ({
    progress: { completed: BigInt(at), total: 9n, unit: 'steps' },
    checkpoint: { at },
  }));
