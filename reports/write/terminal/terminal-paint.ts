import { styleText } from 'node:util';
import type { Group } from '../../model/groups.ts';

/** Colours of the terminal view; each returns the text unchanged when colour is off. */
export interface Paint {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly outcome: (group: Group, text: string) => string;
}

const colours = {
  fail: 'red',
  blocked: 'red',
  warn: 'yellow',
  advice: 'blue',
  pass: 'green',
  'not-exercised': 'gray',
  unobservable: 'gray',
  'not-selected': 'gray',
  'not-applicable': 'gray',
} as const satisfies Record<Group, string>;

/** `colour` is the caller's decision (NO_COLOR, terminal or not); this function does not read the environment. */
export function createPaint(colour: boolean): Paint {
  const styled = (format: Parameters<typeof styleText>[0], text: string) =>
    colour ? styleText(format, text, { validateStream: false }) : text;
  return {
    bold: (text) => styled('bold', text),
    dim: (text) => styled('dim', text),
    outcome: (group, text) => styled(colours[group], text),
  };
}
