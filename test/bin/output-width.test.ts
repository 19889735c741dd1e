import { expect, it } from 'vitest';
import { outputWidth, type Stream } from '../../run/output/terminal.ts';

it.each([
  ['that of the terminal', 80, '60', 80],
  ['that of COLUMNS without a terminal', undefined, '60', 60],
  ['the usual one without both', undefined, undefined, 100],
  ['the usual one if COLUMNS is not a number', undefined, 'wide', 100],
])('the width of the output is %s', (_, columns, named, width) => {
  expect(outputWidth({ columns } as Stream, { COLUMNS: named })).toBe(width);
});
