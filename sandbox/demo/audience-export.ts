import type { AdminDependencies } from '../../src/admin/admin-dependencies.ts';
import { runCommand } from '../../src/admin/run-command.ts';
import type { Renewable } from './renewal.ts';

const KIND = 'audience_export';

export interface ExportOptions {
  readonly admin: AdminDependencies;
  readonly accountId: string;
  readonly mint: string;
}

/** An operation of the user's account that lists the holders of the demo token. It is fresh for an hour. */
export class AudienceExport implements Renewable {
  readonly #options: ExportOptions;

  constructor(options: ExportOptions) {
    this.#options = options;
  }

  /** The newest export, also one of an earlier run, while it is fresh; else a new one. */
  async current(): Promise<string> {
    const { admin, accountId, mint } = this.#options;
    const [known] = await admin.database<{ id: string }[]>`
      select id from operations
      where account_id = ${accountId} and kind = ${KIND} and input->>'mintAddress' = ${mint}
      order by created_at desc limit 1`;
    return known !== undefined && (await this.isFresh(known.id)) ? known.id : this.create();
  }

  async isFresh(id: string): Promise<boolean> {
    const { database } = this.#options.admin;
    const [row] = await database<{ isFresh: boolean }[]>`
      select status not in ('failed', 'cancelled') and created_at > now() - interval '1 hour' as is_fresh
      from operations where id = ${id}`;
    return row?.isFresh === true;
  }

  /** Creates an export. The worker runs it within a second or two. */
  async create(): Promise<string> {
    const { admin, accountId, mint } = this.#options;
    const input = JSON.stringify({ mintAddress: mint });
    return String(
      (await runCommand(admin, 'operation create', { account: accountId, kind: KIND, input })).id,
    );
  }
}
