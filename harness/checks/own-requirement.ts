import { isRequirementId, surfaces } from '../../specs/requirements/catalogue.ts';
import type { Level } from '../../specs/generated/types.ts';
import { HarnessFault } from './faults.ts';

/** A requirement of the integrator's own, as a suite of theirs states it. */
export interface OwnRequirement {
  /** `surface/what-holds`, of one of the interface's surfaces and no id of ours. */
  readonly id: string;
  /** What it is part of: a heading in a document of theirs. */
  readonly section: string;
  /** A `must` that does not hold fails the run, a `should` warns, `advice` informs. */
  readonly level: Level;
  /** What holds, in a sentence. */
  readonly statement: string;
  /** What to change when it does not. */
  readonly remediation: string;
}

const levels: readonly string[] = ['must', 'should', 'advice'] satisfies Level[];
const texts = ['section', 'statement', 'remediation'] as const;
const slug = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const made = new WeakSet<object>();

/**
 * Takes a requirement of the integrator's own.
 *
 * @throws HarnessFault `suite-unusable` that names the field, what was expected and what was received
 */
export function ownRequirement(requirement: OwnRequirement): OwnRequirement {
  const problem = problemOf(requirement);
  if (problem !== undefined) throw new HarnessFault('suite-unusable', problem);
  const { id, section, level, statement, remediation } = requirement;
  const own = Object.freeze({ id, section, level, statement, remediation });
  made.add(own);
  return own;
}

/** Tells what {@link ownRequirement} made from anything else: an id of ours, or an object that nobody has looked at. */
export function isOwnRequirement(value: unknown): value is OwnRequirement {
  return typeof value === 'object' && value !== null && made.has(value);
}

/** Whether an id is of the form of {@link OwnRequirement.id}, and none of ours. */
export function isOwnRequirementId(id: string): boolean {
  return hasForm(id) && !isRequirementId(id);
}

function hasForm(id: string): boolean {
  const [surface, name = '', ...more] = id.split('/');
  return more.length === 0 && slug.test(name) && surfaces.some((one) => one === surface);
}

function problemOf(requirement: unknown): string | undefined {
  if (typeof requirement !== 'object' || requirement === null) {
    return `requirement(): expected an object with id, section, level, statement and fix, received ${shown(requirement)}`;
  }
  const { id, level, ...rest } = requirement as Readonly<Record<string, unknown>>;
  if (typeof id !== 'string' || !hasForm(id)) {
    return `requirement(): expected an id such as own-ai-chat/acme-answers-in-german, of ${surfaces.join(', ')} and in lower case, received ${shown(id)}`;
  }
  if (isRequirementId(id)) {
    const [surface, name] = id.split('/', 2);
    return `requirement(): ${id} is a requirement of the interface, which svc-conform judges itself. Give yours a name of its own, say ${surface}/acme-${name}.`;
  }
  if (typeof level !== 'string' || !levels.includes(level)) {
    return `requirement() ${id}: expected a level of ${levels.join(', ')}, received ${shown(level)}`;
  }
  for (const field of texts) {
    const text = rest[field];
    if (typeof text !== 'string' || text.trim() === '') {
      return `requirement() ${id}: expected ${field} as a text, received ${shown(text)}`;
    }
  }
  return undefined;
}

function shown(value: unknown): string {
  return value === undefined ? '(missing)' : (JSON.stringify(value) ?? typeof value);
}
