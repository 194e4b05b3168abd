/** What a worker does with a key that the api has too: it opens signed orders, or signs links to results. */
export const workerKeyPurposes = ['orders', 'result_links'] as const;
