import { expect, test } from 'bun:test';
import { preferredWaitSeconds } from '../../src/http/waits/wait-preference.ts';
import { unpublishedLimits } from '../../src/shared/contract-limits.ts';

const { waitSeconds } = unpublishedLimits;

test.each([
  ['wait=10', 10],
  ['wait=1', 1],
  [`wait=${waitSeconds}`, waitSeconds],
  [`wait=${waitSeconds + 1}`, waitSeconds],
  ['wait=999999999', waitSeconds],
  ['WAIT = 7', 7],
  ['wait="8"', 8],
  ['respond-async, wait=10', 10],
  ['wait=10; x=1', 10],
  ['note="a, wait=3", wait=4', 4],
  ['note="a\\", wait=3", wait=4', 4],
  ['wait=5, wait=9', 5],
  ['@@@, wait=6', 6],
])('%s is a wait of %d seconds', (header, seconds) => {
  expect(preferredWaitSeconds(header)).toBe(seconds);
});

test.each([
  null,
  '',
  'wait',
  'wait=',
  'wait=0',
  'wait=-1',
  'wait=1.5',
  'wait=ten',
  'wait=1e3',
  'wait=9999999999',
  'waiting=5',
  'wait="5',
  'wait=x, wait=5',
  'return=minimal; wait=5',
])('%s is no wait', (header) => {
  expect(preferredWaitSeconds(header)).toBeNull();
});
