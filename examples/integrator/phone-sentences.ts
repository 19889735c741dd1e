import { cut } from './json.ts';
import type { OfferedSkill } from './offered-skills.ts';

const NAME_UNITS = 60;

/** Said to the caller when a skill was refused. `reason` is one of those in the interface (Errors), or a newer one. */
export function afterRefusedSkill({ kind, name }: OfferedSkill, reason: unknown): string {
  if (kind === 'alert') return 'I could not alert the team just now. If you want to speak to a person, please say so.';
  return `${notReached(name, reason)} How else can I help?`;
}

/** For a caller who is back because a takeover or a transfer was not answered. `skill` is the one that was tried. */
export function afterFailedTakeover(skill: OfferedSkill | undefined, reason: unknown): string {
  const said = skill === undefined ? 'No one could be reached just now.' : notReached(skill.name, reason);
  return `${said} I am still here for you. How can I help?`;
}

export const FAILURE_APOLOGY = 'I am sorry, I cannot continue right now. A colleague will call you back.';

/** Says nothing about limits and missing set-up: those concern the team and the service. */
function notReached(name: string, reason: unknown): string {
  const who = cut(name, NAME_UNITS);
  if (reason === 'outside-hours') return `${who} cannot be reached at this hour.`;
  if (reason === 'no-answer') return `No one answered at ${who}.`;
  return `${who} cannot be reached just now.`;
}
