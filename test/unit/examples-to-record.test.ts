import { describe, expect, test } from 'bun:test';
import { Type } from '@sinclair/typebox';
import { contractDefinitions } from '../../src/api/routes.ts';
import recorded from '../../src/documentation/reference/response-examples.json' with { type: 'json' };
import { examplesToRecord } from '../support/documentation/examples-to-record.ts';

describe('of the responses that the documentation shows', () => {
  const response = Type.Object({ id: Type.String(), at: Type.String() }, { additionalProperties: false });
  const operations = ['fits', 'lacks', 'has', 'none'].map((id) => ({ id, response }));
  const before = {
    fits: { id: '1', at: 'then' },
    lacks: { id: '1' },
    has: { id: '1', at: 'then', more: true },
    gone: { id: '1', at: 'then' },
  };
  const idsOf = (...asked: string[]) => examplesToRecord(operations, before, asked).map(({ id }) => id);

  test('those that fit their schema stay, and the others are recorded', () => {
    expect(idsOf()).toEqual(['lacks', 'has', 'none']);
  });

  test('those that are named are recorded, and no others', () => {
    expect(idsOf('fits')).toEqual(['fits']);
    expect(idsOf('none', 'fits')).toEqual(['fits', 'none']);
    expect(idsOf('--all')).toEqual(['fits', 'lacks', 'has', 'none']);
  });

  test('an unknown name is refused', () => {
    expect(() => idsOf('fit')).toThrow('there is no operation fit');
  });

  test('none of this project has to be recorded: an operation that is added changes its own alone', () => {
    const answered = contractDefinitions.filter(({ isStream }) => isStream !== true);
    expect(examplesToRecord(answered, recorded, []).map(({ id }) => id)).toEqual([]);
  });
});
