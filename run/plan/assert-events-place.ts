import { join } from 'node:path';
import { formats } from '../../reports/write/formats.ts';
import { certificateFile } from '../publish/certificate-file.ts';
import { findOverwritten } from '../publish/assert-inputs-not-overwritten.ts';
import { partialDirectory } from './report-directory.ts';
import { HarnessFault } from '../../harness/checks/faults.ts';

interface EventsPlace {
  /** File of the events; `-` for standard output. */
  events?: string | undefined;
  /** Directory of the report. */
  out?: string | undefined;
  /** Directory of the report of a complete run when `out` is absent. */
  defaultOut?: string | undefined;
  /** Report that the run is compared with. */
  baseline?: string | undefined;
}

/**
 * Refuses an events file with the name of a report file, even of a format that is not written now, and the baseline:
 * opening the file would empty it.
 *
 * @throws HarnessFault
 */
export async function assertEventsPlace({ events, out, defaultOut, baseline }: EventsPlace): Promise<void> {
  if (events === undefined || events === '-') return;
  if (baseline !== undefined && (await findOverwritten([baseline], [events])) !== undefined) {
    throw new HarnessFault('file-exists:events-baseline', { events });
  }
  const directories = out === undefined ? defaultDirectories(defaultOut) : [out];
  const ofReport = [...Object.values(formats).flatMap(({ files }) => Object.keys(files)), certificateFile];
  const places = directories.flatMap((directory) => ofReport.map((name) => join(directory, name)));
  for (const place of places) {
    if ((await findOverwritten([place], [events])) === undefined) continue;
    throw new HarnessFault('file-exists:events-report', { events });
  }
}

function defaultDirectories(defaultOut: string | undefined): string[] {
  return defaultOut === undefined ? [] : [defaultOut, join(defaultOut, partialDirectory)];
}
