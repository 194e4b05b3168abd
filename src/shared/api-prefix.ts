/** Prefix of every path of the contract (contract/versioning#major-version). */
export const API_PREFIX = '/api/v2';
/** Prefix of every path of the internal API (contract/internal-api#listener). */
export const INTERNAL_PREFIX = '/internal/v1';
