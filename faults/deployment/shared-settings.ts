/** Names of the nodes of the chain. */
export const NODES = ['main', 'near', 'far'] as const;

/** Seconds. Short, so that a walk has retries, and long enough that no endpoint runs out of them. */
export const RETRY_SCHEDULE = Array.from({ length: 40 }, (_, at) => Math.min(1 + at, 5)).join(',');
