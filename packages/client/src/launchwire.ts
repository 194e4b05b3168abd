// The exports of 'launchwire'.
export {
  type ClientOptions,
  createClient,
  type FullAnswer,
  type Launchwire,
} from './client.ts';
export {
  ConnectionError,
  type ErrorCode,
  IntentError,
  isLaunchwireError,
  isProblemOf,
  LaunchwireError,
  ProblemError,
  UnexpectedResponseError,
} from './errors.ts';
export type {
  ClaimOptions,
  CreatorTransferOptions,
  Flows,
  LaunchOptions,
  SwapOptions,
  SwapStep,
} from './flows.ts';
export type { Operations } from './methods.ts';
export type {
  Arguments,
  IntentResultCode,
  Item,
  OperationName,
  Page,
  PagedOperationName,
  ProblemCode,
  ProblemCodeOf,
  Result,
  Schemas,
  Upload,
} from './operations.ts';
export type { OrderFlows, OrderOptions, SlotOptions, WithdrawalOptions } from './order-flows.ts';
export type { SubmitOptions } from './prepared-transactions.ts';
export type { CallOptions } from './request.ts';
export { type KitSigner, kitSigner } from './signers/kit.ts';
export { secretKeySigner } from './signers/secret-key.ts';
export type { TransactionSigner } from './signers/signer.ts';
export { type AdapterWallet, type TransactionClass, walletAdapterSigner } from './signers/wallet-adapter.ts';
export type {
  GapMessage,
  HeartbeatMessage,
  ReadyMessage,
  RefusedMessage,
  StreamCandle,
  StreamData,
  StreamMessage,
  StreamSignal,
} from './stream/messages.ts';
export type { SocketLike } from './stream/socket-connection.ts';
export type { StreamOptions, StreamParameters } from './stream/stream.ts';
export type { TopicStream, TopicStreamMessage, TopicStreamParameters } from './stream/topic-stream.ts';
export { type StreamTopic, type TradesFilter, tradesTopic } from './stream/topics.ts';
export type { WaitOptions } from './waits/wait-for.ts';
