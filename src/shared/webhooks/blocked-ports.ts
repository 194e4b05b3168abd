/** The ports that fetch.spec.whatwg.org lists as bad: other protocols that an HTTP POST could be smuggled into. */
const BAD_PORTS: readonly number[] = [
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104,
  109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515,
  526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049,
  3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
];

/**
 * Ports of services that act on any input, often without authentication. No subscriber receives webhooks
 * there, so they stay closed even where the operator admits private ranges, which is where such services run.
 */
const SERVICE_PORTS: Readonly<Record<number, string>> = {
  445: 'SMB',
  1433: 'SQL Server',
  1521: 'Oracle',
  2375: 'the Docker API, unauthenticated',
  2376: 'the Docker API',
  2377: 'Docker Swarm',
  2379: 'etcd',
  2380: 'etcd peers',
  3306: 'MySQL',
  3389: 'remote desktop',
  4222: 'NATS',
  4369: 'the Erlang port mapper',
  5432: 'Postgres',
  5672: 'AMQP',
  5900: 'VNC',
  5984: 'CouchDB',
  5985: 'Windows remote management',
  5986: 'Windows remote management',
  6222: 'NATS routes',
  6379: 'Redis',
  6443: 'the Kubernetes API',
  7946: 'Docker Swarm gossip',
  8086: 'InfluxDB',
  8222: 'NATS monitoring',
  8300: 'Consul',
  8500: 'the Consul API',
  8899: 'Solana JSON-RPC',
  9042: 'Cassandra',
  9092: 'Kafka',
  9200: 'Elasticsearch',
  9300: 'Elasticsearch nodes',
  10250: 'the kubelet API',
  10255: 'the kubelet API, read only',
  11211: 'memcached',
  15672: 'RabbitMQ management',
  16379: 'Redis cluster',
  26379: 'Redis sentinel',
  27017: 'MongoDB',
  27018: 'MongoDB',
};

const denials: ReadonlyMap<number, string> = new Map([
  ...BAD_PORTS.map((port) => [port, 'another protocol'] as const),
  ...Object.entries(SERVICE_PORTS).map(([port, service]) => [Number(port), service] as const),
]);

/**
 * Names the service whose port webhooks may not use; null for any other port, because subscribers do run
 * receivers on ports like 8443.
 */
export function portOwner(port: number): string | null {
  return denials.get(port) ?? null;
}
