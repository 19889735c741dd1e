import { describeFrame } from '../../reports/text/describe-frame.ts';
import { formatDuration } from '../../reports/text/wording.ts';
import type { Brand } from '../../specs/brand.ts';
import type { ServiceEvent, ServiceEventType } from '../../service/service-events.ts';

/** Arrows from the service's point of view: it sends, it receives, it changes. */
const arrows = { out: '→', in: '←', inside: '·' } as const;

/** The direction of each event type and its other party. */
const whoAndWhere: Readonly<Record<ServiceEventType, readonly [direction: keyof typeof arrows, who: string]>> = {
  'api-request': ['in', 'client'],
  delivery: ['out', 'endpoint'],
  callback: ['in', 'endpoint'],
  customer: ['in', 'customer'],
  'to-customer': ['out', 'customer'],
  'to-team': ['out', 'team'],
  'auto-reply': ['inside', 'auto-reply'],
  appointment: ['inside', 'appointment'],
  skill: ['inside', 'skill'],
  call: ['inside', 'call'],
  'crm-data': ['inside', 'CRM data'],
  clock: ['inside', 'clock'],
};

/** Columns of the longest name of a party. */
export const whoWidth = Math.max(...Object.values(whoAndWhere).map(([, who]) => who.length));

/** Describes an event and its party. A frame of a call is described as in reports. */
export function describeEvent(event: ServiceEvent): { arrow: string; who: string; text: string } {
  const { type, text, data } = event;
  const { from, frame, pieces } = data;
  if (type === 'call' && typeof frame === 'string' && (from === 'ai' || from === 'service')) {
    const { who, what } = describeFrame({ n: 0, from, atMs: 0, text: frame, bytes: Buffer.byteLength(frame) });
    const count = typeof pieces === 'number' ? ` (${pieces} pieces)` : '';
    return { arrow: arrows[from === 'ai' ? 'in' : 'out'], who: 'call', text: `${who} ${what}${count}` };
  }
  const [direction, who] = whoAndWhere[type];
  return { arrow: arrows[direction], who, text: text.replace(/^call: /, '') + formatStatus(event) };
}

/** Formats status and time, unless the message has the status. */
function formatStatus({ type, text, data: { status, ms } }: ServiceEvent): string {
  if (type !== 'delivery' && type !== 'api-request') return '';
  const parts = [
    ...(typeof status === 'number' && !text.includes(String(status)) ? [String(status)] : []),
    ...(typeof ms === 'number' ? [formatDuration(ms)] : []),
  ];
  return parts.length === 0 ? '' : `  (${parts.join(', ')})`;
}

/** Events that state names of fields; the others quote what people and the AI said. */
const withFields: ReadonlySet<ServiceEventType> = new Set(['api-request', 'delivery', 'callback', 'crm-data']);

/** The event with the names of fields as the vendor spells them. */
export function withBrand(event: ServiceEvent, brand: Brand): ServiceEvent {
  return withFields.has(event.type) ? brand.value(event) : event;
}

/** Whether the other side has failed. */
export function hasFailed({ type, data: { status, outcome } }: ServiceEvent): boolean {
  if (typeof status === 'number') return status >= 400;
  return type === 'delivery' && typeof outcome === 'string' && outcome !== 'answered';
}
