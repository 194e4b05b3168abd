import { expect, spyOn, test } from 'bun:test';
import { ForwardingWatch } from '../../src/http/access/forwarding-watch.ts';
import { RequestContext } from '../../src/http/request-context.ts';
import { createLogger } from '../../src/shared/log.ts';

test('a proxy that is not believed is reported once', () => {
  const warnings: unknown[] = [];
  const log = Object.assign(createLogger('test', 'silent'), {
    warn: (facts: unknown) => warnings.push(facts),
  });
  const request = (headers: Record<string, string>) =>
    new RequestContext(new Request('http://localhost/', { headers }), () => '10.0.0.1');
  for (const name of ['x-forwarded-for', 'forwarded']) {
    const watch = new ForwardingWatch(log);
    for (let count = 0; count < 3; count += 1) watch.observe(request({ [name]: 'for=192.0.2.1' }));
    expect(warnings.splice(0)).toEqual([{ peer: '10.0.0.1', reason: 'TRUSTED_PROXY_HOPS is 0' }]);
  }
  new ForwardingWatch(log).observe(request({}));
  expect(warnings).toEqual([]);
});

test('one request a second is looked at', () => {
  const requestAt = (startedAtMs: number) => {
    const headers = new Headers();
    const has = spyOn(headers, 'has');
    const request = { headers };
    watch.observe({ request, startedAtMs, peerAddress: '10.0.0.1' } as unknown as RequestContext);
    return has.mock.calls.length > 0;
  };
  const watch = new ForwardingWatch(createLogger('test', 'silent'));
  expect([0, 1, 999, 1_000, 1_001].map(requestAt)).toEqual([true, false, false, true, false]);
});
