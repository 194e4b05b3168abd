/** The response of an operation, without the parts that differ from request to request. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;
/** Headers that differ in every response. */
const OF_THE_REQUEST = new Set([
  'content-length',
  'date',
  'traceparent',
  'x-duration-ms',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'x-request-id',
]);

/** @param placed the value that the request named, which the response may repeat */
export async function readAnswer(response: Response, placed?: string): Promise<Answer> {
  const plain = (text: string) =>
    text
      .replaceAll(placed ?? '\0', '<placed>')
      .replace(UUID, '<id>')
      .replace(/req_[0-9a-f]{32}/g, '<request>')
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
      .replace(/whsec_[A-Za-z0-9+/=]+/g, '<secret>')
      .replace(/"signingKeyIds":\["[\w-]+"\]/g, '"signingKeyIds":<keys>')
      .replace(/expires=\d+&signature=[\w-]+/g, '<link>')
      .replace(/"nextCursor":"[\w-]+"/g, '"nextCursor":"<cursor>"');
  const headers = [...response.headers].filter(([name]) => !OF_THE_REQUEST.has(name));
  return {
    status: response.status,
    headers: Object.fromEntries(headers.map(([name, value]) => [name, plain(value)])),
    body: plain(await response.clone().text()),
  };
}
