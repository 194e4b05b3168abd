import { createSendTarget, type SendTarget, sendsInFlightMax } from './send-target.ts';

/** The part of the configuration that says where else transactions go. */
export interface SendOnlyConfig {
  /** `SOLANA_SEND_URL`. */
  solanaSendUrls: readonly string[];
  /** `SOLANA_SEND_HEADERS`, by host. */
  solanaSendHeaders: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/**
 * One target per URL of `SOLANA_SEND_URL`, in order.
 *
 * @param nodes how many nodes this process sends to besides.
 */
export function createSendOnlyTargets(
  { solanaSendUrls, solanaSendHeaders }: SendOnlyConfig,
  nodes: number,
): SendTarget[] {
  const inFlightMax = sendsInFlightMax(solanaSendUrls.length + nodes);
  return solanaSendUrls.map((url) => {
    const headers = solanaSendHeaders[new URL(url).host] ?? {};
    return createSendTarget(url, { headers, inFlightMax, isSendOnly: true });
  });
}
