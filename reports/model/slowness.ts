import type { Slowness } from '../../specs/generated/types.ts';

/** Median in milliseconds from which answers are slow: a person on the phone or in a chat notices it. */
const slowMs = 1_000;
/** Exchanges without any answer from which a type of event counts as unanswered. */
const fewestSilences = 2;

/** The time of one exchange. */
export interface MeasuredExchange {
  readonly surface: string;
  /** The type of the event, or what else was awaited. */
  readonly what: string;
  /** Milliseconds; of a silent one, how long an answer was awaited. */
  readonly ms: number;
  readonly isSilent?: true;
}

/** The requests for which an endpoint was slow, or which it never answered: the slowest first. */
export function slownessOf(exchanges: readonly MeasuredExchange[]): Slowness[] {
  const groups = Map.groupBy(exchanges, ({ surface, what }) => JSON.stringify([surface, what]));
  return inOrder(
    [...groups.values()].flatMap((group) => {
      const [first] = group as [MeasuredExchange];
      const answers = group.flatMap(({ ms, isSilent }) => (isSilent ? [] : [ms])).toSorted((a, b) => a - b);
      const medianMs = answers[Math.floor(answers.length / 2)];
      const unanswered = group.length - answers.length;
      if (medianMs === undefined ? unanswered < fewestSilences : medianMs < slowMs) return [];
      const longestMs = Math.max(...(medianMs === undefined ? group.map(({ ms }) => ms) : answers));
      const { surface, what } = first;
      return [
        {
          surface,
          what,
          answers: answers.length,
          unanswered,
          ...(medianMs !== undefined && { medianMs: Math.round(medianMs) }),
          longestMs: Math.round(longestMs),
        },
      ];
    }),
  );
}

/** The same from the shards of a run, whose medians are compared, not combined. */
export function mergeSlowness(shards: readonly (readonly Slowness[])[]): Slowness[] {
  const groups = Map.groupBy(shards.flat(), ({ surface, what }) => JSON.stringify([surface, what]));
  return inOrder(
    [...groups.values()].map((group) => {
      const medians = group.flatMap(({ medianMs }) => medianMs ?? []);
      const { medianMs: _, ...first } = (group as [Slowness])[0];
      return {
        ...first,
        answers: sum(group.map(({ answers }) => answers)),
        unanswered: sum(group.map(({ unanswered }) => unanswered)),
        ...(medians.length > 0 && { medianMs: Math.max(...medians) }),
        longestMs: Math.max(...group.map(({ longestMs }) => longestMs)),
      };
    }),
  );
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((one, other) => one + other, 0);
}

function inOrder(all: readonly Slowness[]): Slowness[] {
  return all.toSorted((a, b) => timeOf(b) - timeOf(a) || (a.what < b.what ? -1 : 1));
}

function timeOf({ medianMs, longestMs }: Slowness): number {
  return medianMs ?? longestMs;
}
