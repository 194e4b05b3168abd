import { isLoopback } from './node-address.ts';

interface PublicAddresses {
  publicUrl: string;
  docsUrl: string;
}

const ANY_ADDRESS = /^(?:0\.0\.0\.0|\[::\])$/;

/** Why clients of a live deployment cannot follow the links that it makes, as an action for the operator; null when they can. */
export function publicAddressFault({ publicUrl, docsUrl }: PublicAddresses): string | null {
  return faultOf('PUBLIC_URL', publicUrl) ?? faultOf('DOCS_URL', docsUrl);
}

function faultOf(name: string, url: string): string | null {
  const { protocol, hostname } = new URL(url);
  const action = 'set it to the https address that clients see';
  if (isLoopback(hostname) || ANY_ADDRESS.test(hostname))
    return `${name} is ${url}, which leads clients to their own machine: ${action}`;
  return protocol === 'https:' ? null : `${name} is ${url}, which leads clients there without TLS: ${action}`;
}
