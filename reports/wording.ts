import type { CallRecord, Counterexample, Exchange, Report, Selection } from '../specs/types.ts';
import type { Group } from './groups.ts';
import type { SameCause } from './same-cause.ts';

/** Sign and word for each outcome and group, so that colour is never the only difference. */
export const outcomeWords: Readonly<Record<Group, { readonly sign: string; readonly word: string }>> = {
  fail: { sign: '✗', word: 'fails' },
  blocked: { sign: '?', word: 'blocked' },
  warn: { sign: '!', word: 'warning' },
  advice: { sign: 'i', word: 'advice' },
  pass: { sign: '✓', word: 'passes' },
  'not-exercised': { sign: '–', word: 'not exercised' },
  unobservable: { sign: '○', word: 'not observable' },
  'not-selected': { sign: '·', word: 'not selected' },
  'not-applicable': { sign: '·', word: 'not applicable' },
};

/** `1 must`, `2 musts`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** A time in milliseconds as a person says it: `0.4 ms`, `12 ms`, `4.2 s`, `5 min 12 s`. */
export function duration(ms: number): string {
  if (ms < 9.95) return `${Number(ms.toFixed(1))} ms`;
  if (ms < 9999.5) return `${Math.round(ms)} ms`;
  return longDuration(ms);
}

/** A run's time, in seconds and minutes. */
export function longDuration(ms: number): string {
  if (ms < 59_950) return `${Number((ms / 1000).toFixed(1))} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** The verdict in one or two words. */
export function verdictWord({ verdict }: Report): string {
  return verdict === 'conformant-with-warnings' ? 'conformant, with warnings' : verdict;
}

/** What the verdict rests on, as a sentence. */
export function verdictReason({ verdict, summary }: Report): string {
  const failing = `${counted(summary.fail, 'must does', 'musts do')} not hold`;
  switch (verdict) {
    case 'non-conformant':
      return summary.blocked > 0
        ? `${failing}; ${counted(summary.blocked, 'requirement')} could not be judged.`
        : `${failing}.`;
    case 'incomplete':
      return summary.blocked > 0
        ? `${counted(summary.blocked, 'requirement')} could not be judged, because something before broke.`
        : 'Nothing was seen to hold, so nothing can be certified.';
    case 'conformant-with-warnings':
      return `Every must that was seen holds; ${counted(summary.warn, 'should does', 'shoulds do')} not.`;
    case 'conformant':
      return 'Every must and should that was seen holds.';
  }
}

/** What a partial run left out, one sentence each; empty for a whole run. */
export function selectionNotes(selection: Selection | undefined): string[] {
  const notes: string[] = [];
  if (selection?.surfaces) notes.push(`Only these surfaces were run: ${selection.surfaces.join(', ')}.`);
  if (selection?.only) notes.push(`Only these requirements were run: ${selection.only.join(', ')}.`);
  if (selection?.callbackWaitMs !== undefined) {
    notes.push(`The wait for a callback was shortened to ${longDuration(selection.callbackWaitMs)}.`);
  }
  return notes;
}

/** What findings with one cause share, as a sentence. Holds outside text as it is: escape it for where it goes. */
export function sameCauseWords({ surface, answer, rest }: SameCause): string {
  return `${counted(rest.length, 'more requirement')} of ${surface} received the same answer (${answer}): probably the same cause. Mend this one first.`;
}

/**
 * An exchange in one line: `POST url → 200 in 12 ms`, `call 3f2a… 12 frames, 1.2 s, closed by the AI with 1006`. Holds
 * outside text as it is: escape it for where it goes.
 */
export function exchangeLine(exchange: Exchange): string {
  const { request, kind, call } = exchange;
  if (call && hasConnection(exchange)) return `call ${shortId(call.callId)} ${exchangeResult(exchange)}`;
  const whose = kind === 'http' ? '' : `${kind} `;
  return `${whose}${request.method} ${request.url} → ${exchangeResult(exchange)}`;
}

const outcomeOfExchange: Readonly<Record<Exchange['outcome'], string>> = {
  answered: 'answered',
  'no-answer': 'no answer',
  closed: 'connection closed',
  malformed: 'malformed answer',
  unreachable: 'unreachable',
};

/** How an exchange ended: status and time, or what the connection said; for a call that came about, how long it was. */
export function exchangeResult(exchange: Exchange): string {
  const { outcome, response, detail, timing, call } = exchange;
  if (call && hasConnection(exchange)) return callResult(call);
  const took = timing.totalMs === null ? undefined : duration(timing.totalMs);
  if (outcome === 'answered' && response) return `${response.status}${took === undefined ? '' : ` in ${took}`}`;
  const after = took === undefined ? '' : ` after ${took}`;
  return `${outcomeOfExchange[outcome]}${after}${detail === undefined ? '' : `: ${detail}`}`;
}

/** What a property's smallest failing input is: the steps of a dialogue are a list. */
export function eventWord({ event }: Counterexample): 'event' | 'dialogue' {
  return event.trimStart().startsWith('[') ? 'dialogue' : 'event';
}

/** The upgrade was accepted, so there was a call to speak of (RFC 6455, 4.2.2). */
export function hasConnection({ response }: Exchange): boolean {
  return response?.status === 101;
}

/** Who ended a call, and how: `closed by the AI with 1006`. */
export function callEnding({ end }: CallRecord): string {
  return end ? `closed by the ${end.by === 'ai' ? 'AI' : 'service'} with ${end.code}` : 'not closed';
}

function callResult(call: CallRecord): string {
  const { frames, framesLeftOut, end } = call;
  const lasted = end?.atMs ?? frames.at(-1)?.atMs ?? 0;
  const time = lasted < 1000 ? duration(lasted) : longDuration(lasted);
  return `${counted(frames.length + framesLeftOut, 'frame')}, ${time}, ${callEnding(call)}`;
}

function shortId(id: string): string {
  return id.length <= 12 ? id : `${id.slice(0, 8)}…`;
}
