import { asJson, type Reply } from '../receiver.ts';
import type { Mistake } from './mistake.ts';
import { answerCorrectly, isLookup, node, verifyCorrectly, type NodeSeams } from './node-endpoint.ts';

const right = (name: string, surface: Mistake['surface'], seams: () => NodeSeams = () => ({})) =>
  node({ name, group: 'right', surface, causes: [] }, seams);
/** Every 401 gets this answer. */
const refusedWith = (reply: Reply) => (): NodeSeams => ({
  verify: (request) => (verifyCorrectly(request) === undefined ? undefined : reply),
});

/** Correct endpoints, some of which look like faulty ones. */
export const rightOnes: readonly Mistake[] = [
  right('a correct own AI', 'own-ai-chat'),
  right('a correct receiver of webhooks', 'api-webhooks'),
  right('a correct CRM', 'crm-webhook'),
  // It locks a contact as well, but the next message waits instead of being refused.
  right('messages of one contact are handled one after the other', 'own-ai-chat', () => {
    const latest = new Map<unknown, Promise<unknown>>();
    return {
      answer: async (event) => {
        const id = event.data?.contact.id;
        const turn = (latest.get(id) ?? Promise.resolve()).then(() => answerCorrectly(event));
        latest.set(id, turn);
        return await turn;
      },
    };
  }),
  right('a CRM adds nothing with both flags first, and then with 204', 'crm-webhook', () => {
    const seen = new Set<unknown>();
    return {
      answer: (event): Reply => {
        const id = event.contactData?.svcContactId;
        const isFirst = id !== undefined && !seen.has(id);
        seen.add(id);
        if (!isLookup(event) || !isFirst) return { status: 204 };
        return asJson(200, { requestContactUpdate: false, requestProjectUpdate: false });
      },
    };
  }),
  right('a CRM sends the data of a contact in its first answer, and later in callbacks', 'crm-webhook', () => {
    const [seen, answered] = [new Set<unknown>(), new Map<string, Reply>()];
    return {
      answer: (event): Reply => {
        const id = event.contactData?.svcContactId;
        const before = answered.get(event.callbackUrl);
        if (before) return before;
        const isLater = isLookup(event) && seen.has(id);
        const reply: Reply = isLater ? { status: 202 } : answerCorrectly(event);
        answered.set(event.callbackUrl, reply);
        seen.add(id);
        if (!isLater) return reply;
        const data = { requestContactUpdate: true, contactData: { crmContactId: '7', crmAiInfo: 'A customer' } };
        const body = JSON.stringify({ ...data, requestProjectUpdate: false, projectData: null });
        const headers = { 'content-type': 'application/json' };
        void fetch(event.callbackUrl, { method: 'POST', body, headers }).catch(() => undefined);
        return reply;
      },
    };
  }),
  right('a CRM that knows no caller has no data for any lookup', 'crm-webhook', () => ({
    answer: (): Reply => ({ status: 204 }),
  })),
  right('pings are answered with pong', 'own-ai-chat', () => ({
    answer: (event) => (event.type === 'ping' ? { status: 200, body: 'pong' } : answerCorrectly(event)),
  })),
  right('every path refuses invalid signatures, before it is looked up', 'api-webhooks', () => ({
    gate: (request) => verifyCorrectly(request),
  })),
  right(
    'nginx replaces the refusals of a correct application',
    'api-webhooks',
    refusedWith({
      status: 401,
      body: '<html><body><h1>401 Authorization Required</h1><hr><center>nginx</center></body></html>',
      headers: { 'content-type': 'text/html', server: 'nginx' },
    }),
  ),
  right('every answer repeats the message with its braces and quotes', 'own-ai-chat', () => ({
    answer: (event) =>
      event.type === 'ping' ? asJson(200, {}) : asJson(200, { text: `{"${event.data.message.text}"}`.slice(0, 900) }),
  })),
];
