import type { Capture, CapturedSurface, ServiceFault } from '../../harness/capture/capture.ts';
import { capturedSurfaces } from '../../harness/capture/capture.ts';
import { visibleOnOneLine } from '../../reports/text/visible-controls.ts';

/** Entries of one kind that a line names. */
const mostEntries = 12;
/** Lines about the service; the same fault at several entries is one line. */
const mostFaults = 20;
/** Lines about the same entries. */
const mostPerEntry = 3;

/**
 * What a person is told before recorded traffic is judged: what it shows, what was left aside and why, and what the
 * service did otherwise than the interface describes, which is held against nobody.
 *
 * @param redact takes secrets out of what was recorded
 * @param isDiscreet nothing of what was recorded is quoted
 */
export function captureNotes(capture: Capture, redact: (text: string) => string, isDiscreet = false): string[] {
  const shown = (text: string) => visibleOnOneLine(redact(text));
  const counts = capturedSurfaces(capture).map((surface) => `${surface} ${countOf(capture, surface)}`);
  const left = capture.aside.map(({ reason, entries }) => {
    const why = isDiscreet ? reason.replace(/(?<=nothing shows that )\S+/, 'its host') : reason;
    return `Left aside: ${shown(why)} (${formatEntries(entries)}).`;
  });
  const groups = [
    ...Map.groupBy(capture.serviceFaults, ({ surface, expected, received }) =>
      JSON.stringify([surface, expected, received]),
    ).values(),
  ];
  const faults = atMostPerEntry(groups).map((group) => formatFault(group, shown, isDiscreet));
  const more = faults.length - mostFaults;
  return [
    `${isDiscreet ? 'The recording' : shown(capture.file)}: nothing is sent, what was recorded is judged: ${counts.join(', ')}.`,
    ...left,
    ...(capture.kind === 'log'
      ? ['The log of the simulated service has statuses, times and frames; bodies and headers it has not.']
      : []),
    ...(faults.length === 0 ? [] : ['Not the endpoint, but whoever sent to it, differs from the interface:']),
    ...faults.slice(0, mostFaults),
    ...(more > 0 ? [`  and ${more} more of other kinds`] : []),
  ];
}

/** An event of another shape has many faults of one kind: the first ones tell it. */
function atMostPerEntry(groups: ServiceFault[][]): ServiceFault[][] {
  const told = new Map<string, number>();
  return groups.filter((group) => {
    const key = group.map(({ entry }) => entry).join();
    told.set(key, (told.get(key) ?? 0) + 1);
    return (told.get(key) ?? 0) <= mostPerEntry;
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

function countOf({ crm, hooks, chat, calls, traffic }: Capture, surface: CapturedSurface): number {
  const counts: Record<CapturedSurface, number> = {
    'crm-webhook': crm.length,
    'api-webhooks': hooks.length,
    'own-ai-chat': chat.length,
    'own-ai-phone': calls.length,
    'api-client': traffic?.exchanges.length ?? 0,
  };
  return counts[surface];
}
