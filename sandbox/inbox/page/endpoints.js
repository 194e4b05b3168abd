import { read } from './api.js';

/** URLs of the endpoints by id; null for one that is gone or cannot be read. */
const urls = new Map();

/** Reads all endpoints, and returns their ids. */
export async function readEndpoints() {
  const page = await read('/webhook-endpoints');
  for (const { id, url } of page?.data ?? []) urls.set(id, url);
  return (page?.data ?? []).map(({ id }) => id);
}

/** The URL of an endpoint; null while it is read, and then `found` is called. */
export function endpointUrl(id, found) {
  if (urls.has(id)) return urls.get(id);
  urls.set(id, null);
  void read(`/webhook-endpoints/${encodeURIComponent(id)}`).then((endpoint) => {
    if (endpoint === null) return;
    urls.set(id, endpoint.url);
    found();
  });
  return null;
}

/** Subjects of events that never arrived here, by the id of the event. */
const subjects = new Map();

/** The subject of a delivery's event; null while it is read, and then `found` is called. */
export function subjectOf({ eventId, eventType, endpointId }, found) {
  if (eventType === 'build.service.webhook.ping.v1') return endpointId;
  if (subjects.has(eventId)) return subjects.get(eventId);
  subjects.set(eventId, null);
  void read(`/events/${encodeURIComponent(eventId)}`).then((event) => {
    if (typeof event?.subject !== 'string') return;
    subjects.set(eventId, event.subject);
    found();
  });
  return null;
}

/** An event that has arrived says itself what it is about. */
export function rememberSubject({ id, subject }) {
  if (subject !== null) subjects.set(id, subject);
}
