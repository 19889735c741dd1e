import type { Paint } from './terminal-paint.ts';
import { columns, padded, wrapped } from './terminal-text.ts';
import { visibleOnOneLine } from '../../text/visible-controls.ts';

/** A command for the reader, with its purpose in a few words; a sentence where there is none. */
export interface NextCommand {
  readonly purpose: string;
  readonly command?: string;
}

/** The commands to run next. They are not wrapped, so that they can be pasted. */
export function nextLines(commands: readonly NextCommand[], paint: Paint, width: number): string[] {
  if (commands.length === 0) return [];
  const widest = Math.max(...commands.map(({ purpose, command }) => (command === undefined ? 0 : columns(purpose))));
  return [
    paint.bold('Next'),
    ...commands.flatMap(({ purpose, command }) =>
      command === undefined
        ? wrapped(purpose, width - 2).map((line) => `  ${line}`)
        : [`  ${paint.dim(padded(purpose, widest))}  ${visibleOnOneLine(command)}`],
    ),
  ];
}
