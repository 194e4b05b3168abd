/** The part of s3rver that the tests use; it has no types. */
declare module 's3rver' {
  interface PutObject {
    bucket: string;
    key: string;
    content: Buffer | NodeJS.ReadableStream;
    metadata: Readonly<Record<string, string>>;
  }
  interface FolderOfObjects {
    putObject(object: PutObject): Promise<{ size: number; md5: string }>;
    putMetadata(
      bucket: string,
      key: string,
      metadata: Readonly<Record<string, string>>,
      md5: string,
    ): Promise<void>;
    getResourcePath(bucket: string, key: string, resource: string): string;
  }
  export default class S3rver {
    readonly store: FolderOfObjects;
    constructor(options: {
      port: number;
      address: string;
      silent: boolean;
      directory: string;
      configureBuckets: readonly { name: string }[];
    });
    run(): Promise<{ address: string; port: number }>;
    close(): Promise<void>;
  }
}
