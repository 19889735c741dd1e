import type { DiagnosedSurface, StageName } from '../specs/generated/types.ts';
import type { ProbeName } from './for-requirement.ts';

/** Stages in which probes ask, once something of the interface can be asked. */
export type AskingStage = Extract<StageName, 'authentication' | 'protocol' | 'behaviour'>;

/** What is asked in which stage, in this order: what others build on comes first, and the cheaper before the dearer. */
export const probeOrder: Readonly<Record<DiagnosedSurface, Readonly<Record<AskingStage, readonly ProbeName[]>>>> = {
  'own-ai-chat': {
    authentication: ['signature'],
    protocol: ['answer', 'payload'],
    behaviour: ['timing', 'callback', 'deduplication'],
  },
  'own-ai-phone': { authentication: ['upgrade', 'signature'], protocol: ['call'], behaviour: ['dialogue'] },
  'crm-webhook': {
    authentication: ['token'],
    protocol: ['answer', 'payload'],
    behaviour: ['timing', 'callback', 'deduplication'],
  },
  'api-webhooks': {
    authentication: ['signature'],
    protocol: ['payload'],
    behaviour: ['timing', 'deduplication'],
  },
};
