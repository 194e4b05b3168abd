import type { Channel } from '../channel.ts';
import { channelsOf } from '../channels.ts';
import { FilterIndex, type TradeFacts } from '../messages/filter-index.ts';
import type { Interest } from '../messages/interest.ts';
import type { StreamMessage } from '../messages/stream-message.ts';
import type { StreamReader } from '../readers/reader.ts';
import type { Topic } from '../topics.ts';

/** The readers of each channel. */
export class Listeners implements Interest {
  readonly #readers = new Map<Channel, Set<StreamReader>>();
  readonly #filters = new FilterIndex();

  readonly wants = (channel: Channel): boolean => this.#readers.has(channel);

  readonly filtered = (trade: TradeFacts | null): readonly Channel[] => this.#filters.match(trade);

  /** The reader gets the messages of these channels, from the next page on. */
  listen(reader: StreamReader, channels: readonly Channel[]): void {
    for (const channel of channels) {
      reader.channels.add(channel);
      const readers = this.#readers.get(channel);
      if (readers === undefined) {
        this.#readers.set(channel, new Set([reader]));
        this.#filters.add(channel);
      } else readers.add(reader);
    }
  }

  /** Ends topics of a reader. */
  drop(reader: StreamReader, topics: readonly Topic[]): void {
    for (const topic of topics) {
      reader.topics.delete(topic.text);
      for (const channel of channelsOf(topic, reader.owner)) this.#remove(reader, channel);
    }
  }

  /** Removes a reader. Records of channels without readers are not read. */
  leave(reader: StreamReader): void {
    this.pause(reader);
    reader.topics.clear();
  }

  /** Sends a reader nothing until it listens again; its topics stay. */
  pause(reader: StreamReader): void {
    for (const channel of [...reader.channels]) this.#remove(reader, channel);
  }

  #remove(reader: StreamReader, channel: Channel): void {
    reader.channels.delete(channel);
    const readers = this.#readers.get(channel);
    readers?.delete(reader);
    if (readers?.size !== 0) return;
    this.#readers.delete(channel);
    this.#filters.remove(channel);
  }

  /** Sends messages to their readers, in order, with one write per connection. */
  send(messages: readonly StreamMessage[]): void {
    const offered: StreamReader[] = [];
    for (const message of messages) {
      for (const channel of [...message.channels, ...this.filtered(message.trade)]) {
        for (const reader of this.#readers.get(channel) ?? [])
          if (reader.offer(message)) offered.push(reader);
      }
    }
    for (const reader of offered) reader.flush();
  }
}
