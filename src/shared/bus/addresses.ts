/**
 * Splits comma-separated addresses. A comma splits only before a scheme, so that a password may contain one.
 */
export function splitAddresses(text: string): string[] {
  return text.split(/,(?=\s*[a-z]+:\/\/)/i).map((address) => address.trim());
}
