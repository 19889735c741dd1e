import { limits } from '../specs/limits.ts';
import type { Appointment, CrmEvent } from '../specs/generated/types.ts';
import { answerData } from './describe-answer.ts';
import { timestamp } from './clock.ts';
import type { Contacts } from './contacts.ts';
import type { Conversations } from './conversations.ts';
import { readCrmBody, readCrmResponse, type CrmParts } from './read-crm-answer.ts';
import { callbackRefusals, CrmCallbacks, type CallbackAddress } from './crm-callbacks.ts';
import type { InboxCore } from './inbox-core.ts';
import type { OutboundAnswer } from './outbound.ts';
import { Problem } from './problem.ts';
import { shownAddress, withoutSecrets } from './without-secrets.ts';
import type { ContactRecord, ProjectRecord } from './workspace.ts';
import { lookupEventTypes } from '../specs/crm-event-types.ts';

/** An inbox with the parts that the CRM webhook uses. */
interface CrmInbox extends InboxCore {
  readonly contacts: Contacts;
  readonly conversations: Conversations;
}

export type CrmEventType = CrmEvent['eventType'];

/** The subject of a CRM event. */
export interface CrmAbout {
  contact: ContactRecord;
  project: ProjectRecord;
  /** For appointment events only. */
  appointment?: Appointment;
}

/** Outcome of a CRM event. `tries` counts the deliveries: 2 after a repetition. */
export type CrmOutcome =
  /** The inbox has no CRM webhook; nothing was sent. */
  | { outcome: 'not-configured' }
  /** 200: the flagged parts were applied. */
  | { outcome: 'applied'; contact: boolean; project: boolean; tries: number }
  /** 204. */
  | { outcome: 'nothing-to-add'; tries: number }
  /** 202: one callback is awaited. */
  | { outcome: 'later'; tries: number }
  /** 200 with an invalid body: nothing was applied, nothing is sent again. */
  | { outcome: 'invalid'; reason: string; tries: number }
  /** Neither delivery got a valid answer in time. */
  | { outcome: 'failed'; reason: string; tries: number };

/** The service waits for the answers to these events before it greets (interface: CRM webhook events). */
const lookups: readonly CrmEventType[] = lookupEventTypes;

/** Milliseconds for the answer to any other event. The interface states no limit. */
const otherAnswersMs = 10_000;
/** Bytes of an answer that are read: far more than all fields together. */
const answerBytes = 1_048_576;

interface CrmEventContent extends CrmAbout {
  eventType: CrmEventType;
}

/** Reports events to the integrator's CRM, and applies its answers (interface: CRM webhook). */
export class CrmWebhook {
  readonly #inbox: CrmInbox;
  readonly #callbacks: CrmCallbacks<CrmEventContent>;

  constructor(inbox: CrmInbox) {
    this.#inbox = inbox;
    this.#callbacks = new CrmCallbacks(inbox.ids, inbox.clock);
  }

  /**
   * Sends an event, again if the answer is late or a failure, and applies the answer. Resolves with the outcome; never
   * rejects because of the other side.
   */
  async send(eventType: CrmEventType, { contact, project, appointment }: CrmAbout): Promise<CrmOutcome> {
    const { workspace, contacts, conversations, clock, baseUrl } = this.#inbox;
    const target = workspace.crmWebhook;
    if (!target) return { outcome: 'not-configured' };
    const event: CrmEventContent = { eventType, contact, project, ...(appointment && { appointment }) };
    const address = this.#callbacks.give(event);
    const body = Buffer.from(
      JSON.stringify({
        eventType,
        timestampUtc: timestamp(clock.now()),
        callbackUrl: `${baseUrl()}/callbacks/${address.place}`,
        contactData: contacts.contactData(contact),
        projectData: conversations.projectData(project),
        appointmentData: appointment ?? null,
      }),
    );
    const request = {
      method: 'POST' as const,
      url: target.url,
      headers: [
        ['Content-Type', 'application/json'],
        ['User-Agent', 'svc-conform'],
        ['Authorization', `Bearer ${target.token}`],
      ] as const,
      body,
    };
    const timeoutMs = lookups.includes(eventType) ? limits.crmLookupAnswerMs : otherAnswersMs;
    for (let tries = 1; ; tries++) {
      const answer = await this.#inbox.outbound.post(() => request, {
        eventType,
        isRetry: tries > 1,
        timeoutMs,
        maxBodyBytes: answerBytes,
      });
      const outcome = this.#take(answer, address, tries);
      const isLast = outcome.outcome !== 'failed' || tries > limits.crmRedeliveries || this.#inbox.hasEnded;
      this.#logDelivery(event, target.url, answer, outcome, tries, isLast);
      if (!isLast) continue;
      this.#settle(address, outcome);
      return outcome;
    }
  }

  /** Sends ConversationPaused. Auto-reply is unchanged. */
  async conversationPaused(project: ProjectRecord): Promise<CrmOutcome> {
    const contact = this.#inbox.conversations.contactOf(project);
    return await this.send('ConversationPaused', { contact, project });
  }

  /**
   * Handles a POST to a callback address (interface: CRM webhook answer): 200 without a body when it counts, else
   * problem details; `undefined` for an address of another inbox. A callback that arrives before its event is answered
   * counts once the answer is there.
   *
   * @param search the query as received, with or without its question mark
   */
  handleCallback(token: string, search: string, body: Uint8Array): { status: number; body?: unknown } | undefined {
    const address = this.#callbacks.find(token, search);
    if (!address) return undefined;
    if (address.state === 'asked' && address.early === undefined) {
      address.early = body;
      return { status: 200 };
    }
    if (address.state !== 'open') {
      const why = callbackRefusals[address.state === 'asked' ? 'taken' : address.state];
      this.#logCallback(address.about, `refused: ${why}`, { taken: false, reason: why });
      return refused(new Problem('not_found', why));
    }
    return this.#applyCallback(address, body);
  }

  #take(
    answer: OutboundAnswer,
    { about: { contact, project } }: CallbackAddress<CrmEventContent>,
    tries: number,
  ): Exclude<CrmOutcome, { outcome: 'not-configured' }> {
    const read = readCrmResponse(answer);
    switch (read.kind) {
      case 'parts':
        return { outcome: 'applied', ...this.#apply(read.parts, contact, project), tries };
      case 'invalid':
      case 'failed':
        return { outcome: read.kind, reason: this.#shown(read.reason), tries };
      case 'nothing-to-add':
      case 'later':
        return { outcome: read.kind, tries };
    }
  }

  /** Opens or closes the callback address, after the event was answered or failed for good. */
  #settle(address: CallbackAddress<CrmEventContent>, { outcome }: CrmOutcome): void {
    const { early, about } = address;
    if (outcome === 'later' || outcome === 'failed') {
      this.#callbacks.open(address, () => {
        if (outcome !== 'later') return;
        const minutes = limits.crmCallbackWithinMs / 60_000;
        this.#logCallback(about, `none came within ${minutes} minutes`, { taken: false, reason: 'none came' });
      });
      if (early) this.#applyCallback(address, early);
      return;
    }
    this.#callbacks.close(address, 'answered');
    if (!early) return;
    const why = callbackRefusals.answered;
    this.#logCallback(about, `not applied: ${why}`, { taken: false, reason: why });
  }

  #applyCallback(address: CallbackAddress<CrmEventContent>, body: Uint8Array): { status: number; body?: unknown } {
    const { about } = address;
    // Each event has exactly one callback, whatever its body.
    this.#callbacks.close(address, 'taken');
    const read = readCrmBody('crmCallback', body);
    if ('invalid' in read) {
      const reason = this.#shown(read.invalid);
      this.#logCallback(about, `invalid, nothing applied: ${reason}`, { taken: true, valid: false, reason });
      return refused(new Problem('invalid_request', `The callback is invalid: ${reason}.`));
    }
    const applied = this.#apply(read.parts, about.contact, about.project);
    this.#logCallback(about, describeApplied(applied), { taken: true, valid: true, applied });
    return { status: 200 };
  }

  #apply(
    { contactData, projectData }: CrmParts,
    contact: ContactRecord,
    project: ProjectRecord,
  ): { contact: boolean; project: boolean } {
    if (contactData) this.#inbox.contacts.applyCrm(contact, contactData);
    if (projectData) this.#inbox.conversations.applyCrm(project, projectData);
    return { contact: contactData !== undefined, project: projectData !== undefined };
  }

  #logDelivery(
    { eventType, project, appointment }: CrmEventContent,
    url: string,
    answer: OutboundAnswer & { ms: number },
    result: Exclude<CrmOutcome, { outcome: 'not-configured' }>,
    attempt: number,
    isLast: boolean,
  ): void {
    const again = isLast ? '' : '; it is sent again';
    this.#inbox.log(
      'delivery',
      `${eventType} to ${shownAddress(url)}: ${describeResult(result)}${again}`,
      {
        kind: 'crm-webhook',
        eventType,
        url: shownAddress(url),
        attempt,
        ...answerData(answer),
        result: result.outcome,
        ...('reason' in result && { reason: result.reason }),
        ...(result.outcome === 'applied' && { applied: { contact: result.contact, project: result.project } }),
        ...(appointment && { appointmentId: appointment.id }),
      },
      project,
    );
  }

  #logCallback({ eventType, project }: CrmEventContent, text: string, data: Record<string, unknown>): void {
    this.#inbox.log('callback', `callback to ${eventType}: ${text}`, { eventType, ...data }, project);
  }

  #shown(text: string): string {
    return withoutSecrets(this.#inbox.workspace, text);
  }
}

function describeResult(result: Exclude<CrmOutcome, { outcome: 'not-configured' }>): string {
  switch (result.outcome) {
    case 'applied':
      return `200, ${describeApplied(result)}`;
    case 'nothing-to-add':
      return '204, nothing to add';
    case 'later':
      return `202, a callback is awaited for ${limits.crmCallbackWithinMs / 60_000} minutes`;
    case 'invalid':
      return `200 with an invalid body, nothing applied: ${result.reason}`;
    case 'failed':
      return result.reason;
  }
}

function describeApplied({ contact, project }: { contact: boolean; project: boolean }): string {
  if (!contact && !project) return 'nothing was flagged, nothing applied';
  return `applied to ${[contact && 'contact', project && 'project'].filter(Boolean).join(' and ')}`;
}

function refused({ status, body }: Problem): { status: number; body: unknown } {
  return { status, body };
}
