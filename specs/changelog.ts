import { protocolRevision } from './limits.ts';

/** One change that callers notice (interface: Versioning). */
export interface ChangelogEntry {
  /** Day, as in 2026-10-11, or month, as in 2026-10, where the interface tells no day. */
  readonly since: string;
  readonly surface: 'api' | 'crm-webhook' | 'own-ai';
  /** What a caller or receiver notices, in our own words. */
  readonly change: string;
  /** What to do about it, where something is to be done. */
  readonly todo?: string;
}

/** Every change that the interface tells of, the newest first; what `/v1/changelog` answers. */
export const changelog: readonly ChangelogEntry[] = [
  {
    since: protocolRevision,
    surface: 'own-ai',
    change: `The own-AI protocol has the revision ${protocolRevision}, in X-Svc-Agent-Protocol and as protocol in bodies and in session.started.`,
    todo: 'Ignore fields and values that you do not know, so that later revisions change nothing for you.',
  },
  {
    since: '2026-10',
    surface: 'crm-webhook',
    change: 'eventType of CRM events is a name; until then it was a number from 0 to 5.',
    todo: 'Take both while the transition lasts, and answer 204 to types that you do not know.',
  },
];
