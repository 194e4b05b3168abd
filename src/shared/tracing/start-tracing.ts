import { build } from '../build.ts';
import type { Logger } from '../log.ts';
import type { ProcessMetrics } from '../metrics/process-metrics.ts';
import { createTracing, type Tracing } from './tracing.ts';

interface TracingConfig {
  otlpEndpoint: string | undefined;
  otlpHeaders: Readonly<Record<string, string>> | undefined;
  otelServiceName: string | undefined;
  otelResourceAttributes: Readonly<Record<string, string>> | undefined;
  tracesSamplerArg: number;
}

/** Returns the tracing of a process, or undefined when `OTEL_EXPORTER_OTLP_ENDPOINT` is not set. */
export function startTracing(
  { otlpEndpoint, otlpHeaders, tracesSamplerArg, otelServiceName, otelResourceAttributes }: TracingConfig,
  serviceName: string,
  log: Logger,
): Tracing | undefined {
  if (otlpEndpoint === undefined) return undefined;
  return createTracing({
    endpoint: otlpEndpoint,
    headers: otlpHeaders ?? {},
    ratio: tracesSamplerArg,
    resource: {
      'service.name': serviceName,
      'service.version': build.version,
      'service.instance.id': crypto.randomUUID(),
      ...otelResourceAttributes,
      // It takes precedence over the attribute of this name:
      // https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/#general-sdk-configuration
      ...(otelServiceName !== undefined && { 'service.name': otelServiceName }),
    },
    log,
  });
}

/** Counts spans; only a process that traces exposes the metric. */
export function observeTracing(metrics: ProcessMetrics, { counts }: Tracing): void {
  metrics.tallies(
    'launchwire_trace_spans_total',
    'Spans by outcome: exported, or dropped because the receiver was unavailable',
    ['outcome'],
    () => [
      { labels: { outcome: 'exported' }, count: counts.exported },
      { labels: { outcome: 'dropped' }, count: counts.dropped },
    ],
  );
}
