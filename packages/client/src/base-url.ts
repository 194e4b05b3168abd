const API_PATH = '/api/v2';

/** The base of all paths, from an origin or from the address of the API. Throws when it is no http(s) URL. */
export function apiBaseUrl(address: string): string {
  const url = new URL(address);
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new TypeError(`${address} is not a URL of http`);
  const path = url.pathname.replace(/\/+$/, '');
  return url.origin + (path.endsWith(API_PATH) ? path : path + API_PATH);
}
