/** A pool's account as it was after a slot in which it changed. */
export interface AccountChange {
  poolAddress: string;
  slot: bigint;
  data: Uint8Array;
}

/** Hears what one connection says. */
export interface StreamListener {
  /** Asked first, so that the changes of other launchpads' pools cost a look-up. */
  isKnown(poolAddress: string): boolean;
  onChange(change: AccountChange): void;
  /** The node has entered a slot: the sign of life of a connection. */
  onSlot(slot: bigint): void;
}

/** Where wake-ups come from: one node, over one protocol. */
export interface WakeUpStream {
  readonly source: 'websocket' | 'geyser';
  /** Host and port, for logs and metrics: the rest of the URL may hold a credential. */
  readonly node: string;
  /** One connection: resolves when the signal aborts, rejects when the connection ends otherwise. Nothing is kept between two of them. */
  connect(listener: StreamListener, signal: AbortSignal): Promise<void>;
}

/** What two sights of an account are compared by. Whoever trades chooses some of its bytes, so no hash that is easy to collide. */
export function hashAccount(data: Uint8Array): string {
  return new Bun.CryptoHasher('sha256').update(data).digest('base64');
}
