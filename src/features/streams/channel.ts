/**
 * A channel: messages are sent to it, streams listen to it. It is a topic, for private topics together with
 * the account. One message may go to several channels.
 */
export type Channel = string;
