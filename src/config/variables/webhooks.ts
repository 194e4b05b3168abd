import { cidr, dnsServer, duration, flag, integer, list, text, time } from '../values.ts';
import { variable } from '../variable.ts';

export const webhookVariables = {
  webhookAllowedCidrs: variable('WEBHOOK_ALLOWED_CIDRS', {
    for: ['api', 'relay'],
    rule: list(cidr),
    default: [],
    text: 'Comma-separated address ranges that webhooks may reach in addition to public addresses.',
  }),
  webhookOnlyAllowedCidrs: variable('WEBHOOK_ONLY_ALLOWED_CIDRS', {
    for: ['api', 'relay'],
    rule: flag,
    default: false,
    text: 'If `true`, webhooks reach only the ranges of WEBHOOK_ALLOWED_CIDRS and no public address.',
  }),
  webhookDnsServers: variable('WEBHOOK_DNS_SERVERS', {
    for: ['api', 'relay'],
    rule: list(dnsServer),
    default: [],
    text: 'Comma-separated name servers that look up the hosts of webhooks, each with or without a port. If unset, the name servers of the system are used.',
  }),
  webhookAllowHttp: variable('WEBHOOK_ALLOW_HTTP', {
    for: ['api', 'relay'],
    rule: flag,
    default: false,
    text: 'If `true`, endpoints may have `http` URLs.',
  }),
  webhookCaFile: variable('WEBHOOK_CA_FILE', {
    // The api only logs at its start that the policy is open.
    for: ['api', 'relay'],
    rule: text,
    text: 'PEM file with an additional certificate authority, which webhooks trust.',
  }),
  webhookSharedKeyUntil: variable('WEBHOOK_SHARED_KEY_UNTIL', {
    for: ['api', 'relay'],
    rule: time,
    default: new Date('2027-06-01T00:00:00Z'),
    text: 'Until this time webhooks also have a signature by the key that all endpoints share: see "Keys of webhooks".',
  }),
  webhookRetrySchedule: variable('WEBHOOK_RETRY_SCHEDULE', {
    // The worker compares it with its retention.
    for: ['worker', 'relay'],
    rule: list(duration),
    default: [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400].map((seconds) => seconds * 1000),
    text: 'Comma-separated pauses before each further attempt, in seconds (contract/delivery#retries).',
  }),
  webhookEndpointConcurrency: variable('WEBHOOK_ENDPOINT_CONCURRENCY', {
    for: ['relay'],
    rule: integer(1, 256),
    default: 8,
    text: 'Maximum number of simultaneous attempts to one endpoint.',
  }),
};
