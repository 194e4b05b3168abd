/** A pool's account after a slot in which it changed. */
export interface AccountChange {
  poolAddress: string;
  slot: bigint;
  data: Uint8Array;
}

/** Receives the reports of one connection. */
export interface StreamListener {
  /** Called first, so that changes of other launchpads' pools cost only a look-up. */
  isKnown(poolAddress: string): boolean;
  onChange(change: AccountChange): void;
  /** The node has entered a slot. This shows that the connection is alive. */
  onSlot(slot: bigint): void;
}

/** A source of wake-ups: one node over one protocol. */
export interface WakeUpStream {
  readonly source: 'websocket' | 'geyser';
  /** Host and port, for logs and metrics. The rest of the URL may hold a credential. */
  readonly node: string;
  /**
   * Opens one connection. Resolves when the signal aborts, rejects when the connection ends otherwise. No
   * state is kept between two connections.
   */
  connect(listener: StreamListener, signal: AbortSignal): Promise<void>;
}

/**
 * The hash by which two states of an account are compared. Traders choose some of the bytes, so the hash must
 * be hard to collide.
 */
export function hashAccount(data: Uint8Array): string {
  return new Bun.CryptoHasher('sha256').update(data).digest('base64');
}
