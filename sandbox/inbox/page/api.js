/** Reads from the api through the inbox. Null when the api refuses or is away. */
export async function read(path) {
  const response = await fetch(`/api${path}`).catch(() => null);
  return response?.ok ? response.json() : null;
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
