import { describe, expect, test } from 'bun:test';
import { orderStatuses } from '../../src/db/values/orders.ts';
import {
  everyOrderReason,
  isOrderEnded,
  liveOrderStatuses,
  orderEvent,
  orderReasons,
  orderTransitions,
} from '../../src/features/orders/state.ts';
import { eventCatalogue } from '../../src/shared/events/catalogue.ts';

const page = await Bun.file('docs/contract/orders.md').text();
const contract = page.slice(page.indexOf('<a id="order-status">'));

describe('the states of an order (contract/orders#order-status)', () => {
  test('have exactly the transitions of the contract', () => {
    for (const status of orderStatuses) {
      const row = contract.match(`\\n\\| \`${status}\` \\|[^|]*\\|([^|]*)\\|`)?.[1] ?? 'no row';
      const documented = [...row.matchAll(/`([a-z]+)`/g)].map(([, name]) => name ?? '');
      expect([status, documented]).toEqual([status, Object.keys(orderTransitions[status])]);
    }
  });

  test('announce each transition with an event of the account that says where it leads', () => {
    for (const from of orderStatuses)
      for (const to of orderStatuses) {
        const event = orderEvent(from, to);
        if (event === null) continue;
        expect(event).toBe(to === 'open' ? 'order.opened' : (`order.${to}` as typeof event));
        expect(eventCatalogue[event].audience).toBe('account');
      }
  });

  test('end where nothing follows', () => {
    const ended = orderStatuses.filter(isOrderEnded);
    expect(ended).toEqual(['landed', 'failed', 'cancelled', 'expired', 'voided']);
    expect([...liveOrderStatuses, ...ended]).toEqual([...orderStatuses]);
  });

  test('have exactly the reasons of the contract', () => {
    const rows = [...contract.matchAll(/\n\| `([a-z_]+)` \| `(failed|cancelled|expired|voided)` \|/g)];
    const known = Object.entries(orderReasons).flatMap(([status, reasons]) =>
      reasons.map((reason): [string, string] => [reason, status]),
    );
    expect(rows.map(([, reason = '', status = '']): [string, string] => [reason, status])).toEqual(known);
    expect(new Set(everyOrderReason).size).toBe(everyOrderReason.length);
  });
});
