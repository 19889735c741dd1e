import { type Capture, type ServiceFault, capturedExchanges, capturedSurfaces } from '../../harness/capture/capture.ts';
import { visibleOnOneLine } from '../../reports/text/visible-controls.ts';
import { describeAside } from '../../harness/capture/aside-reason.ts';

/** Maximum number of entries in one line. */
const mostEntries = 12;
/** Maximum number of lines about the service; the same fault in several entries is one line. */
const mostFaults = 20;
/** Maximum number of lines about the same entries. */
const mostPerEntry = 3;

/**
 * The notes before recorded traffic is judged: the recorded surfaces, the skipped entries with the reason, and deviations
 * of the service from the interface, which do not count against the endpoint.
 *
 * @param redact redacts the secrets of the recording
 * @param isDiscreet quotes nothing from the recording
 */
export function captureNotes(capture: Capture, redact: (text: string) => string, isDiscreet = false): string[] {
  const shown = (text: string) => visibleOnOneLine(redact(text));
  const counts = capturedSurfaces(capture).map((surface) => `${surface} ${capturedExchanges(capture, surface).length}`);
  const left = capture.aside.map(({ reason, entries }) => {
    const isHidden = isDiscreet && reason.kind === 'unproven-api';
    const why = describeAside(isHidden ? { ...reason, host: 'its host' } : reason);
    return `Skipped: ${shown(why)} (${formatEntries(entries)}).`;
  });
  const groups = [
    ...Map.groupBy(capture.serviceFaults, ({ surface, expected, received }) =>
      JSON.stringify([surface, expected, received]),
    ).values(),
  ];
  const faults = atMostPerEntry(groups).map((group) => formatFault(group, shown, isDiscreet));
  const more = faults.length - mostFaults;
  return [
    `${isDiscreet ? 'The recording' : shown(capture.file)}: judging recorded traffic, nothing is sent: ${counts.join(', ')}.`,
    ...left,
    ...(capture.kind === 'log'
      ? ['The log of the simulated service contains statuses, times and frames, but no bodies and headers.']
      : []),
    ...(faults.length === 0
      ? []
      : ['Messages of the service that deviate from the interface (they do not count against the endpoint):']),
    ...faults.slice(0, mostFaults),
    ...(more > 0 ? [`  and ${more} other deviations`] : []),
  ];
}

/** Limits the faults per entry: an event of a different shape has many similar ones. */
function atMostPerEntry(groups: ServiceFault[][]): ServiceFault[][] {
  const shown = new Map<string, number>();
  return groups.filter((group) => {
    const key = group.map(({ entry }) => entry).join();
    shown.set(key, (shown.get(key) ?? 0) + 1);
    return (shown.get(key) ?? 0) <= mostPerEntry;
  });
}

function formatFault(group: readonly ServiceFault[], shown: (text: string) => string, isDiscreet: boolean): string {
  const [{ surface, expected, received } = { surface: '', expected: '', received: '' }] = group;
  const what = isDiscreet ? '' : `: expected ${shown(expected)}, received ${shown(received)}`;
  return `  ${surface}, ${formatEntries(group.map(({ entry }) => entry))}${what}`;
}

function formatEntries(entries: readonly number[]): string {
  const own = [...new Set(entries)];
  const named = own.slice(0, mostEntries).join(', ');
  const more = own.length - mostEntries;
  return `${own.length === 1 ? 'entry' : 'entries'} ${named}${more > 0 ? ` and ${more} more` : ''}`;
}
