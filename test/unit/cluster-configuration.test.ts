import { describe, expect, test } from 'bun:test';
import { etcdArguments } from '../../sandbox/cluster/etcd.ts';
import { MissingPackages } from '../../sandbox/cluster/executables.ts';
import { haproxyConfig } from '../../sandbox/cluster/haproxy-config.ts';
import { type Link, Links } from '../../sandbox/cluster/links.ts';
import { LEASE, patroniConfig } from '../../sandbox/cluster/patroni-config.ts';

const secrets = { superuser: 'one', replication: 'two', rewind: 'three', api: 'four', poolerStats: 'five' };
const member = {
  name: 'postgres-1',
  home: '/home/of/one',
  binDir: '/bin/of/postgres',
  postgres: { listen: 5001, reached: 5011 },
  api: { listen: 8001, reached: 8011 },
  etcdPort: 2380,
};

describe('the configuration of Patroni', () => {
  test('promotes only a standby that has every acknowledged commit', () => {
    expect(patroniConfig(member, secrets, true)).toMatchObject({
      bootstrap: {
        dcs: { synchronous_mode: true, postgresql: { parameters: { synchronous_commit: 'on' } } },
      },
    });
  });

  test('has a lease into which a loop and two retries fit, as Patroni demands', () => {
    expect(LEASE.loop_wait + 2 * LEASE.retry_timeout).toBeLessThanOrEqual(LEASE.ttl);
  });

  test('names to the other member the ports by which that one reaches it', () => {
    expect(patroniConfig(member, secrets, true)).toMatchObject({
      restapi: { listen: '127.0.0.1:8001', connect_address: '127.0.0.1:8011' },
      postgresql: { listen: '127.0.0.1:5001', connect_address: '127.0.0.1:5011' },
      etcd3: { hosts: ['127.0.0.1:2380'], use_proxies: true },
    });
  });

  test('gives up the safety of the disk only where it is asked to', () => {
    const parametersOf = (durable: boolean) => JSON.stringify(patroniConfig(member, secrets, durable));
    expect(parametersOf(true)).not.toContain('fsync');
    expect(parametersOf(false)).toContain('"fsync":"off"');
  });
});

test('every server listens on loopback alone', () => {
  const ports = { api: 1, primary: 2, standby: 8, apis: [{ name: 'api-1', port: 3 }], databases: [] };
  const listening = [
    ...haproxyConfig(ports).matchAll(/bind (\S+):/g),
    ...etcdArguments('/data', 6, 7)
      .join(' ')
      .matchAll(/listen-\w+-urls http:\/\/([\d.]+):/g),
  ].map(([, address]) => address);
  expect(listening).toHaveLength(5);
  expect(new Set(listening)).toEqual(new Set(['127.0.0.1']));
});

test('what is missing is named in one message, with the command that installs it', () => {
  const { message } = new MissingPackages(['patroni', 'haproxy']);
  expect(message).toContain('the Debian packages patroni, haproxy');
  expect(message).toContain('apt-get install --no-install-recommends patroni haproxy');
});

test('each connection between two servers is asked for once and keeps its port', async () => {
  const asked: Link[] = [];
  const links = new Links((link) => {
    asked.push(link);
    return 40_000 + asked.length;
  });
  links.setPort('nats-1', 'nats', 4001);
  const ports = await Promise.all([
    links.portFor('api-1', 'nats-1', 'nats'),
    links.portFor('api-1', 'nats-1', 'nats'),
    links.portFor('api-2', 'nats-1', 'nats'),
  ]);
  expect(ports).toEqual([40_001, 40_001, 40_002]);
  expect(asked).toEqual([
    { from: 'api-1', to: 'nats-1', service: 'nats', port: 4001 },
    { from: 'api-2', to: 'nats-1', service: 'nats', port: 4001 },
  ]);
});
