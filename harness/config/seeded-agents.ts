import type { SeedAgent, SeedSkill } from '../../service/seed.ts';
import type { ResolvedConfig } from './settings.ts';

/**
 * The assistants of the config, as a user would enter them in the app: in `serve`, `send` and every run. An assistant has
 * one secret and one timeout; if chat and phone differ in them, they are two assistants.
 */
export function seededAgents(
  { chat, phone, skills }: Pick<ResolvedConfig, 'chat' | 'phone' | 'skills'>,
  secret: string | undefined,
): SeedAgent[] {
  const written: SeedAgent = {
    name: 'Own AI',
    ...(secret !== undefined && { secret }),
    skills: skills.length > 0 || chat || phone ? skills : exampleSkills,
    ...(chat && { chatUrl: chat.url, timeoutSeconds: chat.timeoutSeconds }),
  };
  if (!phone) return [written];
  const isOther = chat && (chat.secret !== phone.secret || chat.timeoutSeconds !== phone.timeoutSeconds);
  const voice = { voiceUrl: phone.url, secret: phone.secret, timeoutSeconds: phone.timeoutSeconds };
  return isOther
    ? [written, { ...written, ...voice, name: 'Own AI (phone)', chatUrl: '' }]
    : [{ ...written, ...voice }];
}

/** Default skills without an own AI in the config. */
const exampleSkills: readonly SeedSkill[] = [
  {
    id: 1,
    key: 'sales',
    name: 'Sales',
    description: 'Puts the customer through to the sales team.',
    kind: 'forward',
    announcement: 'One moment, I am putting you through to sales.',
  },
  {
    id: 2,
    key: 'urgent',
    name: 'Urgent',
    description: 'Notifies the team at once.',
    kind: 'alert',
    announcement: null,
  },
];
