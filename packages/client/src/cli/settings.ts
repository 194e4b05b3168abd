import { UsageError } from './kit/command.ts';

/** Settings from the environment. */
export interface Settings {
  url: string | undefined;
  apiKey: string | undefined;
  webhookSecret: string | undefined;
}

/** The only place that reads the environment. */
export function settingsOf(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Settings {
  return {
    url: environment.LAUNCHWIRE_URL || undefined,
    apiKey: environment.LAUNCHWIRE_API_KEY || undefined,
    webhookSecret: environment.LAUNCHWIRE_WEBHOOK_SECRET || undefined,
  };
}

/** The address of the deployment: `--url`, else `LAUNCHWIRE_URL`. */
export function addressOf(option: string | undefined, { url }: Settings): string {
  const address = option ?? url;
  if (address === undefined)
    throw new UsageError('set LAUNCHWIRE_URL, or give --url: the address of the deployment');
  if (!/^https?:\/\/[^\s/]/.test(address) || !URL.canParse(address)) {
    throw new UsageError(`"${address}" is not an address: it begins with https:// or http://`);
  }
  return address;
}
