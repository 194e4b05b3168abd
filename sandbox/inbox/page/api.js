/**
 * Reads from the api through the inbox what is there now: the page shows beside it what a stream has told. Null when the
 * api refuses or is away.
 */
export async function read(path) {
  const response = await fetch(`/api${path}`, { cache: 'no-cache' }).catch(() => null);
  return response?.ok ? response.json() : null;
}

/**
 * A request whose refusal is shown: `{ body }`, or `{ problem, reason }` with the text for the reader and the reason for
 * programs. The same `key` again is the same change.
 */
export async function ask(path, { method = 'GET', body, type = 'application/json', key } = {}) {
  const headers = { ...(body && { 'Content-Type': type }), ...(key && { 'Idempotency-Key': key }) };
  const response = await fetch(path, { method, headers, body }).catch(() => null);
  if (response === null) return { problem: 'The sandbox does not respond.' };
  const parsed = await response.json().catch(() => null);
  if (response.ok) return { body: parsed };
  const { detail, errors = [], context = {} } = parsed ?? {};
  const text = detail ?? `The request was refused (${response.status}).`;
  const fields = errors.map((error) => `${error.path.replace('/body/', '')} ${error.message}.`);
  const missing = errors.length === 1 ? [] : fields;
  return { problem: [text, ...missing].join(' '), reason: context.reason };
}

/** Asks for one more delivery of an event whose deliveries have ended. Returns what to show: the outcome in a few words. */
export function replay(deliveryId) {
  return change(deliveryId, 'replays', 'replayed');
}

/** Asks for the next attempt of a `retrying` delivery now. Returns what to show. */
export function sendNow(deliveryId) {
  return change(deliveryId, 'retries', 'sent now');
}

async function change(deliveryId, action, done) {
  const response = await fetch(`/api/webhook-deliveries/${encodeURIComponent(deliveryId)}/${action}`, {
    method: 'POST',
    headers: { 'Idempotency-Key': crypto.randomUUID() },
  }).catch(() => null);
  if (response === null) return 'no connection';
  if (response.ok) return done;
  const problem = await response.json().catch(() => null);
  return problem?.detail ?? `refused (${response.status})`;
}
