import type { Channel } from '../channel.ts';
import { FilterIndex, type TradeFacts } from './filter-index.ts';
import type { StreamMessage } from './stream-message.ts';

/** What somebody listens to. */
export interface Interest {
  wants(channel: Channel): boolean;
  /** The wanted channels of filters that a trade passes. */
  filtered(trade: TradeFacts | null): readonly Channel[];
}

/** The channels of one or more streams. */
export class ChannelSet implements Interest {
  readonly #channels: ReadonlySet<Channel>;
  readonly #filters = new FilterIndex();

  constructor(channels: Iterable<Channel>) {
    this.#channels = new Set(channels);
    for (const channel of this.#channels) this.#filters.add(channel);
  }

  readonly wants = (channel: Channel): boolean => this.#channels.has(channel);

  readonly filtered = (trade: TradeFacts | null): readonly Channel[] => this.#filters.match(trade);

  takes({ channels, trade }: StreamMessage): boolean {
    return channels.some(this.wants) || this.filtered(trade).length > 0;
  }
}
