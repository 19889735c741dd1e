import { join } from 'node:path';
import { formats } from '../../reports/write/formats.ts';
import { certificateFile } from '../publish/certificate-file.ts';
import { UsageError } from '../usage-error.ts';
import { writtenOver } from '../publish/written-over.ts';

interface EventsPlace {
  /** File of the events; `-` for standard output. */
  events?: string | undefined;
  /** Directory of the report. */
  out?: string | undefined;
  /** Report that the run is compared with. */
  baseline?: string | undefined;
}

/**
 * Refuses an events file with the name of a report file, even of a format that is not written now, and the baseline:
 * opening the file would empty it.
 *
 * @throws UsageError
 */
export async function assertEventsPlace({ events, out, baseline }: EventsPlace): Promise<void> {
  if (events === undefined || events === '-') return;
  if (baseline !== undefined && (await writtenOver([baseline], [events])) !== undefined) {
    throw new UsageError(`--events ${events} would overwrite the baseline. Choose another name.`);
  }
  if (out === undefined) return;
  const ofReport = [...Object.values(formats).flatMap(({ files }) => Object.keys(files)), certificateFile];
  const places = ofReport.map((name) => join(out, name));
  for (const place of places) {
    if ((await writtenOver([place], [events])) === undefined) continue;
    throw new UsageError(`--events ${events} is a file of the report: choose another name, such as events.ndjson.`);
  }
}
