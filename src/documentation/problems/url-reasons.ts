import type { UrlDenialReason } from '../../shared/webhooks/url-policy.ts';

/** `context.reason` of `webhook_url_disallowed` (contract/url-policy#same-code). */
export const urlReasons: Readonly<Record<UrlDenialReason, string>> = {
  url_invalid: 'The text is not an absolute URL, or holds spaces, control characters or backslashes.',
  url_too_long: 'The URL is longer than 2,048 characters.',
  scheme_not_allowed: 'The scheme is not `https`.',
  userinfo_not_allowed: 'The URL holds a user name or password.',
  fragment_not_allowed: 'The URL holds a `#` fragment.',
  port_not_allowed: 'The port belongs to another protocol or service, such as mail, SSH or a database.',
  host_not_public:
    'The host is not a public DNS name: a single label, or a suffix that only private networks use.',
  address_not_admitted:
    'This deployment sends webhooks only to admitted addresses, as a sandbox does to its own machine; the host is, or resolves to, another address, or does not resolve.',
  address_not_public: 'The host is, or resolves to, an address that is not on the public internet.',
};
