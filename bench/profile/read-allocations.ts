export interface AllocatedType {
  /** The engine's name of the type, such as `string` or `Promise`. */
  readonly type: string;
  readonly count: number;
  /** Null for a process without requests. */
  readonly perRequest: number | null;
}

export interface Allocations {
  /** Requests that a process received. */
  readonly requests: number;
  readonly objects: number;
  /** The most frequent first. */
  readonly types: readonly AllocatedType[];
}

/** The objects of each type in the text of an `.allocations.json`. A server allocates one `Request` for each request. */
export function countAllocations(text: string): Allocations {
  const counts = JSON.parse(text) as Record<string, number>;
  const requests = (counts.Request ?? 0) + (counts.BunRequest ?? 0);
  const types = Object.entries(counts).map(([type, count]) => ({
    type,
    count,
    perRequest: requests === 0 ? null : count / requests,
  }));
  return {
    requests,
    objects: types.reduce((sum, { count }) => sum + count, 0),
    types: types.sort((one, other) => other.count - one.count),
  };
}
