import { describe, expect, test } from 'bun:test';
import { lookup } from 'node:dns/promises';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseHosts } from '../../src/shared/dns/hosts-file.ts';
import { DnsResolver, type DnsResolverOptions } from '../../src/shared/dns/resolver.ts';
import { type NameServer, startNameServer } from '../support/http/name-server.ts';
import { eventually } from '../support/run/eventually.ts';
import { createTempDir } from '../support/run/temp-dir.ts';

const isDead = (name: string) => name.endsWith('.dead.example');
const owner = { accountId: 'account', endpointId: null };

function resolverFor({ address }: NameServer, options: Partial<DnsResolverOptions> = {}): DnsResolver {
  return new DnsResolver({ servers: [address], hostsFile: '/does/not/exist', ...options });
}

describe('an answer', () => {
  test('holds every address of both families, IPv4 first', async () => {
    const addresses = ['8.8.8.8', '10.0.0.1', '2606:4700::1'];
    const server = await startNameServer({ 'hook.example': { addresses } });
    expect(await resolverFor(server).resolve('hook.example', owner)).toEqual(addresses);
  });

  test('of one family is enough when the other never comes', async () => {
    const zone = { addresses: ['8.8.8.8', '2606:4700::1'] };
    const server = await startNameServer({ 'hook.example': zone }, (_name, type) => type === 'A');
    expect(await resolverFor(server).resolve('hook.example', owner)).toEqual(['2606:4700::1']);
  });

  test('is fetched once for all simultaneous callers', async () => {
    const server = await startNameServer({ 'hook.example': { addresses: ['8.8.8.8'] } });
    const { resolve } = resolverFor(server);
    const asked = Array.from({ length: 50 }, (_, index) =>
      resolve('hook.example', { accountId: `account-${index}`, endpointId: `endpoint-${index}` }),
    );
    expect(await Promise.all(asked)).toEqual(asked.map(() => ['8.8.8.8']));
    expect(server.queries.map(({ type }) => type).sort()).toEqual(['A', 'AAAA']);
  });

  test('is kept for its TTL, but neither shorter than 5 s nor longer than 60 s', async () => {
    for (const [ttlSeconds, keptMs] of [
      [0, 5_000],
      [30, 30_000],
      [86_400, 60_000],
    ] as const) {
      const server = await startNameServer({ 'hook.example': { addresses: ['8.8.8.8'], ttlSeconds } });
      let nowMs = 0;
      const { resolve } = resolverFor(server, { nowMs: () => nowMs });
      await resolve('hook.example', owner);
      server.names.set('hook.example', { addresses: ['9.9.9.9'] });
      nowMs = keptMs - 1;
      expect(await resolve('hook.example', owner)).toEqual(['8.8.8.8']);
      nowMs = keptMs;
      expect(await resolve('hook.example', owner)).toEqual(['9.9.9.9']);
    }
  });
});

describe('a failure', () => {
  test('says what was wrong and is kept for 3 s', async () => {
    const server = await startNameServer({});
    let nowMs = 0;
    const resolver = resolverFor(server, { nowMs: () => nowMs });
    await expect(resolver.resolve('gone.example', owner)).rejects.toThrow('no address for gone.example');
    server.names.set('gone.example', { addresses: ['8.8.8.8'] });
    nowMs = 2_999;
    await expect(resolver.resolve('gone.example', owner)).rejects.toThrow('no address');
    nowMs = 3_000;
    expect(await resolver.resolve('gone.example', owner)).toEqual(['8.8.8.8']);
    expect(resolver.outcomes).toMatchObject({ no_address: 1, answered: 1 });
  });

  test('ends a look-up without a response', async () => {
    const server = await startNameServer({}, isDead);
    const resolver = resolverFor(server, { deadlineMs: 100 });
    await expect(resolver.resolve('hook.dead.example', owner)).rejects.toThrow(
      'no answer for hook.dead.example within 100 ms',
    );
    expect(resolver.outcomes.timed_out).toBe(1);
  });
});

test('a name with too many addresses is refused, not cut, so that no address goes unjudged', async () => {
  const addresses = Array.from({ length: 65 }, (_, index) => `8.8.8.${index}`);
  const server = await startNameServer({
    'many.example': { addresses },
    'full.example': { addresses: addresses.slice(1) },
  });
  const { resolve } = resolverFor(server);
  await expect(resolve('many.example', owner)).rejects.toThrow('more than 64 addresses');
  expect(await resolve('full.example', owner)).toHaveLength(64);
});

describe('a zone that never answers', () => {
  test('holds up neither other names nor the resolver threads of the rest of the process', async () => {
    const server = await startNameServer({ 'hook.example': { addresses: ['8.8.8.8'] } }, isDead);
    const resolver = resolverFor(server, { deadlineMs: 60_000 });
    let ended = 0;
    const hanging = Array.from({ length: 200 }, (_, index) =>
      resolver
        .resolve(`h${index}.dead.example`, { accountId: `account-${index}`, endpointId: null })
        .finally(() => {
          ended += 1;
        }),
    );
    for (const one of hanging) one.catch(() => {});
    await eventually('200 look-ups under way', async () => server.queries.length >= 400);
    expect(await resolver.resolve('hook.example', owner)).toEqual(['8.8.8.8']);
    expect(await lookup('localhost')).toMatchObject({ address: expect.any(String) });
    expect(ended).toBe(0);
  });

  test('takes the share of its account and endpoint, whatever names it invents', async () => {
    const server = await startNameServer({ 'hook.example': { addresses: ['8.8.8.8'] } }, isDead);
    const limits = { total: 32, perAccount: 4, perEndpoint: 2, turnMs: 50 };
    const resolver = resolverFor(server, { limits, deadlineMs: 60_000 });
    const ask = (endpointId: string) => {
      const asked = Array.from({ length: 20 }, (_, index) =>
        resolver.resolve(`${endpointId}-${index}.dead.example`, { accountId: 'hostile', endpointId }),
      );
      for (const one of asked) one.catch(() => {});
    };
    for (const endpointId of ['a', 'b', 'c']) ask(endpointId);
    await eventually('those without a turn to give up', async () => resolver.outcomes.no_turn === 56);
    const asked = new Set(server.queries.map(({ name }) => name));
    expect([...asked].sort()).toEqual(['a-0', 'a-1', 'b-0', 'b-1'].map((name) => `${name}.dead.example`));
    expect(await resolver.resolve('hook.example', owner)).toEqual(['8.8.8.8']);
  });
});

describe('the hosts file', () => {
  test('goes before DNS, with all addresses of a name and any case', async () => {
    const server = await startNameServer({ 'hook.example': { addresses: ['8.8.8.8'] } });
    const hostsFile = join(createTempDir('hosts'), 'hosts');
    writeFileSync(hostsFile, '10.0.0.7 Hook.Example alias # ours\n\nfd00::7 hook.example\nfe80::1%lo0 x\n');
    const { resolve } = resolverFor(server, { hostsFile });
    expect(await resolve('hook.example', owner)).toEqual(['10.0.0.7', 'fd00::7']);
    expect(server.queries).toEqual([]);
  });

  test('ignores malformed lines', () => {
    expect([...parseHosts('\u0000\n#\nname only\n::1\n1.2.3.4\ta b\n')]).toEqual([
      ['a', ['1.2.3.4']],
      ['b', ['1.2.3.4']],
    ]);
  });
});
