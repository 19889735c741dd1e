import { protocolRevision } from './limits.ts';

/** One change that callers notice (interface: Versioning). */
export interface ChangelogEntry {
  /** Day, as in 2026-10-11, or month, as in 2026-10, where the interface states no day. */
  readonly since: string;
  readonly surface: 'api' | 'crm-webhook' | 'own-ai';
  /** Visible change for a caller or receiver, in our own words. */
  readonly change: string;
  /** Required action, if any. */
  readonly todo?: string;
}

/** Every change that the interface lists, newest first; the body of `/v1/changelog`. */
export const changelog: readonly ChangelogEntry[] = [
  {
    since: protocolRevision,
    surface: 'own-ai',
    change: `The revision of the own-AI protocol is ${protocolRevision}, sent in X-Svc-Agent-Protocol and as protocol in bodies and in session.started.`,
    todo: 'Ignore unknown fields and values, so that later revisions do not affect you.',
  },
  {
    since: '2026-10',
    surface: 'crm-webhook',
    change: 'eventType of CRM events is a name; before, it was a number from 0 to 5.',
    todo: 'Accept both during the transition, and answer 204 to unknown types.',
  },
];
