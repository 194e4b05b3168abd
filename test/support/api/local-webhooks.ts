/** Settings that allow endpoints on this machine and without TLS. */
export const localWebhooks = { WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8' };
