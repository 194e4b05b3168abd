import { type FilterWarning, filterWarnings } from './filter-matches.ts';

/** Responses that pause an endpoint when they carry `Retry-After` (contract/delivery#retry-after). */
export const pauseReasons = ['http_429', 'http_503'] as const;

export type PauseReason = (typeof pauseReasons)[number];

/** The columns of a webhook endpoint's public record, as the database client returns them. */
export interface EndpointColumns {
  id: string;
  url: string;
  description: string | null;
  eventTypes: string[];
  /** Null: events of all subjects. */
  subjects: string[] | null;
  status: 'enabled' | 'disabled';
  disabledReason: 'manual' | 'gone' | 'failing' | null;
  secretRotatedAt: Date;
  previousSecretExpiresAt: Date | null;
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

/**
 * The webhook endpoint (contract/webhooks#endpoint) in `webhook_endpoint.disabled`; the API adds the ids of
 * its keys.
 */
export type EndpointRecord = {
  [Name in keyof EndpointColumns]: EndpointColumns[Name] extends Date
    ? string
    : EndpointColumns[Name] extends Date | null
      ? string | null
      : EndpointColumns[Name];
};

/** Picks exactly the public fields, so a row with secrets can be passed. */
export function endpointRecord(row: EndpointColumns): EndpointRecord {
  return {
    id: row.id,
    url: row.url,
    description: row.description,
    eventTypes: row.eventTypes,
    subjects: row.subjects,
    status: row.status,
    disabledReason: row.disabledReason,
    secretRotatedAt: row.secretRotatedAt.toISOString(),
    previousSecretExpiresAt: row.previousSecretExpiresAt?.toISOString() ?? null,
    version: row.version,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** A pause in force; both are null if there is none. */
export interface PauseColumns {
  pausedUntil: Date | null;
  pauseReason: PauseReason | null;
}

/** The columns of an endpoint that the API shows, or makes its warnings of. */
export type ShownColumns = EndpointColumns &
  PauseColumns & {
    /** Null: all, for endpoints older than the column. */
    eventScopes: string[] | null;
  };

/** An endpoint as the API shows it, without the ids of its keys. */
export type ShownEndpointRecord = EndpointRecord & {
  pausedUntil: string | null;
  pauseReason: PauseReason | null;
  warnings: FilterWarning[];
};

export function shownEndpointRecord(row: ShownColumns): ShownEndpointRecord {
  const { pausedUntil, pauseReason } = row;
  return {
    ...endpointRecord(row),
    pausedUntil: pausedUntil?.toISOString() ?? null,
    pauseReason,
    warnings: filterWarnings(row),
  };
}
