import { expect, test } from 'bun:test';
import { ServerChoice } from '../../src/shared/bus/server-choice.ts';

type Servers = Parameters<ServerChoice['choose']>[0];

/** Servers of the client that were last tried at these times. */
function serversOf(lastConnects: Record<string, number>): Servers {
  return Object.entries(lastConnects).map(([listen, lastConnect]) => ({
    hostname: listen,
    port: 4222,
    listen,
    src: listen,
    tlsName: '',
    reconnects: 0,
    lastConnect,
    gossiped: false,
    didConnect: lastConnect > 0,
  }));
}

/** The addresses that a number of processes choose, with their delays. */
function chosen(lastConnects: Record<string, number>, lost: string | null) {
  return Array.from({ length: 200 }, () => {
    const choice = new ServerChoice(Math.random, () => 1_000);
    if (lost !== null) choice.connectedTo(lost);
    const found = choice.choose(serversOf(lastConnects), null);
    if (found === null || !('server' in found)) throw new Error('no server was chosen');
    return { listen: found.server.listen, delay: found.delay ?? 0 };
  });
}

test('processes that lose a node spread over the others, and over half a second', () => {
  const all = chosen({ lost: 0, one: 0, two: 0 }, 'lost');
  expect(new Set(all.map(({ listen }) => listen))).toEqual(new Set(['one', 'two']));
  const delays = all.map(({ delay }) => delay);
  expect(Math.min(...delays)).toBeLessThan(100);
  expect(Math.max(...delays)).toBeGreaterThan(400);
  expect(Math.max(...delays)).toBeLessThan(500);
});

test('a first connection is made without delay, to any node', () => {
  const all = chosen({ one: 0, two: 0, three: 0 }, null);
  expect(new Set(all.map(({ listen }) => listen)).size).toBe(3);
  expect(all.every(({ delay }) => delay === 0)).toBe(true);
});

test('what was tried longest ago is tried next, and the lost node when nothing else is left', () => {
  expect(chosen({ one: 900, two: 800 }, null).every(({ listen }) => listen === 'two')).toBe(true);
  expect(chosen({ lost: 0, one: 1_100 }, 'lost').every(({ listen }) => listen === 'lost')).toBe(true);
  expect(new ServerChoice().choose([], null)).toBeNull();
});
