/**
 * A new UUIDv7 of this moment, by the clock of the process. Ids are compared with times, and order lists, also with those of
 * other processes: the machine's clock, which `Bun.randomUUIDv7` takes by itself, must not decide that (decision 0046).
 */
export function timedId(now: Date): string {
  return Bun.randomUUIDv7('hex', now.getTime());
}
