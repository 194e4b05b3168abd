/**
 * A new UUIDv7 with the time of the process clock. Ids are compared with times and order lists, also those of
 * other processes: `Bun.randomUUIDv7` alone would take the machine's clock instead (decision 0046).
 */
export function timedId(now: Date): string {
  return Bun.randomUUIDv7('hex', now.getTime());
}
