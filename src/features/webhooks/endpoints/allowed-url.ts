import { Problem } from '../../../shared/problem.ts';
import type { Destination, Unresolved } from '../../../shared/webhooks/resolve.ts';
import type { UrlDenial } from '../../../shared/webhooks/url-policy.ts';

/**
 * The verdict of the URL policy on a requested URL and the current addresses of its host
 * (contract/url-policy#addresses).
 */
export type CheckedDestination = Destination | Unresolved | UrlDenial;

/**
 * The URL to store, in canonical form. A name that does not resolve is accepted, because every attempt judges
 * it again. Throws `webhook_url_disallowed` with the reason.
 */
export function allowedUrl(destination: CheckedDestination): string {
  switch (destination.allowed) {
    case true:
      return destination.url.href;
    case 'unresolved':
      if (destination.denial !== null) throw disallowed(destination.denial);
      return destination.target.url.href;
    case false:
      throw disallowed(destination);
  }
}

function disallowed({ detail, reason }: UrlDenial): Problem {
  return new Problem('webhook_url_disallowed', {
    detail: `The URL policy refuses this destination: ${detail}.`,
    context: { reason },
  });
}
