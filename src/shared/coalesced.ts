/**
 * An answer that costs something, asked for at most once per `memoryMs`: who asks meanwhile shares the question that is
 * under way, or gets its answer, a failure too.
 */
export function coalesced<Value>(
  ask: () => Promise<Value>,
  memoryMs: number,
  nowMs: () => number = () => performance.now(),
): () => Promise<Value> {
  let answer: Promise<Value> | undefined;
  let forgottenAtMs = Number.POSITIVE_INFINITY;
  return () => {
    if (answer !== undefined && nowMs() < forgottenAtMs) return answer;
    forgottenAtMs = Number.POSITIVE_INFINITY;
    const remember = () => {
      forgottenAtMs = nowMs() + memoryMs;
    };
    answer = ask();
    answer.then(remember, remember);
    return answer;
  };
}
