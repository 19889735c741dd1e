import type { LoadReport, LoadStep, LoadSurface } from '../../specs/generated/types.ts';
import { counted, formatDuration } from './wording.ts';

/** `12 deliveries per second`, `1 concurrent call`. */
export function labelLoad(load: number, unit: LoadSurface['unit']): string {
  return unit === 'concurrent-calls'
    ? counted(load, 'concurrent call')
    : `${counted(load, 'delivery', 'deliveries')} per second`;
}

/** The result of one surface, as a sentence or two. */
export function describeLoad({ unit, deadline, meets, misses, ended, steps }: LoadSurface): string {
  const missing = steps.findLast(({ load, outcome }) => load === misses && outcome === 'missed');
  const isLate = deadline !== null && (missing?.late ?? 0) > 0;
  const keeps = deadline ? `meets its deadline of ${formatDuration(deadline.ms)}` : 'accepts every event';
  const fails = unit === 'concurrent-calls' ? 'does not handle every call' : 'does not accept every event';
  const breaks = isLate ? 'misses it' : fails;
  const met = meets === null ? '' : `The endpoint ${keeps} up to ${labelLoad(meets, unit)}`;
  const missed = misses === null ? '' : `${breaks} at ${misses}`;
  const last = labelLoad(steps.at(-1)?.load ?? 0, unit);
  switch (ended) {
    case 'maximum-load':
      return `${met}, the maximum of this run.`;
    case 'first-load':
      return `The endpoint ${isLate ? `misses its deadline of ${formatDuration(deadline.ms)}` : fails} at the first load, ${labelLoad(Number(misses), unit)}.`;
    case 'own-lag':
      return `${met === '' ? '' : `${met}. `}No more could be judged: svc-conform itself was too slow at ${last}.`;
    case 'nothing-timed':
      return `${met === '' ? '' : `${met}. `}No more could be judged: no answer had a time to judge at ${last}.`;
    case 'process-limit':
      return `${met === '' ? '' : `${met}. `}No more could be judged: at ${last}, more answers are pending than one process of svc-conform can await.`;
    case 'limit':
      return `${met === '' ? '' : `${met}. `}The limits of the config permit no more.`;
    case 'not-recovered':
      return `${met} and ${missed}. After that, it did not handle single events in time again.`;
    case 'maximum-time':
      return `${[met, missed].filter((part) => part !== '').join(' and ')}. The maximum time ended the search.`;
    case 'edge':
      return `${met} and ${missed}.`;
  }
}

/** The outcome of a step: `met`, `3 late, 1 without success`. */
export function labelStep({ outcome, late, failed }: LoadStep): string {
  if (outcome === 'own-lag') return 'svc-conform was too slow';
  if (outcome === 'nothing-timed') return 'no answer to time';
  if (outcome === 'process-limit') return 'too many answers pending';
  if (outcome === 'limit') return 'limit of the config';
  const parts = [...(late > 0 ? [`${late} late`] : []), ...(failed > 0 ? [`${failed} without success`] : [])];
  return parts.length === 0 ? 'met' : parts.join(', ');
}

/** The outcome of a step with its reason: `1 without success: status 503 …`. */
export function describeStep(step: LoadStep): string {
  const { outcome, failure } = step;
  return outcome === 'missed' && failure !== undefined ? `${labelStep(step)}: ${failure}` : labelStep(step);
}

/** The reason for the verdict; `undefined` where the surfaces have it. */
export function describeLoadReason({ verdict, surfaces }: LoadReport): string | undefined {
  if (verdict === 'incomplete') return undefined;
  if (verdict === 'conformant') return 'no requirement failed under load';
  const isMust = verdict === 'non-conformant';
  const level = isMust ? 'must' : 'should';
  const failed = surfaces.flatMap(({ findings }) => findings).filter((finding) => finding.level === level).length;
  if (failed > 0) return `${counted(failed, `${level.toUpperCase()} requirement`)} failed under load`;
  const isFirst = surfaces.some(({ ended, steps }) => ended === 'first-load' && (steps.at(-1)?.late ?? 0) > 0);
  return isFirst ? 'the first load missed the deadline' : 'after a miss, single events are late';
}

/** The verdict with its reason. */
export function describeLoadVerdict(report: LoadReport): string {
  const reason = describeLoadReason(report);
  return reason === undefined ? report.verdict : `${report.verdict}: ${reason}`;
}
