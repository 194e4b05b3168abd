import { lookup } from 'node:dns/promises';
import { judgeAddresses, judgeUrl, type UrlDenial, type UrlPolicy, type UrlTarget } from './url-policy.ts';

/** All addresses of a host name; rejects when it has none or the resolver fails. */
export type Resolver = (hostname: string) => Promise<readonly string[]>;

/** The system's resolver: hosts file and DNS, both address families, in the order to try them. */
export const systemResolver: Resolver = async (hostname) => {
  const answers = await lookup(hostname, { all: true, order: 'verbatim' });
  return answers.map(({ address }) => address);
};

/** A destination whose every address is vetted: dial one of these, never the name. */
export interface Destination extends UrlTarget {
  addresses: readonly string[];
}

/** The name did not resolve; at create that is accepted, at an attempt it is `dns_error`. */
export interface Unresolved {
  allowed: 'unresolved';
  target: UrlTarget;
  detail: string;
}

/**
 * Judges a URL and every address its host has right now (contract/url-policy#addresses). Never rejects. The answer is only good for the
 * connection made from it: judge again for every attempt and hop.
 */
export async function resolveDestination(
  text: string,
  policy: UrlPolicy,
  resolve: Resolver,
): Promise<Destination | UrlDenial | Unresolved> {
  const target = judgeUrl(text, policy);
  if (!target.allowed) return target;
  if (target.isAddress) return { ...target, addresses: [target.hostname] };
  let addresses: readonly string[];
  try {
    addresses = await resolve(target.hostname);
  } catch (error) {
    return { allowed: 'unresolved', target, detail: error instanceof Error ? error.message : String(error) };
  }
  return judgeAddresses(addresses, policy) ?? { ...target, addresses };
}
