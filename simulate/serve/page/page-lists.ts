import { html } from '../../../reports/write/html/markup.ts';
import type { Brand } from '../../../specs/brand.ts';
import type { Exchange } from '../../../specs/generated/types.ts';
import type { Redact } from '../../../service/redact.ts';
import { redactionOf, shownAddress, withoutSecrets } from '../../../service/without-secrets.ts';
import type { ServiceInbox } from '../../../service/service-inbox.ts';
import type { AppointmentRecord } from '../../../service/workspace.ts';
import { timestamp } from '../../../service/clock.ts';
import { describeEvent, withBrand } from '../describe-event.ts';
import { shownExchange, type LoggedExchange, type TrafficLog } from '../traffic-log.ts';
import { conversationItem, labelContact, stepButton } from './conversation-item.ts';
import { exchangeItem } from './exchange-item.ts';
import { judgeExchange } from './judge-exchange.ts';
import type { KeyedItem } from './keyed-lists.ts';

/** Items of a list that are shown, the latest ones. */
const shownItems = 60;

/** The names of the lists on the page. */
export const listNames = [
  'endpoints',
  'customers',
  'conversations',
  'appointments',
  'calls',
  'deliveries',
  'requests',
  'events',
] as const;

export type ListName = (typeof listNames)[number];

/** What the page shows. */
export interface PageSource {
  inbox: ServiceInbox;
  traffic: TrafficLog;
  brand: Brand;
}

/** The current items of every list. No item contains a secret, and everything from outside is text. */
export function pageLists(source: PageSource): Readonly<Record<ListName, readonly KeyedItem[]>> {
  const { inbox, traffic } = source;
  const { workspace, events } = inbox;
  const exchanges = (kind: (one: Exchange['kind']) => boolean) =>
    latest(traffic.kept.filter(({ exchange }) => kind(exchange.kind))).map((one) => loggedItem(source, one));
  const shown = <Value>(value: Value) => withoutSecrets(workspace, value);
  return {
    endpoints: endpoints(inbox).map(([name, url], at) => ({
      key: `${at} ${name}`,
      item: html`<li><code>${shownAddress(url)}</code> <span class="quiet">${name}</span></li>`,
    })),
    customers: [...workspace.contacts.values()].flatMap((contact) =>
      contact.phone === null
        ? []
        : [
            {
              key: String(contact.id),
              item: html`<option value="${contact.phone}">${labelContact(shown(contact))}</option>`,
            },
          ],
    ),
    conversations: latest([...workspace.projects.values()]).map((project) => ({
      key: String(project.id),
      item: conversationItem(inbox, project),
    })),
    appointments: latest([...workspace.appointments.values()]).map((one) => ({
      key: String(one.id),
      item: appointmentItem(shown(one)),
    })),
    calls: exchanges((kind) => kind === 'call'),
    deliveries: exchanges((kind) => kind === 'http'),
    requests: exchanges((kind) => kind === 'api' || kind === 'callback'),
    events: latest(events.kept.filter(({ data }) => data['frame'] === undefined)).map((event) => {
      const { arrow, who, text } = describeEvent(withBrand(shown(event), source.brand));
      return {
        key: String(event.seq),
        item: html`<li>
          <time>${event.at.slice(11)}</time> <span class="quiet">${arrow} ${who}</span>
          <span class="said">${text}</span>
        </li>`,
      };
    }),
  };
}

/** Items of exchanges that do not change any more, with the redaction that they were made with. */
const finished = new WeakMap<LoggedExchange, { redact: Redact; item: KeyedItem }>();

function loggedItem({ inbox, brand }: PageSource, logged: LoggedExchange): KeyedItem {
  const { exchange, id: key } = logged;
  const redact = redactionOf(inbox.workspace);
  const known = finished.get(logged);
  if (known?.redact === redact) return known.item;
  const shown = brand.value(shownExchange(logged, redact));
  const verdict = withoutSecrets(inbox.workspace, judgeExchange(logged), { isForeign: true });
  const item = { key, item: exchangeItem(shown, verdict, { isRepeatable: logged.repeat !== undefined }) };
  if (exchange.kind !== 'call' || exchange.end !== undefined) finished.set(logged, { redact, item });
  return item;
}

function appointmentItem({ id: appointmentId, title, status, start }: AppointmentRecord) {
  return html`<li class="card">
    <h3>${title}</h3>
    <p class="quiet">appointment ${appointmentId}, ${timestamp(start)} UTC, ${status}</p>
    ${
      status === 'proposed' &&
      html`<p class="steps">
        ${stepButton('Customer accepts', { name: 'customer-accepts', body: { appointmentId } })}
        ${stepButton('Customer declines', { name: 'customer-declines', body: { appointmentId } })}
      </p>`
    }
  </li>`;
}

function endpoints({ workspace: { crmWebhook, agents, subscriptions } }: ServiceInbox): [name: string, url: string][] {
  const connected: [string, string][] = [
    ...(crmWebhook ? [['CRM events', crmWebhook.url] as [string, string]] : []),
    ...[...subscriptions.values()].map(({ url }): [string, string] => ['appointment events', url]),
    ...[...agents.values()].flatMap(({ chatUrl, voiceUrl }): [string, string][] => [
      ['chat messages', chatUrl],
      ['calls', voiceUrl],
    ]),
  ];
  return connected.filter(([, url]) => url !== '');
}

/** The latest items, newest first. */
function latest<Item>(items: readonly Item[]): Item[] {
  return items.slice(-shownItems).toReversed();
}
