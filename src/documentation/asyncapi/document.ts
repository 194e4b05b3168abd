import { ComponentSchemas } from '../component-schemas.ts';
import type { DocumentationOptions } from '../options.ts';
import { streamParts } from './streams.ts';
import { webhookChannel } from './webhooks.ts';

/**
 * AsyncAPI 3 of streams and webhooks, from the schemas that the service itself uses. The same input gives the
 * same bytes.
 */
export function asyncApiDocument(options: DocumentationOptions) {
  const schemas = new ComponentSchemas();
  const streams = streamParts(options, schemas.options);
  const webhooks = webhookChannel(options, schemas.options);
  return {
    asyncapi: '3.1.0',
    info: {
      title: 'Launchwire events',
      version: '2',
      description: `Messages that Launchwire pushes: [streams](${options.docsUrl}/guides/streams) that a client opens, and signed [webhooks](${options.docsUrl}/guides/webhooks) to its endpoints.`,
    },
    defaultContentType: 'application/json',
    servers: streams.servers,
    channels: { ...streams.channels, webhooks: webhooks.channel },
    operations: { ...streams.operations, receiveWebhook: webhooks.operation },
    components: {
      messages: { ...streams.messages, ...webhooks.messages },
      schemas: schemas.describeUsed(),
    },
  };
}
