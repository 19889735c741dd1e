import type { DiagnoseOptions } from '../diagnosis/diagnose.ts';
import { createPaint } from '../reports/write/terminal/terminal-paint.ts';
import { stageLine } from './diagnosis-view.ts';
import { isTerminal, wantsColour, type Stream } from '../run/output/terminal.ts';

/** Clears the line that the cursor is on (ECMA-48, EL). */
const clearLine = '\r\u001b[K';

/**
 * Shows the progress of a diagnosis: on a terminal, a temporary line with the current stage. With `isAlone`, for output
 * that does not list the stages, a permanent line for each finished stage as well.
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
