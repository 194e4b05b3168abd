import { secretParts } from '../../shared/redact.ts';
import { headerList, keyValueList, secretValues } from '../key-value-list.ts';
import { integer, oneOf, ratio, text, url } from '../values.ts';
import { processes, variable } from '../variable.ts';

/** Logs, metrics and traces, and the limits after which a process that hangs ends itself. */
export const observationVariables = {
  logLevel: variable('LOG_LEVEL', {
    for: processes,
    rule: oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
    default: 'info',
    text: 'Lowest severity that is logged.',
  }),
  livenessTimeoutSeconds: variable('LIVENESS_TIMEOUT_SECONDS', {
    for: processes,
    rule: integer(0, 86_400),
    default: 30,
    text: 'A process ends itself when its event loop has been silent for this number of seconds. 0: never.',
  }),
  loopTimeoutSeconds: variable('LOOP_TIMEOUT_SECONDS', {
    for: processes,
    rule: integer(0, 86_400),
    default: 300,
    text: 'A process ends itself when one of its background loops has been stalled for this number of seconds. 0: never.',
  }),
  metricsPort: variable('METRICS_PORT', {
    for: processes,
    rule: integer(0, 65_535),
    text: 'TCP port on HOST where each process serves `/metrics`, `/healthz` and `/readyz`: see "Metrics". If unset, no such port is opened.',
  }),
  accessLog: variable('ACCESS_LOG', {
    for: ['api', 'internal'],
    rule: oneOf('notable', 'all'),
    default: 'notable',
    text: 'Requests that the api logs: `all`, or `notable`, which leaves out anonymous reads that succeed.',
  }),
  otlpEndpoint: variable('OTEL_EXPORTER_OTLP_ENDPOINT', {
    for: processes,
    rule: url('http:', 'https:'),
    secret: secretParts,
    text: 'OTLP/HTTP receiver of traces. `/v1/traces` is added to it. If unset, nothing is traced.',
  }),
  otlpHeaders: variable('OTEL_EXPORTER_OTLP_HEADERS', {
    for: processes,
    rule: headerList,
    secret: secretValues,
    text: 'Headers of each export, for receivers that need a credential: `name=value` pairs, separated by commas, with percent-encoded values.',
  }),
  otelServiceName: variable('OTEL_SERVICE_NAME', {
    for: processes,
    rule: text,
    text: 'Name of the process in traces. If unset, it is `launchwire-api`, `launchwire-worker`, `launchwire-relay` or `launchwire-internal`.',
  }),
  otelResourceAttributes: variable('OTEL_RESOURCE_ATTRIBUTES', {
    for: processes,
    rule: keyValueList,
    text: 'Attributes of the process in traces, such as `deployment.environment.name=live`, in the form of OTEL_EXPORTER_OTLP_HEADERS. They replace those of the same name, except that OTEL_SERVICE_NAME comes first.',
  }),
  tracesSamplerArg: variable('OTEL_TRACES_SAMPLER_ARG', {
    for: processes,
    rule: ratio,
    default: 1,
    text: 'Share of traces that is recorded, from 0 to 1. It applies to traces that begin in this service: for all others the decision of the caller holds.',
  }),
};
