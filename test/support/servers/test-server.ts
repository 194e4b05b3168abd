/** The servers that tests share. Names are those of the variables `DATABASE_URL`, `NATS_URL`, `REDIS_URL`. */
export type ServerKind = 'DATABASE' | 'NATS' | 'REDIS';

export interface TestServer {
  readonly url: string;
  stop(): Promise<void>;
}
