import { describe, expect, it } from 'vitest';
import { mismatchFinding, type PactMismatch } from '../../contracts/mismatch-finding.ts';

const where = 'Interaction “a” of svc-b.json.';

/** As Pact's verifier of @pact-foundation/pact 17 reports them. */
const mismatches = {
  status: { type: 'StatusMismatch', expected: 200, actual: 500, mismatch: 'expected 200 but was 500' },
  type: {
    type: 'BodyMismatch',
    path: '$.text',
    expected: '"Yes"',
    actual: '7',
    mismatch: "Expected 7 (Integer) to be the same type as 'Yes' (String)",
  },
  pattern: {
    type: 'BodyMismatch',
    path: "$.data.list[0]['first name']",
    expected: '"none"',
    actual: '"dance"',
    mismatch: "Expected 'dance' to match '^(none|end)$'",
  },
  length: {
    type: 'BodyMismatch',
    path: '$.text',
    expected: '"Yes"',
    actual: '"No 👋"',
    mismatch: String.raw`Expected 'No 👋' to match '^[\s\S]{0,3}$'`,
  },
  header: {
    type: 'HeaderMismatch',
    key: 'Content-Type',
    expected: 'application/json',
    actual: 'text/plain',
    mismatch: "Mismatch with header 'Content-Type': Expected 'text/plain' to match 'json'",
  },
  missing: {
    type: 'BodyMismatch',
    path: '$',
    mismatch: 'Actual map is missing the following keys: text',
  },
} satisfies Record<string, PactMismatch>;

describe('a difference that Pact found', () => {
  it.each<[keyof typeof mismatches, string, string, object | undefined]>([
    ['status', 'status 200', 'status 500', { status: true }],
    ['type', 'text in the body to be of the type string', '7', { body: ['text'] }],
    [
      'pattern',
      "data.list.0.first name in the body to match '^(none|end)$'",
      "'dance'",
      { body: ['data', 'list', 0, 'first name'] },
    ],
    ['length', 'text in the body to have at most 3 characters', '4', { body: ['text'] }],
    ['header', "header Content-Type to match 'json'", "'text/plain'", { header: 'content-type' }],
    ['missing', 'the body with text', 'none', { body: [] }],
  ])('of the %s is reported with the expected and the received value, and where', (name, expected, received, part) => {
    expect(mismatchFinding([mismatches[name]], where)).toEqual({
      expected,
      received,
      hint: where,
      ...(part && { part }),
    });
  });

  it('is reported before its consequences', () => {
    const finding = mismatchFinding([mismatches.type, mismatches.status], where);
    expect(finding).toMatchObject({ expected: 'status 200', hint: where });
  });

  it('lists others in the hint, up to a readable number', () => {
    const { hint } = mismatchFinding([mismatches.pattern, ...Array.from({ length: 7 }, () => mismatches.type)], where);
    expect(hint).toContain('Also expected text in the body to be of the type string, received 7;');
    expect(hint).toContain('and 3 more.');
  });

  it('is reported in a few words, however long the input is', () => {
    const long = `'${'to be '.repeat(20_000)}'`;
    const found = { ...mismatches.type, mismatch: `Expected ${long} (String) to be the same type as [] (Array)` };
    const {
      expected,
      received,
      hint = '',
    } = mismatchFinding([found, found, { ...mismatches.header, actual: long }], where);
    expect(expected.length).toBeLessThanOrEqual(240);
    expect(received.length).toBeLessThanOrEqual(80);
    expect(hint.length).toBeLessThan(800);
  });

  it('keeps an unknown message of Pact', () => {
    const finding = mismatchFinding([{ type: 'BodyMismatch', path: '$.a', expected: 1, mismatch: 'Odd.' }], where);
    expect(finding).toMatchObject({ expected: 'a in the body like 1 (Odd.)', received: 'nothing' });
  });
});
