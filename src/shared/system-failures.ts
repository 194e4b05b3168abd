/**
 * Descriptions of system errors of an unusable server. `ENOTFOUND` and `EAI_AGAIN` come from the resolver.
 */
export const systemFailures = {
  ECONNREFUSED: 'connection_refused',
  EHOSTUNREACH: 'connection_refused',
  ENETUNREACH: 'connection_refused',
  ECONNRESET: 'connection_lost',
  EPIPE: 'connection_lost',
  ENOTFOUND: 'host_unknown',
  EAI_AGAIN: 'host_unknown',
  ETIMEDOUT: 'silent',
} as const;
