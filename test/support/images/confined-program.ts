// What a defect of a codec could try once its process is confined. test/unit/image-decoder.test.ts runs it.
import { readFileSync, writeFileSync } from 'node:fs';
import { confine } from '../../../src/features/images/decoding/confine.ts';

const [, , port, file = ''] = process.argv;

async function succeeds(work: () => unknown): Promise<boolean> {
  try {
    await work();
    return true;
  } catch {
    return false;
  }
}

if (!confine()) throw new Error('this system confines no process');
const reached = {
  'reads the environment of its parent': await succeeds(() =>
    readFileSync(`/proc/${process.ppid}/environ`, 'utf8'),
  ),
  'reads a file': await succeeds(() => readFileSync('/etc/passwd')),
  'writes a file': await succeeds(() => writeFileSync(file, 'x')),
  'opens a connection': await succeeds(() => fetch(`http://127.0.0.1:${port}/`)),
  'starts a program': await succeeds(() => Bun.spawnSync(['/bin/true'])),
  'signals its parent': await succeeds(() => process.kill(process.ppid, 0)),
  calculates: await succeeds(() => new Bun.CryptoHasher('sha256').update(new Uint8Array(1e6)).digest()),
};
Bun.gc(true);
await Bun.write(Bun.stdout, JSON.stringify(reached));
