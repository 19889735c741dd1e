import type { NotJudged } from '../../specs/generated/types.ts';
import { configKeyOf, isSurface } from '../../specs/surfaces.ts';

const labels: Readonly<Record<Exclude<NotJudged, 'not-configured' | 'unobservable'>, string>> = {
  'not-selected': 'not selected in this run',
  'other-shard': 'left to the other shards of this run',
  'not-recorded': 'not judged from recorded traffic',
  'no-check': 'no check ran',
  stopped: 'not judged before the run was stopped',
};

/** Why no check judged a requirement of this surface. `unobservable` is the reason in the catalogue. */
export function describeNotJudged(
  reason: NotJudged,
  { surface, unobservable = '' }: { surface: string; unobservable?: string | undefined },
): string {
  if (reason === 'unobservable') return unobservable;
  return reason === 'not-configured' ? describeNotConfigured(surface) : labels[reason];
}

/** States that a surface is not configured, with its config key. */
export function describeNotConfigured(surface: string): string {
  const key = isSurface(surface) ? configKeyOf(surface) : undefined;
  return key === undefined ? `${surface} is not configured` : `${surface} is not configured (config key ${key})`;
}
