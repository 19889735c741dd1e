import {
  type Capture,
  type ServiceDeviation,
  capturedExchanges,
  capturedSurfaces,
} from '../../harness/capture/capture.ts';
import { visibleOnOneLine } from '../../reports/text/visible-controls.ts';
import { describeAside } from '../../harness/capture/aside-reason.ts';

/** Maximum number of entries in one line. */
const mostEntries = 12;
/** Maximum number of lines about the service; the same deviation in several entries is one line. */
const mostDeviations = 20;
/** Maximum number of lines about the same entries. */
const mostPerEntry = 3;

/** How notes quote a recording. */
interface QuoteOptions {
  /** Redacts the secrets of the recording. */
  redact: (text: string) => string;
  /** Quotes nothing from the recording. */
  isDiscreet: boolean;
}

/** The notes before recorded traffic is judged: the recorded surfaces, and the skipped entries with the reason. */
export function captureNotes(capture: Capture, { redact, isDiscreet }: QuoteOptions): string[] {
  const shown = (text: string) => visibleOnOneLine(redact(text));
  const counts = capturedSurfaces(capture).map((surface) => `${surface} ${capturedExchanges(capture, surface).length}`);
  const skipped = capture.aside.map(({ reason, entries }) => {
    const isHidden = isDiscreet && reason.kind === 'unproven-api';
    const why = describeAside(isHidden ? { ...reason, host: 'its host' } : reason);
    return `Skipped: ${shown(why)} (${formatEntries(entries)}).`;
  });
  return [
    `${isDiscreet ? 'The recording' : shown(capture.file)}: judging recorded traffic, nothing is sent: ${counts.join(', ')}.`,
    ...skipped,
    ...(capture.kind === 'log'
      ? ['The log of the simulated service contains statuses, times and frames, but no bodies and headers.']
      : []),
  ];
}

/** Notes about deviations of the recorded service from the interface; none without a deviation. */
export function deviationNotes(
  deviations: readonly ServiceDeviation[],
  { redact, isDiscreet }: QuoteOptions,
): string[] {
  if (deviations.length === 0) return [];
  const shown = (text: string) => visibleOnOneLine(redact(text));
  const groups = Map.groupBy(deviations, ({ surface, expected, received }) =>
    JSON.stringify([surface, expected, received]),
  );
  const lines = atMostPerEntry([...groups.values()]).map((group) => formatDeviation(group, shown, isDiscreet));
  const more = lines.length - mostDeviations;
  return [
    'Messages of the service that deviate from the interface (they do not count against the endpoint):',
    ...lines.slice(0, mostDeviations),
    ...(more > 0 ? [`  and ${more} other deviations`] : []),
  ];
}

/** Limits the deviations per entry: an event of a different shape has many similar ones. */
function atMostPerEntry(groups: ServiceDeviation[][]): ServiceDeviation[][] {
  const shown = new Map<string, number>();
  return groups.filter((group) => {
    const key = group.map(({ entry }) => entry).join();
    shown.set(key, (shown.get(key) ?? 0) + 1);
    return (shown.get(key) ?? 0) <= mostPerEntry;
  });
}

function formatDeviation(
  group: readonly ServiceDeviation[],
  shown: (text: string) => string,
  isDiscreet: boolean,
): string {
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
