import { expect, test } from 'bun:test';
import { createClient } from 'launchwire';

const intent = (version: number, facts: Record<string, unknown>) =>
  Response.json({ id: 'intent', status: 'confirmed', version, ...facts });

/** A client whose requests are answered one after the other, with the versions that they named. */
function clientOf(...answers: Response[]) {
  const named: (string | null)[] = [];
  const respond = async (_input: string, { headers }: RequestInit) => {
    const sent = new Headers(headers);
    expect(sent.get('Prefer')).toBe('wait=20');
    named.push(sent.get('If-None-Match'));
    return answers[named.length - 1] ?? expect.unreachable();
  };
  const client = createClient({ baseUrl: 'http://api.test', maxRetries: 0, fetch: respond as never });
  return { named, wait: () => client.waitForLanding('intent') };
}

const landed = { slot: '7', inputRaw: '5', outputRaw: '6' };

test('a landing is returned once its facts are known, and no change in between is missed', async () => {
  const { named, wait } = clientOf(
    intent(3, { finality: 'confirmed', landed: null }),
    intent(4, { finality: 'confirmed', landed }),
  );
  expect(await wait()).toMatchObject({ version: 4, landed });
  expect(named).toEqual([null, '"3"']);
});

test('an intent that did not land, was dropped by a fork, or comes from a service without landings ends the wait', async () => {
  for (const facts of [
    { status: 'expired', finality: null, landed: null },
    { finality: 'reverted', landed: null },
    {},
  ]) {
    const { named, wait } = clientOf(intent(3, facts));
    expect(await wait()).toMatchObject({ version: 3, ...facts });
    expect(named).toHaveLength(1);
  }
});
