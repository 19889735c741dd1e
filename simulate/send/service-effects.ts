import type { ServiceEvent } from '../../service/service-events.ts';

/** Describes the effects of events of the service that are visible outside of it, a sentence each. */
export function serviceEffects(events: readonly ServiceEvent[]): string[] {
  return events.flatMap((event) => describeEffect(event) ?? []);
}

function describeEffect({ type, text, data }: ServiceEvent): string | undefined {
  const said = typeof data['text'] === 'string' ? `: “${data['text']}”` : '';
  switch (type) {
    case 'to-customer':
      return data['kind'] === 'text'
        ? `The message text is sent at once on ${String(data['channel'])}${said}`
        : data['channel'] === 'phone'
          ? `The caller hears${said}`
          : `The customer gets ${text}.`;
    case 'to-team':
      return {
        note: `The team sees a note${said}`,
        push: `The team is notified${said}`,
        alert: `The team gets an alert${said}`,
      }[String(data['kind'])];
    case 'auto-reply':
      return `Auto-reply of the conversation is now ${String(data['state'])} (${String(data['why'])}).`;
    case 'skill':
      return describeSkill(data);
    case 'crm-data': {
      const changed = Array.isArray(data['changed']) ? data['changed'].join(', ') : '';
      return `The ${String(data['of'])} gets ${changed}.`;
    }
    case 'api-request':
    case 'delivery':
    case 'callback':
    case 'customer':
    case 'appointment':
    case 'call':
    case 'clock':
      return undefined;
  }
}

function describeSkill({ key, ok, reason }: ServiceEvent['data']): string {
  const name = `Skill ${String(key)}`;
  const why = typeof reason === 'string' ? reason : undefined;
  if (ok !== true) return `${name} is refused${why === undefined ? '' : `: ${why}`}.`;
  return why === undefined ? `${name} is executed.` : `${name} is accepted: ${why}.`;
}
