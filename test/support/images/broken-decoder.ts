// Stands in for the decoder: the end of the file that it gets says how it fails. test/unit/image-decoder.test.ts runs it.
const file = await Bun.stdin.bytes();
const [, behaviour] = new TextDecoder().decode(file).split('behaviour:');
const write = (text: string) => Bun.write(Bun.stdout, text);

if (behaviour !== 'never starts') await write('ready\n');
switch (behaviour) {
  case 'crashes':
    process.kill(process.pid, 'SIGSEGV');
    break;
  case 'is killed':
    process.kill(process.pid, 'SIGKILL');
    break;
  case 'spins':
    for (;;);
  case 'waits':
    // Keeps the process alive.
    Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() });
    break;
  case 'takes all memory':
    for (const kept: Uint8Array[] = []; ; ) kept.push(new Uint8Array(16 * 1024 * 1024).fill(1));
  case 'writes without an end':
    for (;;) await write('x'.repeat(65_536));
  case 'writes too much and stays':
    process.on('SIGPIPE', () => {});
    Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() });
    await write('x'.repeat(64 * 1024 * 1024)).catch(() => {});
    break;
  case 'lies about the size':
    await write('{"width":10,"height":10,"byteLength":999}\nshort');
    break;
  case 'gives no image':
    await write('{"width":10,"height":10,"byteLength":8}\n<script>');
    break;
  case 'gives a huge image':
    await write('{"width":99999,"height":10,"byteLength":4}\n');
    await Bun.write(Bun.stdout, new Uint8Array([0xff, 0xd8, 0xff, 0xe0]));
    break;
  case 'speaks no JSON':
    await write('{"width":\n');
    break;
  case 'shows its variables':
    await write(`${JSON.stringify(process.env)}\n`);
    process.exit(Object.keys(process.env).some((name) => /SECRET|DATABASE|HOME/.test(name)) ? 0 : 3);
}
