import type { Database } from '../../src/db/client.ts';
import type { StoredEvent } from '../model/event.ts';

/** A body has at most 64 KiB. */
const CACHED_BODIES_MAX = 256;

/**
 * The stored bytes of events, by id. A public event goes to thousands of endpoints in a row, so the events that were
 * used last are cached. Their bytes never change.
 */
export class EventBodies {
  readonly #sql: Database;
  readonly #cached = new Map<string, StoredEvent>();

  constructor(sql: Database) {
    this.#sql = sql;
  }

  /** Reads events by their ids. A missing event was lost, because events are never deleted before their deliveries. */
  async read(ids: readonly string[]): Promise<Map<string, StoredEvent>> {
    const found = new Map<string, StoredEvent>();
    for (const id of ids) {
      const event = this.#cached.get(id);
      if (event !== undefined) found.set(id, event);
    }
    const missing = [...new Set(ids)].filter((id) => !found.has(id));
    if (missing.length > 0) {
      const rows = await this.#sql<{ id: string; body: string; traceparent: string | null }[]>`
        select id, body, traceparent from events where id = any(${missing}::uuid[])`;
      for (const { id, body, traceparent } of rows) found.set(id, { body: Buffer.from(body), traceparent });
    }
    for (const [id, event] of found) this.cache(id, event);
    return found;
  }

  /** Caches an event that was read elsewhere. */
  cache(id: string, event: StoredEvent): void {
    this.#cached.delete(id);
    this.#cached.set(id, event);
    const [oldest] = this.#cached.keys();
    if (this.#cached.size > CACHED_BODIES_MAX && oldest !== undefined) this.#cached.delete(oldest);
  }
}
