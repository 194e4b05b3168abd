import { beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { jetstream } from '@nats-io/jetstream';
import { version } from '../../package.json';
import { type SandboxChain, startChain } from '../../sandbox/chain/server.ts';
import { freePort } from '../../sandbox/services/free-port.ts';
import { POOL_SHARDS } from '../../src/indexer/pool-history/pool-shards.ts';
import { build } from '../../src/shared/build.ts';
import { startApiProcess } from '../support/api/api-process.ts';
import { readReadiness } from '../support/http/readiness.ts';
import { fundedWallet, insertIntent, signedTransfer } from '../support/intents/submitted-intent.ts';
import { newAddress, tokenMessage, tradeMessage } from '../support/market/ingest-stream.ts';
import {
  startInternalProcess,
  startRelayProcess,
  startWorkerProcess,
} from '../support/processes/service-processes.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';
import { createTempDir } from '../support/run/temp-dir.ts';
import { runBun } from '../support/sandbox/sandbox-process.ts';
import {
  type Exposition,
  filteredLabels,
  metricNames,
  queryableNames,
  scrape,
} from '../support/telemetry/exposition.ts';
import { startRawReceiver, startReceiver } from '../support/webhooks/webhook-receiver.ts';
import { createRelayWorld, type RelayWorld } from '../support/webhooks/webhook-relay.ts';

const root = new URL('../../', import.meta.url).pathname;
let world: RelayWorld;
let chain: SandboxChain;
let apiUrl: string;
let origins: { api: string; worker: string; relay: string; internal: string };

beforeAll(async () => {
  // On a chain that is faster than mainnet, the claim for a resend comes so soon that it counts as a first one.
  chain = await startChain({ slotMs: 300 });
  atEnd(() => chain.stop());
  // The long pause prevents a second attempt during a test.
  world = await createRelayWorld({ SOLANA_RPC_URL: chain.rpcUrl, WEBHOOK_RETRY_SCHEDULE: '3600' });
  const [api, worker, relay, internal] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ];
  const { DATABASE_URL = '', NATS_URL = '' } = world.environment;
  const [started] = await Promise.all([
    startApiProcess(DATABASE_URL, { NATS_URL, SOLANA_RPC_URL: chain.rpcUrl, METRICS_PORT: String(api) }),
    startWorkerProcess({ ...world.environment, METRICS_PORT: String(worker) }),
    startRelayProcess({ ...world.environment, METRICS_PORT: String(relay) }),
    startInternalProcess({ ...world.environment, INTERNAL_PORT: '0', METRICS_PORT: String(internal) }),
  ]);
  apiUrl = started.baseUrl;
  origins = {
    api: `http://127.0.0.1:${api}`,
    worker: `http://127.0.0.1:${worker}`,
    relay: `http://127.0.0.1:${relay}`,
    internal: `http://127.0.0.1:${internal}`,
  };
});

/** Scrapes until the samples have the expected values. Some metrics are fetched only every 5 s. */
async function sampled(origin: string, expected: Record<string, number>): Promise<Exposition> {
  return eventually(`samples ${Object.keys(expected).join()}`, async () => {
    const exposition = await scrape(origin);
    const isThere = Object.entries(expected).every(([name, value]) => exposition.samples.get(name) === value);
    return isThere && exposition;
  });
}

test('every process reports its version, as a metric and in the first line of its log', async () => {
  for (const [role, origin] of Object.entries(origins)) {
    const { samples } = await scrape(origin);
    const labels = `role="${role}",version="${version}",commit="${build.commit}",bun="${Bun.version}"`;
    expect(`${role} ${samples.get(`launchwire_build_info{${labels}}`)}`).toBe(`${role} 1`);
  }
  const entries = { api: 'src/api/main.ts', worker: 'src/worker/main.ts', relay: 'relay/main.ts' };
  for (const [role, entry] of Object.entries({ ...entries, internal: 'src/internal/main.ts' })) {
    // The process ends because its port is taken.
    const { output } = await runBun([entry], {
      ...world.environment,
      INTERNAL_PORT: '0',
      PORT: '0',
      METRICS_PORT: String(new URL(origins.worker).port),
    });
    expect(JSON.parse(output.split('\n')[0] ?? '')).toMatchObject({
      name: role,
      msg: `${role}.starting`,
      ...build,
    });
  }
});

describe('worker and relay', () => {
  test('answer /healthz and /readyz on METRICS_PORT, and nothing else', async () => {
    const required = {
      [origins.worker]: ['postgres', 'clock', 'nats', 'ingest'],
      [origins.relay]: ['postgres', 'nats'],
    };
    for (const [origin, names] of Object.entries(required)) {
      expect((await fetch(`${origin}/healthz`)).status).toBe(200);
      const { code, dependencies } = await readReadiness(origin);
      expect(code).toBe(200);
      expect(dependencies.flatMap(({ name, required }) => (required ? [name] : []))).toEqual(names);
      expect((await fetch(`${origin}/api/v2/tokens`)).status).toBe(404);
      expect((await fetch(`${origin}/healthz`, { method: 'POST' })).status).toBe(404);
    }
  });

  test('the worker counts an intent from its first send to its end, and the event about it', async () => {
    const wallet = await fundedWallet(chain.rpcUrl);
    const { bytes, lastValidBlockHeight } = await signedTransfer(chain.rpcUrl, wallet);
    const now = new Date();
    await insertIntent(world.sql, await world.createAccount(), {
      transaction: bytes,
      lastValidBlockHeight,
      expiresAt: new Date(now.getTime() + 60_000),
      now,
    });
    await sampled(origins.worker, {
      'launchwire_intent_sends_total{send="takeover"}': 1,
      'launchwire_intent_broadcast_seconds_count{send="takeover"}': 1,
      'launchwire_intents_ended_total{status="confirmed",code=""}': 1,
      'launchwire_intent_completion_seconds_count{status="confirmed"}': 1,
      'launchwire_events_published_total{type="build.service.transaction_intent.confirmed.v1"}': 1,
    });
  });

  test('the worker counts ingest by kind and verdict, and reports how late the last trade was', async () => {
    const mint = newAddress();
    const send = (kind: string, message: unknown) =>
      jetstream(world.connection).publish(`ingest.${kind}`, JSON.stringify(message));
    await send('token', tokenMessage(mint));
    const blockTime = new Date(Date.now() - 90_000).toISOString();
    await send('trade', tradeMessage(mint, 1, { blockTime }));
    await send('trade', { mintAddress: mint });
    const { samples } = await sampled(origins.worker, {
      'launchwire_ingest_messages_total{kind="token",outcome="applied",reason=""}': 1,
      'launchwire_ingest_messages_total{kind="trade",outcome="applied",reason=""}': 1,
      'launchwire_ingest_messages_total{kind="trade",outcome="rejected",reason="schema_invalid"}': 1,
      launchwire_ingest_last_trade_timestamp_seconds: Date.parse(blockTime) / 1000,
    });
    expect(samples.get('launchwire_ingest_lag_seconds')).toBeGreaterThanOrEqual(90);
    expect(samples.get('launchwire_ingest_lag_seconds')).toBeLessThan(600);
  });

  test('the worker reports the age of the outbox, the lag of consumers, and rows without a partition', async () => {
    const { samples } = await sampled(origins.worker, {
      'launchwire_jetstream_pending{consumer="ingest"}': 0,
      'launchwire_jetstream_unacknowledged{consumer="relay-account"}': 0,
      launchwire_outbox_events: 0,
      launchwire_outbox_oldest_seconds: 0,
      launchwire_followed_trades: 0,
      launchwire_intent_broadcast_overdue_seconds: 0,
      launchwire_intent_oldest_open_seconds: 0,
      launchwire_intents_held: 0,
      'launchwire_default_partition_rows{table="events"}': 0,
      'launchwire_default_partition_rows{table="webhook_attempts"}': 0,
      'launchwire_default_partition_rows{table="trades"}': 0,
      'launchwire_fee_pools_unreadable{problem="pool_unreadable"}': 0,
    });
    expect(samples.get('launchwire_database_probe_seconds')).toBeGreaterThan(0);
  });

  test('the relay counts attempts by code with their phases, and never names an endpoint', async () => {
    const receiver = await startReceiver();
    const endpoint = await world.createEndpoint(receiver.origin);
    const breaking = await startRawReceiver((socket) => socket.destroy());
    const broken = await world.createEndpoint(`http://127.0.0.1:${breaking.port}`);
    for (const [{ id, accountId }, outcome] of [
      [endpoint, 'succeeded'],
      [broken, 'retrying'],
    ] as const) {
      const eventId = await world.publish({ accountId });
      await world.deliveryOf(id, eventId, ({ status }) => status === outcome);
    }
    const { samples } = await sampled(origins.relay, {
      'launchwire_relay_attempts_total{code="succeeded"}': 1,
      'launchwire_relay_attempts_total{code="network_error"}': 1,
      'launchwire_relay_deliveries_total{status="succeeded"}': 1,
      'launchwire_relay_deliveries_total{status="retrying"}': 1,
      'launchwire_relay_attempt_phase_seconds_count{phase="queued"}': 2,
      'launchwire_relay_event_delivery_seconds_count{outcome="succeeded"}': 1,
      'launchwire_relay_event_delivery_seconds_count{outcome="failed"}': 1,
      'launchwire_relay_attempt_phase_seconds_count{phase="first_byte"}': 1,
      launchwire_relay_in_flight: 0,
      'launchwire_relay_open_deliveries{state="scheduled"}': 1,
      'launchwire_relay_open_deliveries{state="processing"}': 0,
    });
    expect([...samples.keys()].join('\n')).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}/);
    expect(samples.get('launchwire_relay_oldest_due_seconds')).toBeGreaterThanOrEqual(0);
  });
});

interface Recording {
  record: string;
  expr: string;
}

interface Rule {
  alert: string;
  expr: string;
  for: string;
  labels: { severity: string };
  annotations: { summary: string; runbook_url: string };
}

interface PrometheusConfiguration {
  global: { external_labels: { runbooks: string } };
  rule_files: string[];
  alerting: { alert_relabel_configs: { regex: string; action: string }[] };
  scrape_configs: { static_configs: { targets: string[] }[] }[];
}

/** @param isList whether the file has several documents */
function readYaml<Document>(path: string, isList = false): Document {
  const read = Bun.YAML.parse(readFileSync(root + path, 'utf8'));
  return (isList && !Array.isArray(read) ? [read] : read) as Document;
}

const prometheus = readYaml<PrometheusConfiguration>('ops/prometheus/prometheus.yml');
const { groups } = readYaml<{ groups: { rules: (Rule | Recording)[] }[] }>('ops/prometheus/alerts.yml');
const rules = groups.flatMap((group) => group.rules.filter((rule) => 'alert' in rule));
const recordings = groups.flatMap((group) => group.rules.filter((rule) => 'record' in rule));
const dashboard = JSON.parse(readFileSync(`${root}ops/grafana/launchwire.json`, 'utf8')) as {
  panels: { title: string; targets: { expr: string }[] }[];
};

describe('alerts and dashboard', () => {
  const expressions = () => [
    ...rules.map(({ alert, expr }) => ({ place: alert, expr })),
    ...recordings.map(({ record, expr }) => ({ place: record, expr })),
    ...dashboard.panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ place: title, expr }))),
  ];

  test('ask only for metrics and labels that a process exposes', async () => {
    await fetch(`${apiUrl}/tokens`);
    const expositions = await Promise.all(Object.values(origins).map(scrape));
    const names = new Set([
      ...expositions.flatMap(queryableNames),
      ...recordings.map(({ record }) => record),
    ]);
    const samples = expositions.flatMap((exposition) => [...exposition.samples.keys()]);
    for (const { place, expr } of expressions()) {
      for (const name of metricNames(expr))
        expect(`${place}: ${names.has(name) ? '' : name}`).toBe(`${place}: `);
      expect(metricNames(expr)).not.toBeEmpty();
      for (const { metric, label } of filteredLabels(expr)) {
        const isUsed = samples.some(
          (sample) => sample.startsWith(`${metric}{`) && sample.includes(`${label}="`),
        );
        expect(`${place}: ${isUsed ? '' : label}`).toBe(`${place}: `);
      }
    }
  });

  test('show every metric of ours somewhere', async () => {
    const expositions = await Promise.all(Object.values(origins).map(scrape));
    const asked = new Set(expressions().flatMap(({ expr }) => metricNames(expr)));
    const ours = expositions
      .flatMap(({ types }) => [...types.keys()])
      .filter((name) => name.startsWith('launchwire_'));
    const unseen = ours.filter((name) => ![name, `${name}_bucket`].some((one) => asked.has(one)));
    expect([...new Set(unseen)]).toEqual(['launchwire_relay_messages_total']);
  });

  test('every recorded ratio is used, and every objective burns by the numbers of its page', () => {
    const asked = new Set(expressions().flatMap(({ expr }) => metricNames(expr)));
    expect(recordings.map(({ record }) => record).filter((record) => !asked.has(record))).toEqual([]);
    const page = readFileSync(`${root}docs/operations/slos.md`, 'utf8');
    const objectives = [...page.matchAll(/^\| `(\w+)` \|.*\| ([\d.]+) % \|.*\|$/gm)];
    const named = recordings.flatMap(({ record }) => /^slo:(\w+):ratio_5m$/.exec(record)?.[1] ?? []);
    expect(objectives.map(([, name]) => name)).toEqual(named);
    const alerts = new Map(rules.map(({ alert, expr }) => [alert, expr]));
    for (const [, name = '', percent] of objectives) {
      const title = name.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
      const above = (window: string, rate: number) =>
        `slo:${name}:ratio_${window} > ${Number(((rate * (100 - Number(percent))) / 100).toFixed(6))}`;
      expect(alerts.get(`${title}BudgetFast`)).toContain(
        `((${above('1h', 14.4)} and ${above('5m', 14.4)}) or (${above('6h', 6)} and ${above('30m', 6)}))`,
      );
      expect(alerts.get(`${title}BudgetSlow`)).toBe(`${above('3d', 1)} and ${above('6h', 1)}`);
    }
  });

  test('the alert about pools that nobody reads knows the number of shards', () => {
    const { expr } = rules.find(({ alert }) => alert === 'PoolsUnread') ?? expect.unreachable();
    expect(expr).toBe(`(sum(launchwire_indexer_shards) or vector(0)) < ${POOL_SHARDS}`);
  });

  test('every alert has a meaning, a severity and the address of its runbook', () => {
    const headings = readFileSync(`${root}docs/operations/runbooks.md`, 'utf8').matchAll(/^### (\w+)$/gm);
    const anchors = new Set([...headings].map(([, heading = '']) => heading.toLowerCase()));
    const { runbooks } = prometheus.global.external_labels;
    for (const rule of rules) {
      expect(rule.for).toMatch(/^\d+[smh]$/);
      expect(['page', 'ticket']).toContain(rule.labels.severity);
      expect(rule.annotations.summary.length).toBeGreaterThan(10);
      expect(`${rule.alert} ${anchors.has(rule.alert.toLowerCase())}`).toBe(`${rule.alert} true`);
      // Prometheus fills in this label.
      const url = new URL(rule.annotations.runbook_url.replace('{{ $externalLabels.runbooks }}', runbooks));
      expect(url.href).toBe(`${runbooks}#${rule.alert.toLowerCase()}`);
    }
    expect(anchors.size).toBe(rules.length);
    expect(prometheus.alerting.alert_relabel_configs).toEqual([{ regex: 'runbooks', action: 'labeldrop' }]);
  });

  test('the rules of a Prometheus without the label are written with one line of the documentation', async () => {
    const [, line = ''] =
      /```sh\n(sed .*)\n```/.exec(readFileSync(`${root}docs/operations/monitoring.md`, 'utf8')) ?? [];
    const [folder, written] = [createTempDir('rules'), 'launchwire-alerts.yml'];
    const sed = Bun.spawn(['sh', '-c', line.replace(written, `${folder}/${written}`)], { cwd: root });
    expect(await sed.exited).toBe(0);
    const text = readFileSync(`${folder}/${written}`, 'utf8');
    expect(text).not.toContain('externalLabels');
    expect(text.match(/runbook_url: "https:\/\/\S+#\w+"$/gm)).toHaveLength(rules.length);
  });

  test('Prometheus scrapes every process that has metrics, in containers and in a cluster', () => {
    const targets = prometheus.scrape_configs.flatMap(({ static_configs }) =>
      static_configs.flatMap(({ targets }) => targets),
    );
    expect(targets).toEqual(['api:9464', 'worker:9464', 'relay:9464', 'internal:9464']);
    expect(prometheus.rule_files).toEqual(['alerts.yml']);
    const monitor = readYaml<{
      spec: { selector: { matchLabels: Record<string, string> }; podMetricsEndpoints: { port: string }[] };
    }>('ops/prometheus/pod-monitor.yml');
    for (const role of Object.keys(origins)) {
      const [deployment] = readYaml<
        {
          spec: {
            template: {
              metadata: { labels: object };
              spec: { containers: { ports: { name: string; containerPort: number }[] }[] };
            };
          };
        }[]
      >(`ops/kubernetes/${role}.yaml`, true);
      const { metadata, spec } = deployment?.spec.template ?? {};
      expect(metadata?.labels).toMatchObject(monitor.spec.selector.matchLabels);
      expect(spec?.containers[0]?.ports).toContainEqual({
        name: monitor.spec.podMetricsEndpoints[0]?.port ?? '',
        containerPort: 9464,
      });
    }
  });

  test('the reader of expressions finds only metrics', () => {
    expect(
      metricNames(
        'sum by (le, code) (rate(a_total{code!="b",x=~"c.."}[5m])) / b:c > 0.5 and on (x) d offset 5m',
      ),
    ).toEqual(['a_total', 'b:c', 'd', 'm'].filter((name) => name !== 'm'));
  });
});
