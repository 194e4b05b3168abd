/** Where this deployment's documentation is found. */
export interface DocumentationOptions {
  /** Origin (and path prefix) that clients see, without a slash at the end. */
  publicUrl: string;
  /** Base of `type` URIs and event schemas; this service's own pages unless configured otherwise. */
  docsUrl: string;
}
