import type { Database } from '../src/db/client.ts';

/** Of at most 64 KiB each. */
const KEPT_BODIES_MAX = 256;

/**
 * Stored bytes of events, by id. A public event goes to thousands of endpoints in a row, so the last used ones
 * are kept; bodies never change.
 */
export class EventBodies {
  readonly #sql: Database;
  readonly #kept = new Map<string, Uint8Array>();

  constructor(sql: Database) {
    this.#sql = sql;
  }

  /** The bodies of all the ids. Throws when an event is missing: a foreign key makes that impossible. */
  async read(ids: readonly string[]): Promise<Map<string, Uint8Array>> {
    const found = new Map<string, Uint8Array>();
    for (const id of ids) {
      const body = this.#kept.get(id);
      if (body !== undefined) found.set(id, body);
    }
    const missing = [...new Set(ids)].filter((id) => !found.has(id));
    if (missing.length > 0) {
      const rows = await this.#sql<{ id: string; body: string }[]>`
        select id, body from events where id = any(${missing}::uuid[])`;
      for (const { id, body } of rows) found.set(id, Buffer.from(body));
    }
    if (!ids.every((id) => found.has(id))) throw new Error('an event without a body');
    for (const [id, body] of found) this.#keep(id, body);
    return found;
  }

  #keep(id: string, body: Uint8Array): void {
    this.#kept.delete(id);
    this.#kept.set(id, body);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > KEPT_BODIES_MAX && oldest !== undefined) this.#kept.delete(oldest);
  }
}
