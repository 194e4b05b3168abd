/** Operation status (contract/operations#transitions). */
export const operationStatuses = ['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const;
