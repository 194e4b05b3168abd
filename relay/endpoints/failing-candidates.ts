const CHECK_AGAIN_MS = 10 * 60 * 1000;
const ENDPOINTS_PER_STEP = 20;

/**
 * Endpoints with a failed attempt, which are checked now and then against the rule of failing endpoints
 * (model/failing-rule.ts). The endpoint's row decides. A restart loses nothing, because the next failure adds the
 * endpoint again.
 */
export class FailingCandidates {
  readonly #candidates = new Set<string>();
  readonly #checkedAtMs = new Map<string, number>();

  /** To be called after a failed attempt. It has no effect for 10 minutes after the last check of the endpoint. */
  add(endpointId: string, nowMs: number): void {
    const checkedAtMs = this.#checkedAtMs.get(endpointId);
    if (checkedAtMs === undefined || nowMs - checkedAtMs >= CHECK_AGAIN_MS) this.#candidates.add(endpointId);
  }

  /** Removes and returns the candidates of one step. They count as checked now. */
  take(nowMs: number): string[] {
    const taken = [...this.#candidates].slice(0, ENDPOINTS_PER_STEP);
    for (const id of taken) {
      this.#candidates.delete(id);
      this.#checkedAtMs.delete(id);
      this.#checkedAtMs.set(id, nowMs);
    }
    for (const [id, checkedAtMs] of this.#checkedAtMs) {
      if (nowMs - checkedAtMs < CHECK_AGAIN_MS) break;
      this.#checkedAtMs.delete(id);
    }
    return taken;
  }

  /** Puts back endpoints that were not checked. */
  giveBack(endpointIds: readonly string[]): void {
    for (const id of endpointIds) {
      this.#checkedAtMs.delete(id);
      this.#candidates.add(id);
    }
  }
}
