import { epochMs } from '../cases/subscribers.ts';

/** Longer than any intent of a round takes. */
const WAIT_SECONDS = 20;

/** Clients that wait for the results of intents at the API (`Prefer: wait`), one request each. */
export function watchResults(port: number, headers: Record<string, string>) {
  const stopped = new AbortController();
  const visible = new Map<number, number>();
  const watching: Promise<void>[] = [];
  async function watch(id: string, number: number): Promise<void> {
    const response = await fetch(`http://127.0.0.1:${port}/api/v2/transaction-intents/${id}`, {
      headers: { ...headers, prefer: `wait=${WAIT_SECONDS}`, 'if-none-match': '"2"' },
      signal: stopped.signal,
    });
    const { status } = (await response.json()) as { status: string };
    visible.set(number, epochMs());
    if (status !== 'confirmed') throw new Error(`an intent that was waited for is ${status}`);
  }
  return {
    add(id: string, number: number): void {
      const watched = watch(id, number);
      // It is reported by `finish`.
      watched.catch(() => {});
      watching.push(watched);
    },
    /** When each intent was seen to be confirmed, by its number. Throws when one was not. */
    async finish(): Promise<ReadonlyMap<number, number>> {
      await Promise.all(watching);
      return visible;
    },
    stop: () => stopped.abort(),
  };
}
