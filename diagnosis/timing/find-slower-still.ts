import { formatMs } from '../format-ms.ts';
import type { Connection } from '../connection.ts';
import type { Suspect } from '../outcome.ts';
import { eventKinds, typicalEvent, type EventKind } from './event-kinds.ts';
import type { Measurement, Stopwatch } from './stopwatch.ts';

/** Additional time of a kind of event that is not chance: relative to a typical one, and in milliseconds. */
const notablePart = 0.2;
const notableMs = 400;
/** Milliseconds after which the larger events have arrived. */
const headStartMs = 150;
/** Rounds that have to show the same. */
const rounds = 2;
/** Milliseconds reserved for what follows. */
const reservedMs = 4_000;

/** What takes even longer, and the typical events that were compared. */
export interface SlowerStill {
  suspects: Suspect[];
  usual: Measurement[];
}

/**
 * The kind of event that takes even longer where all events are slow. Larger events are sent at once, and a typical one
 * after them: an endpoint that takes events one after the other answers the typical one last.
 */
export async function findSlowerStill(connection: Connection, watch: Stopwatch): Promise<SlowerStill> {
  let slower = eventKinds(connection).filter(({ slower: id }) => isOfSize(id));
  const typical: Measurement[] = [];
  let times = '';
  for (let round = 0; round < rounds && slower.length > 0; round++) {
    if (connection.remainingMs < connection.timeoutMs + reservedMs) return { suspects: [], usual: typical };
    const [larger, [usual]] = await Promise.all([
      watch.atOnce(
        'larger events, at once',
        slower.map(({ event }) => event()),
      ),
      new Promise((wake) => setTimeout(wake, headStartMs)).then(() =>
        watch.atOnce('a typical event after them', [typicalEvent(connection)]),
      ),
    ]);
    if (usual) typical.push(usual);
    const isStill = slower.map((_, at) => isSlower(larger[at], usual));
    const at = isStill.indexOf(true);
    times = `${formatMs(larger[at]?.ms ?? 0)}, and a typical event that was sent later ${formatMs(usual?.ms ?? 0)}`;
    slower = slower.filter((_, nth) => isStill[nth]);
  }
  const [first] = slower;
  if (first?.slower === undefined) return { suspects: [], usual: typical };
  const why = `In addition to being slow in general: ${first.what} took ${times}; twice.`;
  return { suspects: [{ id: first.slower, why }], usual: typical };
}

function isSlower(kind: Measurement | undefined, usual: Measurement | undefined): boolean {
  if (!kind || !usual?.accepted) return false;
  return kind.ms - usual.ms > Math.max(notableMs, usual.ms * notablePart);
}

function isOfSize(id: EventKind['slower']): boolean {
  return id === 'timing/slow-by-size' || id === 'timing/slow-by-history';
}
