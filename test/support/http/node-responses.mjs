// Node runs this, because its parser is the reference. It reads one base64 response a line, sends its bytes
// one by one to `node:http`, ends the connection, and writes the result as one line of JSON.
import { request } from 'node:http';
import { createInterface } from 'node:readline';
import { Duplex } from 'node:stream';

class Connection extends Duplex {
  _read() {}

  _write(_chunk, _encoding, done) {
    done();
  }

  setTimeout() {
    return this;
  }

  setNoDelay() {
    return this;
  }

  setKeepAlive() {
    return this;
  }
}

function take(bytes) {
  return new Promise((resolve) => {
    const connection = new Connection();
    const fail = (error) => resolve({ error: error.code ?? error.message });
    const headers = { connection: 'keep-alive', 'content-length': '0' };
    const sent = request({ method: 'POST', headers, createConnection: () => connection });
    sent.on('error', fail);
    sent.on('upgrade', () => fail(new Error('upgrade')));
    sent.on('response', (response) => {
      const body = [];
      response.on('data', (piece) => body.push(piece));
      response.on('error', fail);
      response.on('end', () => {
        const { location = null, 'retry-after': retryAfter = null } = response.headers;
        resolve({
          status: response.statusCode,
          location,
          retryAfter,
          body: Buffer.concat(body).toString('latin1'),
          isKept: sent.shouldKeepAlive,
        });
      });
    });
    sent.end();
    for (const byte of bytes) connection.push(Buffer.of(byte));
    connection.push(null);
  });
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(await take(Buffer.from(line, 'base64')))}\n`);
}
