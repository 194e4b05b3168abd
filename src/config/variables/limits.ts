import { rateLimits } from '../rate-limits.ts';
import { integer } from '../values.ts';
import { variable } from '../variable.ts';

/** Rate limits, and limits of streams in one api process. */
export const limitVariables = {
  rateLimits: variable('RATE_LIMITS', {
    for: ['api', 'internal'],
    rule: rateLimits,
    default: {},
    text: 'JSON with rate policies by name. Each replaces the default policy of its name (contract/rate-limits#policies).',
  }),
  trustedProxyHops: variable('TRUSTED_PROXY_HOPS', {
    for: ['api'],
    rule: integer(0, 16),
    default: 0,
    text: 'Number of entries at the end of X-Forwarded-For that are trusted.',
  }),
  streamsPerKey: variable('STREAMS_PER_KEY', {
    for: ['api'],
    rule: integer(1, 100_000),
    default: 100,
    text: 'Maximum number of streams that one key may have open in an api process.',
  }),
  streamsPerAddress: variable('STREAMS_PER_ADDRESS', {
    for: ['api'],
    rule: integer(1, 100_000),
    default: 100,
    text: 'Maximum number of streams without a key that one client address may have open in an api process.',
  }),
  streamsPerNetwork: variable('STREAMS_PER_NETWORK', {
    for: ['api'],
    rule: integer(1, 100_000),
    default: 500,
    text: 'Maximum number of streams without a key that one IPv6 /48 may have open in an api process.',
  }),
  streamsMax: variable('STREAMS_MAX', {
    for: ['api'],
    rule: integer(1, 1_000_000),
    default: 20_000,
    text: 'Maximum number of open streams in an api process.',
  }),
  streamsKeyReservePercent: variable('STREAMS_KEY_RESERVE_PERCENT', {
    for: ['api'],
    rule: integer(0, 100),
    default: 25,
    text: 'Percentage of STREAMS_MAX that is reserved for streams with a key.',
  }),
  streamBufferBytes: variable('STREAM_BUFFER_BYTES', {
    for: ['api'],
    rule: integer(65_536, 67_108_864),
    default: 1_048_576,
    text: 'Bytes that the api keeps for a stream whose client does not read. If more is waiting, the api ends the stream.',
  }),
};
