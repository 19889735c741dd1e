import type { FindingPart } from '../harness/checks/finding.ts';
import { shortJson } from '../specs/explain-violations.ts';
import { limits } from '../specs/limits.ts';
import type { Skill } from '../specs/generated/types.ts';
import type { Judgement } from './judgement.ts';

/** Skills that an answer or a frame requests, and those that it could request. */
export interface NamedSkills {
  named: readonly unknown[];
  /** Skills of the assistant that are known, offered or not. */
  skills: readonly Skill[];
  /** Skills that were offered there; `undefined` where no skill may be used at all. */
  offered: readonly Skill[] | undefined;
  /** Where they were offered: `data.skills`. */
  where: string;
  /** The part that is expected to name them; default: `executeSkills to name skills`. */
  what?: string;
}

/** A rule about named skills that chat and phone share. */
export interface SkillRule {
  slug:
    | 'at-most-five-skills'
    | 'at-most-one-forward'
    | 'names-known-skills'
    | 'names-only-offered-skills'
    | 'names-each-skill-once';
  title: string;
  judge: (skills: NamedSkills) => Judgement;
}

const naming = 'executeSkills to name skills';

/** Rules about the skills that an AI requests (interface: Skills as tools, Limits, Errors). */
export const skillRules: readonly SkillRule[] = [
  {
    slug: 'at-most-five-skills',
    title: 'at most five skills are named',
    judge: ({ named }) => {
      const most = limits.executeSkillsPerAnswer;
      return (
        named.length <= most || {
          expected: `at most ${most} skills in executeSkills`,
          received: `${named.length}`,
          part: { body: ['executeSkills'] },
        }
      );
    },
  },
  {
    slug: 'at-most-one-forward',
    title: 'at most one forward is named',
    judge: ({ named, skills }) => {
      const found = named.map((name) => findSkill(skills, name));
      const forwards = new Set(found.filter((skill) => skill?.kind === 'forward'));
      // One that is not known may be a forward too.
      const isOpen = found.includes(undefined) && forwards.size === limits.forwardsPerAnswer;
      if (isOpen) return 'nothing';
      return (
        forwards.size <= limits.forwardsPerAnswer || {
          expected: `at most ${limits.forwardsPerAnswer} forward in executeSkills`,
          received: [...forwards].map((skill) => skill?.key).join(', '),
          part: { body: ['executeSkills'] },
        }
      );
    },
  },
  {
    slug: 'names-known-skills',
    title: 'only skills of the assistant are named',
    judge: ({ named, skills, where, what = naming }) => {
      const unknown = named.find((name) => !findSkill(skills, name));
      return (
        unknown === undefined || {
          expected: `${what} of the assistant (${keys(skills) || 'none'})`,
          received: shortJson(unknown),
          hint: `Name a skill by its key or id from ${where}, not by its name.`,
          part: partOf(named.indexOf(unknown)),
        }
      );
    },
  },
  {
    slug: 'names-only-offered-skills',
    title: 'only offered skills are named',
    judge: ({ named, skills, offered, where, what = naming }) => {
      if (offered === undefined) return 'nothing';
      const withheld = named.filter((name) => findSkill(skills, name)).find((name) => !findSkill(offered, name));
      // Another rule judges whether an unknown skill was withheld or does not exist.
      if (withheld === undefined && named.some((name) => !findSkill(skills, name))) return 'nothing';
      return (
        withheld === undefined || {
          expected: `${what} of ${where} (${keys(offered) || 'none offered'})`,
          received: shortJson(withheld),
          part: partOf(named.indexOf(withheld)),
        }
      );
    },
  },
  {
    slug: 'names-each-skill-once',
    title: 'no skill is named twice',
    judge: ({ named, skills }) => {
      const identities = named.map((name) => findSkill(skills, name)?.key ?? String(name));
      const twice = identities.find((key, at) => identities.indexOf(key) !== at);
      return (
        twice === undefined || {
          expected: 'each skill once in executeSkills',
          received: `${twice} twice`,
          part: partOf(identities.lastIndexOf(twice)),
        }
      );
    },
  },
];

/** One skill of those that a body names. */
function partOf(index: number): FindingPart {
  return { body: ['executeSkills', index] };
}

/** The skill that a key or an id names; an id may be written as text. */
function findSkill(skills: readonly Skill[], name: unknown): Skill | undefined {
  return skills.find(({ id, key }) => key === name || id === name || String(id) === name);
}

/** The key of the skill that a key or an id names; the given name where there is no such skill. */
export function keyOfSkill(skills: readonly Skill[], name: string | number): string {
  return findSkill(skills, name)?.key ?? String(name);
}

function keys(skills: readonly Skill[]): string {
  return [...new Set(skills.map(({ key }) => key))].join(', ');
}
