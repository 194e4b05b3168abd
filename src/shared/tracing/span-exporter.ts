import type { Logger } from '../log.ts';
import { type FinishedSpan, otlpBody, type Resource } from './otlp.ts';

interface SpanExporterOptions {
  /** OTLP/HTTP receiver; spans go to `<endpoint>/v1/traces`. */
  endpoint: string;
  /** Sent with each export; never logged. */
  headers: Readonly<Record<string, string>>;
  resource: Resource;
  log: Logger;
  /** Tests shorten the times. */
  settings?: Partial<ExporterSettings>;
}

export interface ExporterSettings {
  /** Bound of the queue; further spans are dropped. About 1 KB each. */
  queueMax: number;
  /** Spans of one export. */
  batchMax: number;
  /** Longest wait of a span for its batch to fill. */
  delayMs: number;
  /** Pause after a failed export. */
  retryMs: number;
  exportTimeoutMs: number;
  /** Deadline for sending the queue at the stop. */
  closeTimeoutMs: number;
}

const defaultSettings: ExporterSettings = {
  queueMax: 4_096,
  batchMax: 512,
  delayMs: 1_000,
  retryMs: 5_000,
  exportTimeoutMs: 5_000,
  closeTimeoutMs: 2_000,
};

/**
 * Responses after which an export is retried:
 * https://opentelemetry.io/docs/specs/otlp/#retryable-response-codes
 */
const RETRYABLE_STATUSES: readonly number[] = [429, 502, 503, 504];

/**
 * Sends finished spans in batches, one request at a time. Nothing waits for it, and its failures stay inside:
 * without a receiver the queue fills, then spans are dropped and counted.
 */
export class SpanExporter {
  readonly #url: string;
  readonly #headers: Headers;
  readonly #resource: Resource;
  readonly #log: Logger;
  readonly #settings: ExporterSettings;
  readonly #queue: FinishedSpan[] = [];
  /** Aborts the running request when the process has no more time. */
  readonly #stop = new AbortController();
  #timer: ReturnType<typeof setTimeout> | null = null;
  #sending: Promise<void> | null = null;
  #failures = 0;
  #closing = false;
  exported = 0;
  dropped = 0;

  constructor({ endpoint, headers, resource, log, settings }: SpanExporterOptions) {
    this.#url = `${endpoint}/v1/traces`;
    this.#headers = new Headers(headers);
    this.#headers.set('Content-Type', 'application/json');
    this.#resource = resource;
    this.#log = log;
    this.#settings = { ...defaultSettings, ...settings };
  }

  add(span: FinishedSpan): void {
    const { queueMax, batchMax, delayMs } = this.#settings;
    if (this.#closing || this.#queue.length >= queueMax) {
      this.dropped += 1;
      return;
    }
    this.#queue.push(span);
    if (this.#failures === 0 && this.#queue.length >= batchMax) this.#send();
    else this.#sendIn(delayMs);
  }

  /** Sends the queue within `closeTimeoutMs`; the rest is dropped. Never rejects. */
  async close(): Promise<void> {
    this.#closing = true;
    const { closeTimeoutMs } = this.#settings;
    const deadline = setTimeout(() => this.#stop.abort(new Error('stopped')), closeTimeoutMs);
    // The running request began before the last spans were added.
    await this.#sending;
    this.#failures = 0;
    while (this.#queue.length > 0 && this.#failures === 0 && !this.#stop.signal.aborted) {
      this.#send();
      await this.#sending;
    }
    clearTimeout(deadline);
    this.#cancelTimer();
    this.dropped += this.#queue.length;
    this.#queue.length = 0;
    if (this.dropped > 0) this.#log.warn({ spans: this.dropped }, 'tracing.spans_dropped');
  }

  #sendIn(ms: number): void {
    if (this.#timer !== null || this.#sending !== null) return;
    this.#timer = setTimeout(() => this.#send(), ms);
    this.#timer.unref();
  }

  #cancelTimer(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #send(): void {
    if (this.#sending !== null) return;
    this.#cancelTimer();
    this.#sending = this.#export(this.#queue.splice(0, this.#settings.batchMax)).finally(() => {
      this.#sending = null;
      const { batchMax, delayMs, retryMs } = this.#settings;
      if (this.#queue.length === 0 || this.#closing) return;
      if (this.#failures > 0) this.#sendIn(retryMs);
      else this.#sendIn(this.#queue.length >= batchMax ? 0 : delayMs);
    });
  }

  async #export(batch: readonly FinishedSpan[]): Promise<void> {
    const refusal = await this.#post(otlpBody(this.#resource, batch));
    if (refusal === null) {
      if (this.#failures > 0) this.#log.info({ failures: this.#failures }, 'tracing.export_recovered');
      this.#failures = 0;
      this.exported += batch.length;
      return;
    }
    this.#failures += 1;
    this.#log[this.#failures === 1 ? 'warn' : 'debug']({ reason: refusal.reason }, 'tracing.export_failed');
    const kept = refusal.retryable ? batch.slice(0, this.#settings.queueMax - this.#queue.length) : [];
    this.#queue.unshift(...kept);
    this.dropped += batch.length - kept.length;
  }

  /** Resolves to null when the receiver took the batch. */
  async #post(body: string): Promise<{ reason: string; retryable: boolean } | null> {
    try {
      const response = await fetch(this.#url, {
        method: 'POST',
        headers: this.#headers,
        body,
        redirect: 'error',
        signal: AbortSignal.any([this.#stop.signal, AbortSignal.timeout(this.#settings.exportTimeoutMs)]),
      });
      await response.arrayBuffer();
      if (response.ok) return null;
      return { reason: `HTTP ${response.status}`, retryable: RETRYABLE_STATUSES.includes(response.status) };
    } catch (error) {
      return { reason: error instanceof Error ? error.message : String(error), retryable: true };
    }
  }
}
