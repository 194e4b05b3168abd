import { formatCursor } from './cursor.ts';
import type { Place } from './following/place.ts';
import { StreamMessage } from './messages/stream-message.ts';
import type { StreamReader } from './readers/reader.ts';

/** A stream gets one heartbeat a second, in turns: ten thousand writes at once would delay a trade. */
const SLICES = 20;
const PERIOD_MS = 1_000;

interface Slice {
  readers: Set<StreamReader>;
  sequence: number;
}

/**
 * Sends every stream, once a second, the position to which the log was read (contract/streams#heartbeat).
 * Runs while there are streams.
 */
export class Heartbeats {
  readonly #place: () => Place | null;
  readonly #slices: readonly Slice[] = Array.from({ length: SLICES }, () => ({
    readers: new Set<StreamReader>(),
    sequence: 0,
  }));
  #count = 0;
  #turn = 0;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(place: () => Place | null) {
    this.#place = place;
  }

  add(reader: StreamReader): void {
    reader.slice = this.#smallestSlice();
    this.#slices[reader.slice]?.readers.add(reader);
    this.#count += 1;
    this.#timer ??= setInterval(() => this.#beat(), PERIOD_MS / SLICES);
  }

  remove(reader: StreamReader): void {
    if (this.#slices[reader.slice]?.readers.delete(reader) !== true) return;
    this.#count -= 1;
    if (this.#count > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /**
   * Sends a stream its first heartbeat once it has a position. A stream that had heartbeats earlier gets the
   * next one in its turn.
   */
  greet(reader: StreamReader): void {
    const place = this.#place();
    if (place === null || reader.hasBeat) return;
    reader.hasBeat = true;
    reader.offer(compose(place, place.entryId, this.#slices[reader.slice]?.sequence ?? 0));
  }

  #beat(): void {
    this.#turn = (this.#turn + 1) % SLICES;
    const slice = this.#slices[this.#turn];
    const place = this.#place();
    if (slice === undefined || place === null) return;
    slice.sequence += 1;
    const message = compose(place, place.entryId, slice.sequence);
    for (const reader of slice.readers) {
      if (reader.place === null) continue;
      reader.hasBeat = true;
      reader.offer(reader.isCatchingUp ? compose(place, reader.place, slice.sequence) : message);
      reader.flush();
    }
  }

  #smallestSlice(): number {
    let smallest = 0;
    this.#slices.forEach(({ readers }, at) => {
      if (readers.size < (this.#slices[smallest]?.readers.size ?? 0)) smallest = at;
    });
    return smallest;
  }
}

function compose({ epoch, provenThrough, readAt }: Place, id: bigint, sequence: number): StreamMessage {
  const cursor = formatCursor({ epoch, id });
  const text = JSON.stringify({
    event: 'heartbeat',
    id: cursor,
    sequence,
    provenThrough: provenThrough?.toISOString() ?? null,
    readAt: readAt.toISOString(),
  });
  return new StreamMessage({ event: 'heartbeat', text, cursor, stateKey: 'heartbeat' });
}
