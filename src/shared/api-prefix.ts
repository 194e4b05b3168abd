/** Every path of the contract lies below this one (contract/versioning#major-version). */
export const API_PREFIX = '/api/v2';
