import { makeBadge } from 'badge-maker';
import { describe, expect, test } from 'vitest';
import { renderBadgeJson, renderBadgeSvg } from '../../reports/write/badge/render-badge.ts';
import type { Report } from '../../specs/generated/types.ts';
import { xmlProblems } from './format-schemas.ts';
import { reportOf } from './sample-gates.ts';
import { hostileReport } from './sample-report.ts';
import { surfaces } from '../../specs/surfaces.ts';

/** Names of colours in the documentation of shields.io. */
const knownColours = ['brightgreen', 'green', 'yellow', 'yellowgreen', 'orange', 'red', 'blue', 'grey', 'lightgrey'];

/** A report in which each surface has a requirement that passes. */
const everySurface = Object.fromEntries(surfaces.map((surface) => [`${surface}/a`, 'pass' as const]));

const should = { level: 'should', verdict: 'fail' } as const;
const verdicts: readonly (readonly [string, Report, string])[] = [
  ['conformant', reportOf(everySurface), 'brightgreen'],
  ['conformant, with warnings', reportOf({ ...everySurface, b: should }), 'yellowgreen'],
  ['conformant: own-ai-chat', reportOf({ a: 'pass', 'deep-links/b': 'not-exercised' }), 'brightgreen'],
  [
    'conformant, with warnings: own-ai-chat, deep-links',
    reportOf({ 'deep-links/b': 'pass', a: 'pass', c: should }),
    'yellowgreen',
  ],
  ['non-conformant', reportOf({ a: 'fail' }), 'red'],
  ['incomplete', reportOf({ a: 'blocked' }), 'orange'],
  ['conformant (reduced)', reportOf(everySurface, { selection: { runs: 1 } }), 'blue'],
  ['passed, partial: 1 of 1', reportOf({ a: 'pass' }, { selection: { only: ['own-ai-chat/a'] } }), 'blue'],
  ['non-conformant, partial: 1 of 1', reportOf({ a: 'fail' }, { selection: { only: ['own-ai-chat/a'] } }), 'red'],
];

describe.each(verdicts)('%s', (message, report, color) => {
  test('for shields.io: only fields of its endpoint schema, and a colour that it knows', () => {
    const badge = JSON.parse(renderBadgeJson(report));
    const isError = color === 'red' || color === 'orange';
    expect(badge).toEqual({ schemaVersion: 1, label: 'svc-conform', message, color, ...(isError && { isError }) });
    const { schemaVersion: _, isError: __, ...format } = badge;
    expect(makeBadge(format)).toContain(`<title>svc-conform: ${message}</title>`);
    expect(knownColours).toContain(color);
  });

  test('as SVG: well-formed, with its label as its name', async () => {
    const svg = renderBadgeSvg(report);
    expect(await xmlProblems(svg)).toEqual([]);
    expect(svg).toContain(`role="img" aria-label="svc-conform: ${message}, 2026-10-12 09:30:00 UTC"`);
    expect(svg).toContain(`>${message}</text>`);
  });

  test('white text on it is readable', () => {
    const fills = [...renderBadgeSvg(report).matchAll(/height="20" fill="#([0-9a-f]+)"/g)].map(([, hex = '']) => hex);
    expect(fills.length).toBe(2);
    for (const hex of fills) expect(contrastWithWhite(hex)).toBeGreaterThanOrEqual(4.5);
  });
});

test('nothing but the verdict is in it', () => {
  expect(renderBadgeSvg(hostileReport)).not.toContain('alert');
});

/** Contrast ratio of WCAG 2. */
function contrastWithWhite(hex: string): number {
  const digits = hex.length === 3 ? hex.replace(/./g, '$&$&') : hex;
  const [r = 0, g = 0, b = 0] = [0, 2, 4]
    .map((at) => Number.parseInt(digits.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 1.05 / (0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05);
}
