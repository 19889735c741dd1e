import type { Customer } from './crm-records.ts';

/** Something that is to be done for a customer. `id` is that of the record it comes from, so it never changes. */
export type Job = { id: string; crmContactId: string } & (
  | { kind: 'message'; text: string }
  | { kind: 'note'; title: string; text: string }
  /** A mail that went out elsewhere, to be seen in the conversation. */
  | { kind: 'mail'; subject: string; text: string; sentAt: string }
  | { kind: 'appointment'; title: string; start: string; durationMinutes: number }
);

const DAY_MS = 86_400_000;

/** Replace it with your table of jobs: something of each kind for every customer, for messages with their consent. */
export function sampleJobs(customers: readonly Customer[], now: number): Job[] {
  const dayFromNow = (days: number) => new Date(now + days * DAY_MS).toISOString().slice(0, 10);
  return customers.flatMap(({ crmContactId, firstName, serviceConsent }, index): Job[] => {
    const number = 310 + 2 * index;
    const orders = serviceConsent ? [number, number + 1] : [];
    return [
      ...orders.map((order): Job => ({
        kind: 'message',
        id: `order-${order}`,
        crmContactId,
        text: `Good morning, ${firstName}! Your order ${order} has arrived.`,
      })),
      {
        kind: 'note',
        id: `visit-${number}`,
        crmContactId,
        title: 'Visit in the shop',
        text: `${firstName} asked for a quote; number ${number}.`,
      },
      {
        kind: 'mail',
        id: `mail-${number}`,
        crmContactId,
        subject: `Quote ${number}`,
        text: `Please find attached our quote ${number}.`,
        sentAt: `${dayFromNow(-1)}T17:20:00+02:00`,
      },
      {
        kind: 'appointment',
        id: `fitting-${number}`,
        crmContactId,
        title: 'Fitting',
        start: `${dayFromNow(7)}T10:00:00+02:00`,
        durationMinutes: 30,
      },
    ];
  });
}
