import type { DiagnosedSurface, StageName } from '../specs/generated/types.ts';
import type { ProbeName } from '../specs/requirements/probe.ts';

/** Stages that run probes, after the connection has been established. */
export type ProbingStage = Extract<StageName, 'authentication' | 'protocol' | 'behaviour' | 'refusals'>;

/**
 * The probes of each stage in their order: prerequisites first, and cheaper ones before costlier ones. What invalid requests
 * get explains no failure of a valid one, so it comes last.
 */
export const probeOrder: Readonly<Record<DiagnosedSurface, Readonly<Record<ProbingStage, readonly ProbeName[]>>>> = {
  'own-ai-chat': {
    authentication: ['signature'],
    protocol: ['answer', 'payload'],
    behaviour: ['timing', 'callback', 'deduplication'],
    refusals: ['signature'],
  },
  'own-ai-phone': {
    authentication: ['upgrade', 'signature'],
    protocol: ['call'],
    behaviour: ['dialogue'],
    refusals: ['signature'],
  },
  'crm-webhook': {
    authentication: ['token'],
    protocol: ['answer', 'payload'],
    behaviour: ['timing', 'callback', 'deduplication'],
    refusals: ['token'],
  },
  'api-webhooks': {
    authentication: ['signature'],
    protocol: ['payload'],
    behaviour: ['timing', 'deduplication'],
    refusals: ['signature'],
  },
};
