/** Returns the lowest UUIDv7 of a millisecond (RFC 9562 section 5.7): ids made later are not lower. */
export function firstUuidOf(unixMs: number): string {
  const hex = Math.max(0, Math.floor(unixMs)).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

/** The time in a UUIDv7 (RFC 9562 section 5.7). */
export function uuidTime(id: string): Date {
  return new Date(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16));
}
