import { type Answer, decode, encode } from 'dns-packet';
import { atEnd } from '../run/cleanup.ts';

/** The records of a name; a name without an entry does not exist. */
export interface Zone {
  addresses: readonly string[];
  ttlSeconds?: number;
}

export interface NameServer {
  /** The value for `WEBHOOK_DNS_SERVERS`. */
  address: string;
  /** Queries in order of arrival. `A` and `AAAA` are two queries. */
  queries: { name: string; type: string }[];
  /** May be changed at any time. */
  names: Map<string, Zone>;
}

/**
 * A real name server on loopback (UDP).
 * @param isSilent returns true for queries that get no response
 */
export async function startNameServer(
  names: Readonly<Record<string, Zone>>,
  isSilent: (name: string, type: string) => boolean = () => false,
): Promise<NameServer> {
  const socket = await Bun.udpSocket({
    hostname: '127.0.0.1',
    socket: {
      data(server, packet, port, address) {
        const answer = answerTo(nameServer, packet, isSilent);
        if (answer !== null) server.send(answer, port, address);
      },
    },
  });
  const nameServer: NameServer = {
    address: `127.0.0.1:${socket.port}`,
    queries: [],
    names: new Map(Object.entries(names)),
  };
  atEnd(async () => socket.close());
  return nameServer;
}

function answerTo(
  { queries, names }: NameServer,
  packet: Uint8Array,
  isSilent: (name: string, type: string) => boolean,
): Uint8Array | null {
  const query = decode(Buffer.from(packet));
  const [question] = query.questions ?? [];
  if (question === undefined) return null;
  const name = question.name.toLowerCase();
  queries.push({ name, type: question.type });
  if (isSilent(name, question.type)) return null;
  const zone = names.get(name);
  const wanted = question.type === 'AAAA' ? 6 : 4;
  const answers = (zone?.addresses ?? []).flatMap((data): Answer[] =>
    wanted === (data.includes(':') ? 6 : 4)
      ? [{ type: wanted === 6 ? 'AAAA' : 'A', name: question.name, ttl: zone?.ttlSeconds ?? 30, data }]
      : [],
  );
  const NXDOMAIN = 3;
  return encode({
    type: 'response',
    id: query.id ?? 0,
    flags: 0x0580 | (zone === undefined ? NXDOMAIN : 0),
    questions: [question],
    answers,
  });
}
