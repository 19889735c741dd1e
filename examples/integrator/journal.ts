/** Enough to look back over a test run; the rest is dropped, oldest first. */
const KEEP = 1_000;

/** Something that a delivery changed. `delivery` is what the surface deduplicates on. */
export interface Effect {
  surface: 'crm-webhook' | 'api-webhooks' | 'own-ai-chat';
  delivery: string;
  did: string;
}

/** A reply to a chat message, and what became of it. */
export interface Reply {
  delivery: string;
  projectId: number;
  how: 'answer' | 'agent-reply';
  outcome: 'answered' | 'sent' | 'dropped' | 'failed';
  /** HTTP status of the agent reply; null when none came. */
  status: number | null;
  text: string;
  action: string;
}

/**
 * What the integrator did, for GET /state. It lists effects and no requests: a delivery that comes twice must leave it
 * unchanged the second time.
 */
export class Journal {
  readonly effects: Effect[] = [];
  readonly replies: Reply[] = [];

  effect(entry: Effect): void {
    keepLast(this.effects, entry);
  }

  reply(entry: Reply): void {
    keepLast(this.replies, entry);
  }
}

function keepLast<T>(list: T[], entry: T): void {
  list.push(entry);
  if (list.length > KEEP) list.shift();
}
