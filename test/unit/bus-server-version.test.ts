import { expect, test } from 'bun:test';
import { checkServer } from '../../src/admin/doctor/check-bus.ts';
import { isTooOldForCluster, outdatedClusterVersion } from '../../src/shared/bus/server-version.ts';

test.each([
  ['2.9.10', true],
  ['2.10.27', true],
  ['2.12.5', true],
  ['2.12.6', false],
  ['2.12.15', false],
  ['2.15.1', false],
  ['3.0.0', false],
])('nats-server %s is too old for a cluster: %p', (version, isTooOld) => {
  expect(isTooOldForCluster(version)).toBe(isTooOld);
});

test('doctor refuses an old server in a cluster, and warns of a single one without sync_interval', () => {
  expect(checkServer('nats-server 2.9.10', '2.9.10', false)).toMatchObject({
    state: 'warning',
    detail: expect.stringMatching(
      /^nats-server 2\.9\.10; older than 2\.10, it has no sync_interval: .*deployment\.md/,
    ),
  });
  expect(checkServer('nats-server 2.10.0', '2.10.0', false)).toMatchObject({ state: 'ok' });
  expect(checkServer('nats-server 2.15.1', '2.15.1', true)).toMatchObject({ state: 'ok' });
  expect(checkServer('nats-server 2.10.27', '2.10.27', true)).toEqual({
    check: 'nats',
    state: 'failed',
    detail:
      'nats-server 2.10.27; older than 2.12.6, a cluster may stop consumers or lose messages that it has acknowledged when a node is lost: upgrade every node',
  });
});

test('only nodes of a cluster are outdated', () => {
  const infoOf = (version: string, cluster?: string) =>
    ({ info: { version, ...(cluster === undefined ? {} : { cluster }) } }) as Parameters<
      typeof outdatedClusterVersion
    >[0];
  expect(outdatedClusterVersion(infoOf('2.9.10'))).toBeNull();
  expect(outdatedClusterVersion(infoOf('2.9.10', 'launchwire'))).toBe('2.9.10');
  expect(outdatedClusterVersion(infoOf('2.15.1', 'launchwire'))).toBeNull();
  expect(outdatedClusterVersion({})).toBeNull();
});
