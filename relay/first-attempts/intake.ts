import type { Audience } from '../model/event.ts';
import type { HeldEvent } from './held-event.ts';

/** Events that wait for room in the lanes, and the loops that wait to take more events. */
export class Intake {
  readonly #lanesHaveRoom: (audience: Audience) => boolean;
  readonly #unplaced: HeldEvent[] = [];
  #waiting: (() => void)[] = [];
  #isOpen = false;

  /** @param lanesHaveRoom whether first attempts of the audience may be queued */
  constructor(lanesHaveRoom: (audience: Audience) => boolean) {
    this.#lanesHaveRoom = lanesHaveRoom;
  }

  /** Whether a loop waits for room. */
  get isAwaited(): boolean {
    return this.#waiting.length > 0;
  }

  add(events: readonly HeldEvent[]): void {
    this.#unplaced.push(...events);
  }

  /** Resolves when more events of the audience may be taken. */
  async room(audience: Audience): Promise<void> {
    while (!this.#isOpen && !this.#hasRoom(audience)) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  /** Takes the events for which there is room, one after the other: each may use up the room for the next. */
  *admitted(): Generator<HeldEvent, void> {
    for (let at = 0; at < this.#unplaced.length; ) {
      const event = this.#unplaced[at];
      if (event === undefined) break;
      if (this.#isOpen || this.#lanesHaveRoom(audienceOf(event))) {
        this.#unplaced.splice(at, 1);
        yield event;
      } else at += 1;
    }
    if (this.isAwaited && (this.#hasRoom('public') || this.#hasRoom('account'))) this.#wakeAll();
  }

  /** Makes room for everything from now on. */
  open(): void {
    this.#isOpen = true;
    this.#wakeAll();
  }

  #hasRoom(audience: Audience): boolean {
    return !this.#unplaced.some((event) => audienceOf(event) === audience) && this.#lanesHaveRoom(audience);
  }

  #wakeAll(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

function audienceOf({ leased }: HeldEvent): Audience {
  return leased.accountId === null ? 'public' : 'account';
}
