import type { CallLanguage } from '../specs/generated/types.ts';

/** The service's own sentences in calls. Their wording is ours; the interface only says that there are some. */
export const phoneLines = {
  'de-DE': {
    greeting: (name) => `Guten Tag${name === undefined ? '' : `, ${name}`}. Was kann ich für Sie tun?`,
    transfer: 'Einen Augenblick bitte, ich verbinde Sie.',
    leaveMessage: 'Bitte hinterlassen Sie eine Nachricht, wir melden uns bei Ihnen.',
  },
  'en-US': {
    greeting: (name) => `Hello${name === undefined ? '' : `, ${name}`}. What can I do for you?`,
    transfer: 'One moment please, I am putting you through.',
    leaveMessage: 'Please leave a message, and we will get back to you.',
  },
} as const satisfies Record<
  CallLanguage,
  { greeting: (name: string | undefined) => string; transfer: string; leaveMessage: string }
>;
