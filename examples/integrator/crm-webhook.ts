import { hasBearerToken } from './bearer-token.ts';
import type { BrandedNames } from './branded-names.ts';
import type { CrmRecords } from './crm-records.ts';
import type { Answer, AnswerMode, Handler, Log } from './exchange.ts';
import type { Journal } from './journal.ts';
import { asInteger, asObject, asText, cut, parseObject } from './json.ts';
import type { JsonObject } from './json.ts';
import type { OutgoingPost } from './outgoing-post.ts';
import { SeenOnce } from './seen-once.ts';

/** The index is the number of the event until October 2026. */
const LEGACY_NUMBERS = [
  'IncomingCallLookup',
  'FinishedCall',
  'NewConversation',
  'ConversationPaused',
  'Manual',
  'FormSubmitted',
];

const NOTE_UNITS = 2_000;

/** Answer to an event, in the response or at the callback. Only flagged parts are applied, so only they are sent. */
interface CrmAnswer {
  requestContactUpdate: boolean;
  contactData?: JsonObject;
  requestProjectUpdate: boolean;
  projectData?: JsonObject;
}

export interface CrmWebhookOptions {
  token: string;
  answer: AnswerMode;
  names: BrandedNames;
  records: CrmRecords;
  journal: Journal;
  post: (request: OutgoingPost) => Promise<number>;
  log: Log;
}

/** POST /crm: gives context before a conversation, files the summary after it. Interface: CRM webhook. */
export function crmWebhook({ token, answer: mode, names, ...options }: CrmWebhookOptions): Handler {
  const { records, journal, post, log } = options;
  const seen = new SeenOnce<Answer>();
  // Other events need nothing from us: like unknown ones, they get a 204.
  const answers = new Map<unknown, (event: JsonObject, delivery: string) => Promise<CrmAnswer | undefined>>([
    ['IncomingCallLookup', lookUp],
    ['NewConversation', lookUp],
    ['FinishedCall', fileSummary],
    ['ConversationPaused', fileSummary],
  ]);

  return async ({ headers, body }) => {
    if (!hasBearerToken(headers.authorization, token))
      return { status: 401, headers: { 'www-authenticate': 'Bearer' } };
    const event = parseObject(body);
    if (event === undefined) return { status: 400 };

    // Comes before any other check: an unknown event may have another shape.
    const answerTo = answers.get(eventName(event['eventType']));
    if (answerTo === undefined) return { status: 204 };
    const callbackUrl = asText(event['callbackUrl']);
    if (callbackUrl === undefined) return { status: 400 };

    const find = () => answerTo(event, callbackUrl);
    // One callbackUrl is one event: the service repeats it when an answer was slow or lost.
    const { outcome, first } = seen.run(callbackUrl, async () => {
      if (mode === 'later') return { status: 202 };
      const found = await find();
      return found === undefined ? { status: 204 } : { status: 200, body: found };
    });
    const answer = await outcome;
    if (mode !== 'later' || !first) return answer;
    return { ...answer, afterwards: async () => callBack(callbackUrl, await find()) };
  };

  /** A 202 promises exactly one callback, so there is one even if nothing was found. It carries no token. */
  async function callBack(url: string, found: CrmAnswer | undefined): Promise<void> {
    try {
      const status = await post({ url, body: found ?? { requestContactUpdate: false, requestProjectUpdate: false } });
      if (status >= 300) log(`CRM callback: answered ${String(status)}`);
    } catch {
      log('CRM callback: no answer');
    }
  }

  async function lookUp(event: JsonObject): Promise<CrmAnswer | undefined> {
    const phone = asText(asObject(event['contactData'])?.['phoneNumber']);
    const customer = phone === undefined ? undefined : await records.findByPhone(phone);
    if (customer === undefined) return undefined;
    const { crmContactId, firstName, lastName, aiInfo: crmAiInfo } = customer;
    const contactData = { crmContactId, firstName, lastName, crmAiInfo };
    return { requestContactUpdate: true, contactData, requestProjectUpdate: false };
  }

  async function fileSummary(event: JsonObject, delivery: string): Promise<CrmAnswer | undefined> {
    const project = asObject(event['projectData']);
    const svcProjectId = asInteger(project?.[names.projectId]);
    if (project === undefined || svcProjectId === undefined) return undefined;
    const crmProjectId = await records.caseOf(svcProjectId, asText(project['crmProjectId']));
    const summary = asText(project['inquirySummary']) ?? asText(project['currentSummary']);
    if (summary !== undefined) await records.addNote({ crmProjectId, text: cut(summary, NOTE_UNITS) });
    journal.effect({ surface: 'crm-webhook', delivery, did: `filed under ${crmProjectId}` });
    return { requestContactUpdate: false, requestProjectUpdate: true, projectData: { crmProjectId } };
  }
}

function eventName(eventType: unknown): unknown {
  return typeof eventType === 'number' ? LEGACY_NUMBERS[eventType] : eventType;
}
