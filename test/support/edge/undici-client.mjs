// Node runs this, because Bun replaces undici by code of its own. Sends the requests of stdin, and prints what it gets:
// see edge-clients.ts.
import { text } from 'node:stream/consumers';
import { Client, interceptors } from 'undici';

const { host, requests, pipelining } = JSON.parse(await text(process.stdin));
const client = new Client(`http://${host}`, { pipelining });
// A POST has an idempotency key, so it may be repeated where its connection was cut, too.
const retry = {
  methods: ['GET', 'HEAD', 'POST'],
  statusCodes: [],
  minTimeout: 1,
  maxTimeout: 10,
  maxRetries: 100,
};
const retrying = client.compose(interceptors.retry(retry));

async function send({ method, path, headers, body, until }) {
  const isRepeatable = { idempotent: true, blocking: false };
  const response = await retrying.request({ method, path, headers, body, ...(until ? {} : isRepeatable) });
  const chunks = [];
  try {
    for await (const chunk of response.body) {
      chunks.push(chunk);
      if (until && Buffer.concat(chunks).includes(until)) break;
    }
  } catch (error) {
    // To leave a body early ends its connection.
    if (!until) throw error;
  }
  const answer = Buffer.concat(chunks).toString('base64');
  return { status: response.statusCode, headers: response.headers, body: answer };
}

const answers = [];
if (pipelining > 1) answers.push(...(await Promise.all(requests.map(send))));
else for (const request of requests) answers.push(await send(request));
process.stdout.write(JSON.stringify(answers), () => process.exit());
