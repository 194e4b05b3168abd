import { expect } from 'bun:test';

/** What a promise is rejected with. */
export function thrown(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => expect.unreachable(),
    (error: unknown) => error,
  );
}
