import { flag, integer, oneOf, text, url } from '../values.ts';
import { processes, variable } from '../variable.ts';

/** Programs that write addresses of the service. */
const addressWriters = [...processes, 'admin'] as const;

export const serverVariables = {
  port: variable('PORT', {
    // Others than the api need it for the default of `PUBLIC_URL`.
    for: addressWriters,
    rule: integer(0, 65_535),
    default: 3000,
    text: 'TCP port of the api. 0 picks a free port.',
  }),
  host: variable('HOST', {
    for: processes,
    rule: text,
    default: '127.0.0.1',
    text: 'Address on which the api listens. Use 0.0.0.0 in containers.',
  }),
  publicUrl: variable('PUBLIC_URL', {
    for: addressWriters,
    rule: url('http:', 'https:'),
    text: 'Origin of the api, as clients see it. Default: http://localhost:PORT.',
  }),
  docsUrl: variable('DOCS_URL', {
    for: addressWriters,
    rule: url('http:', 'https:'),
    text: 'Base address of the public documentation. Default: PUBLIC_URL/docs.',
  }),
  internalPort: variable('INTERNAL_PORT', {
    for: ['internal'],
    rule: integer(0, 65_535),
    text: 'TCP port of the internal API. 0 picks a free port. If unset, the internal process does not start.',
  }),
  internalHost: variable('INTERNAL_HOST', {
    for: ['internal'],
    rule: text,
    default: '127.0.0.1',
    text: 'Address on which the internal API listens. Clients must not be able to reach it.',
  }),
  apiEnvironment: variable('API_ENVIRONMENT', {
    for: ['api', 'admin'],
    rule: oneOf('live', 'test'),
    default: 'test',
    text: 'Environment of the deployment, `live` or `test`. The api accepts only API keys of this environment.',
  }),
  strictQuery: variable('STRICT_QUERY', {
    for: ['api'],
    rule: flag,
    default: false,
    text: 'If `true`, every operation refuses query parameters that it does not know, even where the contract ignores them. Meant for test deployments (contract/requests#strict).',
  }),
  apiWorkers: variable('API_WORKERS', {
    for: ['api'],
    rule: integer(1, 64),
    default: 1,
    text: 'Number of api processes that share PORT.',
  }),
  apiDrainSeconds: variable('API_DRAIN_SECONDS', {
    for: ['api'],
    rule: integer(0, 10),
    default: 0,
    text: 'Seconds for which the api still accepts requests after SIGTERM: see "Upgrades".',
  }),
  idleTimeoutSeconds: variable('IDLE_TIMEOUT_SECONDS', {
    for: ['api', 'internal'],
    rule: integer(30, 255),
    default: 75,
    text: 'Seconds after which api and internal API close a silent connection. A load balancer in front must have a shorter time-out (60 on AWS): otherwise it would send requests into closing connections.',
  }),
};
