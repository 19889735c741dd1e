import type { ProbeName } from '../specs/requirements/probe.ts';
import type { Probe } from './outcome.ts';

/** Loads a probe by its name: most runs need only a few. */
export type LoadProbe = (name: ProbeName) => Promise<Probe>;

const loaders: Readonly<Record<ProbeName, () => Promise<Probe>>> = {
  token: async () => (await import('./token/diagnose-token.ts')).diagnoseToken,
  upgrade: async () => (await import('./phone/diagnose-upgrade.ts')).diagnoseUpgrade,
  weakness: async () => (await import('./signature/find-weakness.ts')).findWeakness,
  signature: async () => (await import('./signature/diagnose-signature.ts')).diagnoseSignature,
  window: async () => (await import('./signature/find-window.ts')).findWindow,
  answer: async () => (await import('./answer/diagnose-answer.ts')).diagnoseAnswer,
  call: async () => (await import('./phone/diagnose-call.ts')).diagnoseCall,
  payload: async () => (await import('./payload/diagnose-payload.ts')).diagnosePayload,
  dialogue: async () => (await import('./phone/diagnose-dialogue.ts')).diagnoseDialogue,
  timing: async () => (await import('./timing/diagnose-timing.ts')).diagnoseTiming,
  deduplication: async () => (await import('./deduplication/diagnose-deduplication.ts')).diagnoseDeduplication,
  callback: async () => (await import('./callback/diagnose-callback.ts')).diagnoseCallback,
};

/** The probe of this name. */
export async function loadProbe(name: ProbeName): Promise<Probe> {
  return await loaders[name]();
}
