/** A read of the api, passed on by the inbox. Null when it was refused or the api is away. */
export async function read(path) {
  const response = await fetch(`/api${path}`).catch(() => null);
  return response?.ok ? response.json() : null;
}

/** Asks for one more delivery of the same event. Returns what to show: the outcome in a few words. */
export async function replay(deliveryId) {
  const response = await fetch(`/api/webhook-deliveries/${encodeURIComponent(deliveryId)}/replays`, {
    method: 'POST',
    headers: { 'Idempotency-Key': crypto.randomUUID() },
  }).catch(() => null);
  if (response === null) return 'no connection';
  if (response.ok) return 'replayed';
  const problem = await response.json().catch(() => null);
  return problem?.detail ?? `refused (${response.status})`;
}
