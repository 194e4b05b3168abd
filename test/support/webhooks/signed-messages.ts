import fc from 'fast-check';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';

/** What a receiver got, as text: genuine, forged, or nearly either. */
export interface SignedMessage {
  headers: Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>;
  body: string;
}

/** Makes a signature such as `v1,…` over a message. */
export type SignMessage = (id: string, timestampSeconds: number, body: string) => string;

/** Signs as the library of Standard Webhooks does. */
export function signWith(secret: string): SignMessage {
  const webhook = new StandardWebhook(secret);
  return (id, timestampSeconds, body) => webhook.sign(id, new Date(timestampSeconds * 1000), body);
}

export interface MessageOptions {
  /** The first ones are known to the receiver, or their public halves are. */
  signers: readonly SignMessage[];
  /** How old a message may be, in seconds, negative for the future. */
  ages: readonly number[];
  /** Only what can be sent as a field of HTTP. */
  isForHttp: boolean;
}

/** Forms of a genuine signature, most of which are none. */
const mangled: readonly ((signature: string) => string)[] = [
  (signature) => signature.replace(/^\w+/, 'v1'),
  (signature) => signature.replace(/^\w+/, 'v1a'),
  (signature) => signature.replace(/^\w+/, 'v2'),
  (signature) => signature.replace(/^\w+/, 'V1'),
  (signature) => signature.replace(/^\w+/, 'v01'),
  (signature) => signature.replace(/^\w+/, ''),
  (signature) => signature.replace(/^\w+,/, ''),
  (signature) => signature.replace(',', '='),
  (signature) => signature.replace(',', ',,'),
  (signature) => `${signature},x`,
  (signature) => `${signature}=`,
  (signature) => signature.replace(/=+$/, ''),
  (signature) => signature.slice(0, -4),
  (signature) => signature.toLowerCase(),
  (signature) => signature.replaceAll('+', '-').replaceAll('/', '_'),
  (signature) => signature.replace(/.(?==+$|$)/, (last) => (last === 'A' ? 'B' : 'A')),
  // Other bits behind those of the signature, which lenient decoders drop.
  (signature) => signature.replace(/.(?==+$|$)/, (last) => String.fromCharCode(last.charCodeAt(0) + 1)),
  (signature) => `"${signature}"`,
  (signature) => signature.replace(/,.*/, ','),
  (signature) => signature.replace(/,.*/, ''),
  (signature) => signature.replace(/,.*/, ',AAAA'),
];

/** Texts of a time that is signed as a number. */
const timestampTexts: readonly ((seconds: number) => string)[] = [
  (seconds) => `0${seconds}`,
  (seconds) => `+${seconds}`,
  (seconds) => `-${seconds}`,
  (seconds) => `${seconds}.0`,
  (seconds) => `${seconds}.5`,
  (seconds) => `${seconds}000`,
  (seconds) => `${seconds}s`,
  (seconds) => `0x${seconds.toString(16)}`,
  (seconds) => seconds.toExponential(),
  () => '',
  () => 'now',
  () => '9'.repeat(400),
];

const visible = fc.stringMatching(/^[!-~]{1,30}$/);
const anyText = fc.string({ unit: 'binary', maxLength: 30 });

/** Messages to a receiver at a time; a third of them are genuine. */
export function signedMessages(
  { signers, ages, isForHttp }: MessageOptions,
  nowSeconds: () => number,
): fc.Arbitrary<SignedMessage> {
  const part = fc.record({
    signer: fc.constantFrom(...signers),
    mangle: fc.option(fc.constantFrom(...mangled), { freq: 2 }),
    altered: fc.constantFrom('nothing', 'nothing', 'nothing', 'id', 'time', 'body'),
  });
  return fc
    .record({
      id: fc.oneof(visible, isForHttp ? visible : anyText),
      age: fc.constantFrom(...ages),
      timestampText: fc.oneof(
        { weight: 9, arbitrary: fc.constant(String) },
        fc.constantFrom(...timestampTexts),
      ),
      data: anyText,
      parts: fc.oneof(
        { weight: 9, arbitrary: fc.array(part, { minLength: 1, maxLength: 4 }) },
        fc.array(part, { maxLength: 0 }),
      ),
      separator: fc.constantFrom(' ', ' ', ' ', '  ', '\t', ', ', isForHttp ? ' ' : '\n'),
      edge: fc.constantFrom('', '', '', isForHttp ? '' : ' '),
    })
    .map(({ id, age, timestampText, data, parts, separator, edge }) => {
      const seconds = nowSeconds() - age;
      const body = JSON.stringify({ id, type: 'build.service.webhook.ping.v1', data });
      const signatures = parts.map(({ signer, mangle, altered }) => {
        const signature = signer(
          altered === 'id' ? `${id}x` : id,
          altered === 'time' ? seconds + 1 : seconds,
          altered === 'body' ? `${body} ` : body,
        );
        return mangle === null ? signature : mangle(signature);
      });
      return {
        headers: {
          'webhook-id': id,
          'webhook-timestamp': timestampText(seconds),
          'webhook-signature': `${edge}${signatures.join(separator)}${edge}`,
        },
        body,
      };
    });
}

/** The verdict of a library: undefined for a genuine message, otherwise why it is none. */
export type Refusal = string | undefined;

/** The verdicts of standardwebhooks and of svix, for a receiver that knows some secrets. */
export function libraryRefusals({ headers, body }: SignedMessage, secrets: readonly string[]): Refusal[] {
  const verifiers = [
    (secret: string) => void new StandardWebhook(secret).verify(body, headers, { jsonParse: false }),
    (secret: string) => new SvixWebhook(secret).verify(body, headers),
  ];
  return verifiers.map((verify) => {
    const refusals = secrets.map((secret) => {
      try {
        verify(secret);
        return undefined;
      } catch (error) {
        return (error as Error).message;
      }
    });
    return refusals.includes(undefined) ? undefined : refusals[0];
  });
}

/** The libraries ignore what follows a second comma. */
export const hasLongPart = (signatures: string) =>
  signatures.split(' ').some((part) => part.split(',').length > 2);

/** The libraries read a number at the beginning of the timestamp, and sign that number. */
export const isPlainTimestamp = (text: string) => /^[1-9]\d{0,11}$/.test(text);
