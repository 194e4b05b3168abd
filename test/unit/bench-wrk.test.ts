import { expect, test } from 'bun:test';
import { readWrk } from '../../bench/load/wrk.ts';

const OUTPUT = `Running 1s test @ http://127.0.0.1:3000/
  1 threads and 32 connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency     1.20ms  400.00us   9.00ms   90.00%
    Req/Sec    25.10k     2.00k   30.00k    70.00%
  Latency Distribution
     50%  500.00us
     75%    1.30ms
     90%    1.80ms
     99%    1.25ms
  25000 requests in 1.00s, 10.00MB read
Requests/sec:  24999.50
Transfer/sec:     10.00MB
`;

test('the figures of wrk are read with their units', () => {
  expect(readWrk(OUTPUT)).toEqual({ requestsPerSecond: 24_999.5, p50Ms: 0.5, p99Ms: 1.25 });
});

test('errors that wrk reports, and a missing figure, fail the run', () => {
  const refused = OUTPUT.replace('Transfer', '  Non-2xx or 3xx responses: 12\nTransfer');
  expect(() => readWrk(refused)).toThrow('Non-2xx or 3xx responses: 12');
  expect(() => readWrk(OUTPUT.replace('Requests/sec', 'Other'))).toThrow('wrk printed no');
});
