import type { DiagnosedSurface, StageName } from '../specs/generated/types.ts';
import type { ProbeName } from '../specs/requirements/probe.ts';

/** Stages that run probes, after the connection has been established. */
export type ProbingStage = Extract<StageName, 'authentication' | 'protocol' | 'behaviour'>;

/** The probes of each stage in their order: prerequisites first, and cheaper ones before costlier ones. */
export const probeOrder: Readonly<Record<DiagnosedSurface, Readonly<Record<ProbingStage, readonly ProbeName[]>>>> = {
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
