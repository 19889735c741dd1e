import { configuredSurfaces } from '../../harness/config/resolve-config.ts';
import type { ResolvedConfig } from '../../harness/config/settings.ts';
import type { ChatStimuli, PhoneStimuli } from '../../specs/generated/types.ts';
import { configKeyOf, surfaces } from '../../specs/surfaces.ts';

const chatStimuli: Readonly<Record<keyof ChatStimuli, true>> = {
  answer: true,
  handover: true,
  end: true,
  skill: true,
  async: true,
};
const phoneStimuli: Readonly<Record<keyof PhoneStimuli, true>> = {
  answer: true,
  handover: true,
  end: true,
  skill: true,
  long: true,
};

/** Keys of the config that add to what a run judges and are not set, in the order of the config page. */
export function unsetKeys(config: ResolvedConfig): string[] {
  const configured = configuredSurfaces(config);
  const { skills, stimuli, observe, chat, phone, crmWebhook } = config;
  return [
    ...surfaces.filter((surface) => !configured.includes(surface)).map((surface) => configKeyOf(surface)),
    ...((chat || phone) && skills.length === 0 ? ['skills'] : []),
    ...(crmWebhook && stimuli.knownCaller === undefined ? ['stimuli.knownCaller'] : []),
    ...(chat ? unsetStimuli('chat', chatStimuli, stimuli.chat) : []),
    ...(phone ? unsetStimuli('phone', phoneStimuli, stimuli.phone) : []),
    ...(observe ? [] : ['observe']),
  ];
}

function unsetStimuli<Stimuli extends object>(
  of: 'chat' | 'phone',
  names: Readonly<Record<keyof Stimuli & string, true>>,
  given: Partial<Stimuli> = {},
): string[] {
  return Object.keys(names)
    .filter((name) => given[name as keyof Stimuli] === undefined)
    .map((name) => `stimuli.${of}.${name}`);
}
