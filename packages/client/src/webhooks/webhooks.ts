// The exports of 'launchwire/webhooks'.
export { type EventData, type EventType, isEventOfType, type WebhookEvent } from './events.ts';
export { type PublicKeySource, remotePublicKeys } from './public-keys.ts';
export { signWebhook } from './sign.ts';
export {
  type HeadersLike,
  type ReceivedWebhook,
  type VerificationFailure,
  type VerifierOptions,
  WebhookVerificationError,
  type WebhookVerifier,
  webhookVerifier,
} from './verifier.ts';
