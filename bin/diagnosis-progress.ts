import type { DiagnoseOptions } from '../diagnosis/diagnose.ts';
import { createPaint } from '../reports/write/terminal/terminal-paint.ts';
import { stageLine } from './diagnosis-view.ts';
import { isTerminal, wantsColour, type Stream } from '../run/publish/terminal.ts';

/** Clears the line that the cursor is on (ECMA-48, EL). */
const clearLine = '\r\u001b[K';

/**
 * Tells how far a diagnosis has come: on a terminal the stage that is looked at, on a line that goes away; else a line
 * for each stage, where nothing else tells of them (`isAlone`).
 */
export function diagnosisProgress(
  stream: Stream,
  { isAlone }: { isAlone: boolean },
): Required<Pick<DiagnoseOptions, 'onStage' | 'onRecord'>> {
  const paint = createPaint(wantsColour(stream));
  const isShown = isTerminal(stream, process.env);
  return {
    onStage: (name) => void (isShown && stream.write(paint.dim(`${name} …`))),
    onRecord: (record) => {
      if (isShown) stream.write(clearLine);
      if (isAlone) stream.write(`${stageLine(record, paint)}\n`);
    },
  };
}
