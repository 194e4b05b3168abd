/** Runs a process of the sandbox to its end: exits with 0 also when a signal stopped its start, with 1 at an error. */
export async function runToExit(main: () => Promise<void>): Promise<never> {
  try {
    await main();
    process.exit(0);
  } catch (error) {
    if (error === 'SIGTERM' || error === 'SIGINT') process.exit(0);
    console.error(error instanceof Error ? error.message : String(error));
    process.exit(1);
  }
}
