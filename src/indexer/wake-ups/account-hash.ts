/** What two sights of an account are compared by. Whoever trades chooses some of its bytes, so no hash that is easy to collide. */
export function hashAccount(data: Uint8Array): string {
  return new Bun.CryptoHasher('sha256').update(data).digest('base64');
}
