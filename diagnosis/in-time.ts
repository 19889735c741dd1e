import { HarnessFault } from '../harness/checks/faults.ts';
import type { WireExchange } from '../harness/wire/observation.ts';
import type { ProbeName } from '../specs/requirements/probe.ts';
import { causeOfStop } from './cause-of-stop.ts';
import { OutOfTime, type Connection } from './connection.ts';
import { describeExchange } from './describe-exchange.ts';
import type { Found, Suspect } from './outcome.ts';
import { RateLimited } from './rate-limited.ts';
import type { Stage, StageNotes, StageOutcome } from './stages/stage.ts';

/** Explains a limit that only a test reaches. */
const testLimit = 'The service sends fewer: exempt the test from the limit, or start the diagnosis again later.';
/** Explains a limit that follows invalid signatures or tokens. */
const lockout =
  'Invalid requests of this diagnosis preceded, so the endpoint may have locked them out; the service sends none.';
/** Milliseconds after the deadline in which a stage may still return what it has observed. */
const graceMs = 400;

/** A confirmed cause, and the probe that found it; the stages of the connection have none. */
export interface ProbedCause extends Found {
  probe?: ProbeName;
}

/** A stage's outcome; `isCut` when it did not finish, `isOpen` when it could judge nothing. */
export type CutOutcome = Omit<StageOutcome, 'found'> & {
  found?: ProbedCause | undefined;
  isCut?: true;
  isOpen?: true;
  /** Confirmed; they reject no valid request, so they must not hide why one fails. */
  weaknesses?: readonly ProbedCause[];
};

/** Runs a stage or probe to its end or that of the time. Rejects only for a fault of the harness. */
export async function inTime(stage: Stage, connection: Connection, notes: StageNotes): Promise<CutOutcome> {
  const mark = connection.exchanges.at(-1);
  try {
    return { ...(await connection.inTime(stage(connection, notes), graceMs)) };
  } catch (error) {
    const found = causeOfStop(error);
    if (found) return { found, suspects: [], passed: [], seen: linesSince(mark, connection) };
    const why = whyCut(error);
    if (error instanceof RateLimited) {
      const limited: Suspect = {
        id: 'http/rate-limited',
        why: `${error.message} ${error.isAfterInvalid ? lockout : testLimit}`,
      };
      return { suspects: [limited], passed: [], seen: linesSince(mark, connection), isCut: true };
    }
    if (why === undefined) throw error;
    return { suspects: [], passed: [], seen: [...linesSince(mark, connection), why], isCut: true };
  }
}

/** One line for each exchange after this one: an unfinished stage loses its notes, but not its exchanges. */
function linesSince(mark: WireExchange | undefined, connection: Connection): string[] {
  return since(mark, connection).flatMap((exchange) =>
    'answer' in exchange ? [describeExchange(capital(exchange.label), exchange)] : [],
  );
}

/** The exchanges after this one that are still kept. */
export function since(mark: WireExchange | undefined, { exchanges }: Connection): readonly WireExchange[] {
  return exchanges.slice(mark === undefined ? 0 : exchanges.indexOf(mark) + 1);
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Why the endpoint or the deadline ended a stage; `undefined` for a fault of the harness. */
function whyCut(error: unknown): string | undefined {
  if (error instanceof OutOfTime) return 'The time ran out before this was checked; --within allows more.';
  if (!(error instanceof HarnessFault)) return undefined;
  const isOfTarget = error.code.startsWith('target-') || error.code === 'control-failed';
  return isOfTarget || error.code === 'limit-used' ? error.message : undefined;
}
