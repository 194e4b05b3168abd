/**
 * Shares an expensive result for `memoryMs`: callers within that time join the running request or get its
 * result, including a failure.
 */
export function coalesced<Value>(
  load: () => Promise<Value>,
  memoryMs: number,
  nowMs: () => number = () => performance.now(),
): () => Promise<Value> {
  let result: Promise<Value> | undefined;
  let forgottenAtMs = Number.POSITIVE_INFINITY;
  return () => {
    if (result !== undefined && nowMs() < forgottenAtMs) return result;
    forgottenAtMs = Number.POSITIVE_INFINITY;
    const remember = () => {
      forgottenAtMs = nowMs() + memoryMs;
    };
    result = load();
    result.then(remember, remember);
    return result;
  };
}
