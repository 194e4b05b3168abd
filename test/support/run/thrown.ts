import { expect } from 'bun:test';

/** The reason with which a promise rejects. */
export function thrown(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => expect.unreachable(),
    (error: unknown) => error,
  );
}
