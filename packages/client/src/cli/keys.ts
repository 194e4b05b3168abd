/** Calls back at single key presses of a terminal, and at Ctrl-C, which a terminal in this mode does not turn into a signal. */
export function onKeys(actions: Readonly<Record<string, () => void>>): () => void {
  const { stdin } = process;
  if (!stdin.isTTY) return () => {};
  const onData = (bytes: Buffer) => {
    for (const key of bytes.toString('utf8')) {
      if (key === '\u0003') process.kill(process.pid, 'SIGINT');
      actions[key]?.();
    }
  };
  stdin.setRawMode(true);
  stdin.on('data', onData);
  stdin.resume();
  return () => {
    stdin.off('data', onData);
    stdin.setRawMode(false);
    stdin.pause();
  };
}
