import { test } from 'bun:test';
import { expectRule } from '../support/patterns/lint-rule.ts';

test('the check refuses the address of a request in every file but the one that knows all of its forms', () =>
  expectRule({
    rule: './.config/request-url.grit',
    lines: [
      ['export const one = (request: Request) => new URL(request.url);', true],
      ['export const two = (context: { request: Request }) => context.request.url;', true],
      ['export const three = ({ url }: Request) => url;', true],
      ['export function four({ url, method }: Request) { return url + method; }', true],
      ['export function five(request: Request) { const { url } = request; return url; }', true],
      ['export function six(request: Request) { const { method, url: text } = request; return text; }', true],
      ['export function seven({ request: { url } }: { request: Request }) { return url; }', true],
      ['export function eight(req: Request) { return req.url; }', true],
      ['export const nine = (row: { url: string }) => row.url;', false],
      ['export const ten = ({ url }: { url: string }) => url;', false],
      ['export function eleven(body: { url: string }) { const { url } = body; return url; }', false],
      ['export function twelve(request: Request) { const { method } = request; return method; }', false],
    ],
    checked: ['src/http/one.ts', 'src/features/two.ts', 'sandbox/inbox/three.ts'],
    spared: ['src/http/request-address.ts', 'test/one.test.ts'],
  }));
