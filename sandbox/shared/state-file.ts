import { rmSync } from 'node:fs';
import { readPrivateJson, writePrivateJson } from './private-file.ts';

/** A wallet that the sandbox owns. */
export interface SandboxWallet {
  readonly address: string;
  /** base58 of the 64 bytes that wallets export: seed, then public key. */
  readonly secretKey: string;
}

/** The description of a running sandbox: `.sandbox/state.json`, which exists from ready until stopped. */
export interface SandboxState {
  /** Origin of the api + `/api/v2`. */
  readonly baseUrl: string;
  readonly docsUrl: string;
  readonly inboxUrl: string;
  readonly databaseUrl: string;
  readonly natsUrl: string;
  readonly rpcUrl: string;
  /** The landing services of the local chain; null on a chain of the user's. */
  readonly sendUrls: { readonly fastUrl: string; readonly privateUrl: string } | null;
  readonly apiKey: string;
  readonly accountId: string;
  readonly wallet: SandboxWallet;
  /** A prepared intent of the wallet that is valid for long enough; null without a demo market (another chain). */
  readonly intentId: string | null;
  /** A list of the holders of `mint`, less than an hour old; null without a demo market. */
  readonly operationId: string | null;
  /** A live token; null without a demo market. */
  readonly mint: string | null;
  readonly pids: Readonly<Record<string, number>>;
  /** The variables that the processes were given; the admin CLI works with them (contract/processes#admin-cli). */
  readonly environment: Readonly<Record<string, string>>;
}

/** Writes the state file; the launcher is its only writer. */
export class StateFile {
  readonly #path: string;
  #current: SandboxState | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  publish(state: SandboxState): void {
    this.#current = state;
    writePrivateJson(this.#path, state);
  }

  /** Changes part of what is published. Does nothing before the first `publish` or after `remove`. */
  update(change: Partial<SandboxState>): void {
    if (this.#current !== undefined) this.publish({ ...this.#current, ...change });
  }

  remove(): void {
    this.#current = undefined;
    rmSync(this.#path, { force: true });
  }
}

export function readState(path: string): SandboxState | undefined {
  return readPrivateJson<SandboxState>(path);
}
