import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { ingestKinds } from '../../src/shared/bus/topology.ts';
import { publishedLimits, unpublishedLimits } from '../../src/shared/contract-limits.ts';
import { eventCatalogue } from '../../src/shared/events/catalogue.ts';
import { scopes } from '../../src/shared/scopes.ts';
import { attemptReasons } from '../../src/shared/webhooks/attempt-reasons.ts';
import { urlDenialReasons } from '../../src/shared/webhooks/url-policy.ts';

const page = (name: string) =>
  readFileSync(new URL(`../../docs/contract/${name}.md`, import.meta.url), 'utf8');

/** The text between an anchor and the next heading. */
function sectionAt(text: string, anchor: string): string {
  const [, section] = text.split(`<a id="${anchor}"></a>`);
  if (section === undefined) throw new Error(`no anchor ${anchor}`);
  return section.split('\n## ')[0] ?? '';
}

test('every limit of contract/limits#numbers is the one that is enforced', () => {
  const { pollingRetryAfterSeconds: polling, ...limits } = publishedLimits;
  const number = (value: number) => value.toLocaleString('en-US');
  const rows = sectionAt(page('limits').split('<a id="further-numbers">')[0] ?? '', 'numbers').matchAll(
    /^\| (?!Limit)(.+?) \| (.+?) \|$/gm,
  );
  expect(Object.fromEntries([...rows].map(([, limit, value]) => [limit, value]))).toEqual({
    'request body': `${number(limits.requestBodyBytes)} bytes`,
    '`Idempotency-Key`': `${limits.idempotencyKeyLengthMin} to ${limits.idempotencyKeyLengthMax} characters`,
    'field errors in a response': `${limits.fieldErrors}`,
    'page `limit`': `1 to ${limits.pageLimitMax}, default ${limits.pageLimitDefault}`,
    cursor: `${limits.cursorLengthMin} to ${limits.cursorLengthMax} characters`,
    'candles in a response': number(limits.candlePoints),
    'wallet holdings': `${limits.walletHoldings}, not paginated`,
    'webhook endpoints of an account': `${limits.webhookEndpointsPerAccount}`,
    'replays of a delivery': `${limits.webhookReplaysPerDelivery}`,
    'deadline of a webhook attempt': `${limits.webhookDeadlineSeconds} seconds`,
    'redirects of a webhook attempt': `${limits.webhookRedirects}`,
    'digits of a predicted price': `${limits.predictionPriceIntegerDigits} before and ${limits.predictionPriceFractionDigits} after the point`,
    'polling hint': `${polling} seconds for operations and submitted intents, ${unpublishedLimits.idempotencyInProgressRetryAfterSeconds} second for an idempotent request in progress`,
    event: `${unpublishedLimits.eventBytes / 1024} KiB`,
    'staking leaderboard': `${unpublishedLimits.stakingLeaderboard}`,
    'prediction standings': `${unpublishedLimits.predictionStandings} on a page`,
    'launches of an account that have not ended': `${unpublishedLimits.openLaunchesPerAccount}`,
  });
});

test('the scopes are those of contract/authentication#scopes', () => {
  const named = sectionAt(page('authentication'), 'scopes').matchAll(/`([a-z]+:[a-z]+)`/g);
  expect([...named].map(([, scope]) => scope)).toEqual([...scopes]);
});

test('the event types are those of contract/events#catalogue, each with its audience and subject', () => {
  const rows = sectionAt(page('events'), 'catalogue').matchAll(/^\| (`.+?`) \| (\w+)[^|]*\| ([^|]+) \|/gm);
  const listed = [...rows].flatMap(([, names = '', audience, subject]) => {
    const [first = '', ...others] = names.replaceAll('`', '').split(', ');
    const group = first.slice(0, first.indexOf('.'));
    const full = [first, ...others.map((name) => (name.startsWith('.') ? group + name : name))];
    return full.map((name) => [name, { audience, subject }]);
  });
  expect(Object.fromEntries(listed)).toEqual(eventCatalogue);
});

test('the kinds of facts are those of contract/ingest#kinds, in the order of their application', () => {
  const text = page('ingest').split('<a id="kinds"></a>')[1]?.split('\n\n')[0] ?? '';
  expect([...text.matchAll(/`(\w+)`/g)].map(([, kind]) => kind)).toEqual([...ingestKinds]);
});

test('the reasons of failed attempts are those of contract/delivery#reasons', () => {
  const rows = sectionAt(page('delivery'), 'reasons').matchAll(/^\| `(\w+)` \| (.+) \|$/gm);
  const listed: Record<string, readonly (string | undefined)[]> = Object.fromEntries(
    [...rows].map(([, code = '', text = '']) => [
      code,
      [...text.matchAll(/`(\w+)`/g)].map(([, reason]) => reason),
    ]),
  );
  const { url_disallowed: ofUrls, ...others } = attemptReasons;
  const added = ofUrls.filter((reason) => !(urlDenialReasons as readonly string[]).includes(reason));
  expect(listed).toEqual({ ...others, url_disallowed: ['webhook_url_disallowed', ...added] });
});
