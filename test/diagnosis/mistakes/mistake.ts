import type { CauseId } from '../../../diagnosis/causes.ts';
import type { ResolvedConfig } from '../../../harness/config/settings.ts';
import type { DiagnosedSurface } from '../../../specs/generated/types.ts';
import type { Framework } from '../../independent/start-endpoint.ts';

export const mistakeGroups = {
  gate: 'a gate in front of the endpoint',
  text: 'text that the endpoint cannot handle',
  weakness: 'a weakness that hides a failure',
  refusal: 'refusals with another status',
  answer: 'answers and what customers write in them',
  later: 'callbacks, replies and data of others',
  scheme: 'signature schemes of frameworks',
  clock: 'times compared incorrectly',
  conduct: 'locks and slowness',
  pair: 'two mistakes at once',
  right: 'correct, but unusual',
} as const;
export type MistakeGroup = keyof typeof mistakeGroups;

export const secret = 'whsec_bWlz/GFrZXMgb2Yg+W50ZWdyYXRvcnM=';
export const token = 'Xv4Ks9Tq2Lw7Rb1Hn6Zc3Md8Pf5Gj0Ye';
export const apiKey = 'svc_sk_of-the-mistakes';
export const endpointPath = '/api/svc';

export interface RunningMistake extends AsyncDisposable {
  /** Without a path. */
  origin: string;
  /** By default {@link endpointPath}. */
  path?: string;
  stimuli?: ResolvedConfig['stimuli'];
}

/** An endpoint with one mistake, and what a diagnosis must report. */
export interface Mistake {
  /** The mistake, or what is unusual about a correct endpoint. */
  name: string;
  group: MistakeGroup;
  surface: Exclude<DiagnosedSurface, 'own-ai-phone'>;
  /** Any of these is a correct first result; without one, the endpoint is correct. */
  causes: readonly CauseId[];
  /** Also reported, as a cause or a suspect: further mistakes of the same endpoint. */
  and?: readonly CauseId[];
  /** Only the events of a failed check show these; `check` reports them as well. */
  ofCheck?: readonly CauseId[];
  /** `check` may report these too: the program without the mistake has them, or it is among what a check suspects. */
  mayAlso?: readonly CauseId[];
  /** As the first suspect, these state what happens, but not why: the mistake is undetermined then. */
  symptoms?: readonly CauseId[];
  /** The cause cannot be proved from outside: it must be the first suspect. */
  isSuspected?: true;
  /** Its program is one of test/independent, which cannot run everywhere. */
  framework?: Framework;
  start: () => Promise<RunningMistake>;
}
