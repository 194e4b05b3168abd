import { API_PREFIX, INTERNAL_PREFIX } from '../../shared/api-prefix.ts';
import { internalRatePolicies, ratePolicies } from '../../shared/rate-policies.ts';
import type { SchemaOptions } from '../json-schema.ts';
import type { DocumentationOptions } from '../options.ts';
import { internalIntroduction, introduction } from './introduction.ts';
import { securityScheme, serviceKeyScheme } from './security-scheme.ts';
import { webhookObjects } from './webhooks.ts';

/** Differences between the documents of the public and the internal API. */
export interface Surface {
  title: string;
  version: string;
  summary: string;
  introduction(options: DocumentationOptions): string;
  serverUrl(options: DocumentationOptions): string;
  prefix: string;
  /** Name of the security scheme, which operations refer to. */
  schemeName: string;
  scheme: object;
  /** The credential of a caller, in descriptions. */
  keyName: string;
  ratePolicies: readonly string[];
  /** Requests to subscribers; absent where there are none. */
  webhooks?(options: DocumentationOptions, schemas: SchemaOptions): Record<string, object>;
}

export const publicSurface: Surface = {
  title: 'Launchwire API',
  version: '2',
  summary: 'Token launches, market data, wallet-signed transactions and webhooks on Solana',
  introduction,
  serverUrl: ({ publicUrl }) => `${publicUrl}${API_PREFIX}`,
  prefix: API_PREFIX,
  schemeName: 'apiKey',
  scheme: securityScheme,
  keyName: 'API key',
  ratePolicies: Object.keys(ratePolicies),
  webhooks: webhookObjects,
};

export const internalSurface: Surface = {
  title: 'Launchwire internal API',
  version: '1',
  summary: "Operations for the platform's own backend",
  introduction: internalIntroduction,
  // Only the operator knows the server's address; the document is served there.
  serverUrl: () => INTERNAL_PREFIX,
  prefix: INTERNAL_PREFIX,
  schemeName: 'serviceKey',
  scheme: serviceKeyScheme,
  keyName: 'service key',
  ratePolicies: Object.keys(internalRatePolicies),
};
