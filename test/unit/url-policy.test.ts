import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { addressDenial } from '../../src/shared/webhooks/address-policy.ts';
import { resolveDestination } from '../../src/shared/webhooks/resolve.ts';
import {
  judgeAddresses,
  judgeUrl,
  URL_LENGTH_MAX,
  type UrlPolicy,
} from '../../src/shared/webhooks/url-policy.ts';
import { acceptedUrls, hostileUrls } from './url-policy-corpus.ts';

const strict: UrlPolicy = { allowHttp: false, allowedCidrs: [] };
const caller = { accountId: 'account', endpointId: null };
const loopback: UrlPolicy = { allowHttp: true, allowedCidrs: ['127.0.0.0/8', '::1/128'] };

describe('no hostile URL passes, and each is refused for its own reason', () => {
  for (const [reason, urls] of Object.entries(hostileUrls)) {
    for (const url of urls) {
      test(`${reason}: ${JSON.stringify(url.slice(0, 60))}`, () => {
        expect(judgeUrl(url, strict)).toMatchObject({ allowed: false, reason });
      });
    }
  }
  test('the corpus has at least 150 of them', () => {
    expect(Object.values(hostileUrls).flat().length).toBeGreaterThanOrEqual(150);
  });
});

describe('URLs of real subscribers pass', () => {
  for (const url of acceptedUrls) {
    test(url, () => expect(judgeUrl(url, strict)).toMatchObject({ allowed: true }));
  }
});

describe('a URL has at most 2,048 characters', () => {
  const urlOf = (length: number, path = '') =>
    `https://example.org/${path}${'a'.repeat(length - `https://example.org/${path}`.length)}`;

  test('as it was sent', () => {
    expect(judgeUrl(urlOf(URL_LENGTH_MAX), strict)).toMatchObject({ allowed: true });
    expect(judgeUrl(urlOf(URL_LENGTH_MAX + 1), strict)).toMatchObject({ reason: 'url_too_long' });
  });

  test('and as it is requested, with its characters encoded', () => {
    const encoded = '%C3%A9'.length - 'é'.length;
    const longest = urlOf(URL_LENGTH_MAX - encoded, 'é');
    expect(new URL(longest).href.length).toBe(URL_LENGTH_MAX);
    expect(judgeUrl(longest, strict)).toMatchObject({ allowed: true });
    expect(judgeUrl(`${longest}a`, strict)).toMatchObject({ reason: 'url_too_long' });
  });
});

describe('what the operator admits', () => {
  test('ranges and http widen addresses and scheme', () => {
    for (const url of [
      'http://127.0.0.1:3000/',
      'https://127.1/',
      'http://[::1]/',
      'http://[::ffff:127.0.0.1]/',
    ]) {
      expect(judgeUrl(url, loopback)).toMatchObject({ allowed: true });
    }
  });
  test('and nothing else: other ranges and private names stay refused', () => {
    for (const url of [
      'http://10.0.0.1/',
      'http://a.localhost/',
      'http://a.internal/',
      'http://[64:ff9b::7f00:1]/',
    ]) {
      expect(judgeUrl(url, loopback).allowed).toBe(false);
    }
  });
  test('localhost is this machine where loopback is admitted, whatever a resolver says, and is refused elsewhere', async () => {
    const elsewhere = async () => ['93.184.216.34'];
    const at = (text: string, policy: UrlPolicy) => resolveDestination(text, policy, elsewhere, caller);
    expect(await at('http://localhost:4100/hook', loopback)).toMatchObject({
      allowed: true,
      addresses: ['127.0.0.1', '::1'],
    });
    const ipv4 = { ...loopback, allowedCidrs: ['127.0.0.0/8'] };
    expect(await at('http://LOCALHOST/', ipv4)).toMatchObject({ allowed: true, addresses: ['127.0.0.1'] });
    for (const policy of [strict, { ...loopback, allowedCidrs: ['10.0.0.0/8'] }])
      expect(await at('https://localhost/', policy)).toMatchObject({
        reason: 'host_not_public',
        detail: 'localhost is not a public name',
      });
  });
  test('a name that ends in a dot is refused with that reason, because it is a name', () => {
    for (const host of ['hooks.example.com.', 'localhost.', 'hooks.example.com.。'])
      expect(judgeUrl(`https://${host}/`, strict)).toMatchObject({
        reason: 'host_not_public',
        detail: expect.stringContaining('ends in a dot: write the name without it'),
      });
    expect(judgeUrl('https://hooks_.example..com/', strict)).toMatchObject({
      detail: expect.stringContaining('is not a DNS name'),
    });
  });
  test('these ranges alone: no other address is reached, and the refusal names one that is admitted', async () => {
    const sandbox: UrlPolicy = { ...loopback, onlyAllowedCidrs: true };
    const refusal = { allowed: false, reason: 'address_not_admitted' };
    const resolving = (addresses: string[]) =>
      resolveDestination('https://example.com/', sandbox, async () => addresses, caller);
    for (const url of ['http://127.0.0.1:4100/', 'http://localhost:4100/', 'http://[::1]/'])
      expect(judgeUrl(url, sandbox).allowed).toBe(true);
    expect(judgeUrl('https://93.184.216.34/', sandbox)).toMatchObject(refusal);
    expect(judgeUrl('https://10.0.0.1/', sandbox)).toMatchObject({ reason: 'address_not_public' });
    const outside = await resolving(['127.0.0.1', '93.184.216.34']);
    expect(outside).toMatchObject({ ...refusal, detail: expect.stringContaining('http://127.0.0.1:4100') });
    expect(outside).toMatchObject({ detail: expect.not.stringContaining('93.184') });
    expect(await resolving(['127.0.0.1'])).toMatchObject({ allowed: true });
    // It may lead anywhere later, so an unknown name is refused at registration.
    const unknown = () => Promise.reject(new Error('no address'));
    expect(await resolveDestination('https://example.com/', sandbox, unknown, caller)).toMatchObject({
      allowed: 'unresolved',
      denial: refusal,
    });
    expect(await resolveDestination('https://example.com/', loopback, unknown, caller)).toMatchObject({
      allowed: 'unresolved',
      denial: null,
    });
  });
  test('admitted ranges make names of private networks a matter of their addresses', async () => {
    const name = 'http://hooks.lan/';
    expect(judgeUrl(name, { ...loopback, allowedCidrs: [] })).toMatchObject({ reason: 'host_not_public' });
    expect(await resolveDestination(name, loopback, async () => ['127.0.0.1'], caller)).toMatchObject({
      allowed: true,
    });
    expect(await resolveDestination(name, loopback, async () => ['10.0.0.1'], caller)).toMatchObject({
      reason: 'address_not_public',
    });
  });
  test('ports of services stay closed inside admitted ranges, where the services are', () => {
    for (const port of [2375, 5432, 6379, 9200, 11211])
      expect(judgeUrl(`http://127.0.0.1:${port}/`, loopback)).toMatchObject({ reason: 'port_not_allowed' });
  });
});

describe('what a name resolves to', () => {
  test('one denied address denies the target', () => {
    expect(judgeAddresses(['8.8.8.8', '10.0.0.1'], strict)).toMatchObject({ reason: 'address_not_public' });
    expect(judgeAddresses(['8.8.8.8', '2606:4700::1'], strict)).toBeNull();
    expect(judgeAddresses([], strict)).toMatchObject({ reason: 'address_not_public' });
  });
  test('the address is hidden from the caller and shown to the operator', () => {
    const denial = judgeAddresses(['8.8.8.8', '10.1.2.3'], strict);
    expect(denial?.detail).not.toMatch(/10\.1\.2\.3|private|8\.8/);
    expect(denial?.operatorDetail).toContain('10.1.2.3');
    // The caller knows an address that the URL contains: naming it says which part is wrong.
    expect(judgeUrl('https://10.1.2.3/', strict)).toMatchObject({
      detail: '10.1.2.3 is not a public address (private)',
    });
  });
  test('decorated or malformed answers are refused', () => {
    for (const address of ['fe80::1%eth0', '8.8.8.8%1', '', 'example.com', '8.8.8.8/8']) {
      expect(addressDenial(address, [])).not.toBeNull();
    }
  });
  test('the reason names the hidden IPv4 address', () => {
    expect(addressDenial('64:ff9b::10.0.0.1', [])).toContain('hides 10.0.0.1 (private)');
    expect(addressDenial('2001:0:4136:e378:8000:63bf:f5ff:fffe', [])).toContain('hides 10.0.0.1 (private)');
  });
  test('an address in the URL never reaches the resolver', async () => {
    const resolve = async () => {
      throw new Error('asked');
    };
    expect(await resolveDestination('https://8.8.8.8/', strict, resolve, caller)).toMatchObject({
      addresses: ['8.8.8.8'],
    });
    expect(await resolveDestination('https://127.0.0.1/', strict, resolve, caller)).toMatchObject({
      allowed: false,
    });
  });
  test('a name that does not resolve is neither allowed nor denied', async () => {
    const resolve = async () => {
      throw new Error('ENOTFOUND');
    };
    expect(await resolveDestination('https://example.com/', strict, resolve, caller)).toMatchObject({
      allowed: 'unresolved',
    });
  });
  test('a name with a denied address is denied', async () => {
    const target = await resolveDestination(
      'https://example.com/',
      strict,
      async () => ['8.8.8.8', '::1'],
      caller,
    );
    expect(target).toMatchObject({ allowed: false, reason: 'address_not_public' });
  });
});

test('every IPv4 address gets the same verdict however it is written', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 0xff_ff_ff_ff }), (value) => {
      const bytes = [24, 16, 8, 0].map((shift) => (value >>> shift) & 0xff);
      const expected = judgeUrl(`https://${bytes.join('.')}/`, strict).allowed;
      const notations = [
        `https://${value}/`,
        `https://0x${value.toString(16)}/`,
        `https://0${value.toString(8)}/`,
        `https://${bytes.map((byte) => `0x${byte.toString(16)}`).join('.')}/`,
        `https://[::ffff:${bytes.join('.')}]/`,
      ];
      for (const notation of notations)
        expect([notation, judgeUrl(notation, strict).allowed]).toEqual([notation, expected]);
    }),
    { numRuns: 500 },
  );
});

test('a verdict is remembered for its rules alone, and a long text is judged each time', () => {
  const admitting: UrlPolicy = { allowHttp: true, allowedCidrs: ['10.0.0.0/8'] };
  const url = 'http://10.0.0.1/hook';
  for (let time = 0; time < 2; time += 1) {
    expect(judgeUrl(url, strict).allowed).toBe(false);
    expect(judgeUrl(url, admitting).allowed).toBe(true);
    expect(addressDenial('10.0.0.1', admitting.allowedCidrs)).toBeNull();
    expect(addressDenial('10.0.0.1', strict.allowedCidrs)).not.toBeNull();
  }
  expect(judgeUrl(url, admitting)).toBe(judgeUrl(url, admitting));
  const long = `https://example.com/${'a'.repeat(300)}`;
  expect(judgeUrl(long, strict)).not.toBe(judgeUrl(long, strict));
});
