import { isRequirementId } from '../../specs/requirements/catalogue.ts';
import type { Level } from '../../specs/generated/types.ts';
import { HarnessFault } from './faults.ts';
import { surfaces } from '../../specs/surfaces.ts';

/** A requirement of the integrator, as stated by a suite. */
export interface OwnRequirement {
  /** `surface/slug`, with a surface of the interface and not the id of a requirement of the interface. */
  readonly id: string;
  /** The section it belongs to: a heading in a document of the integrator. */
  readonly section: string;
  /** A failed `must` fails the run, a `should` warns, `advice` informs. */
  readonly level: Level;
  /** The rule, in one sentence. */
  readonly statement: string;
  /** The remediation when it fails. */
  readonly remediation: string;
}

const levels: readonly string[] = ['must', 'should', 'advice'] satisfies Level[];
const texts = ['section', 'statement', 'remediation'] as const;
const slug = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const made = new WeakSet<object>();

/**
 * Validates and registers a requirement of the integrator.
 *
 * @throws HarnessFault `suite-unusable` with the field, the expected and the received value
 */
export function ownRequirement(requirement: OwnRequirement): OwnRequirement {
  const problem = problemOf(requirement);
  if (problem !== undefined) throw new HarnessFault('suite-unusable:requirement', { problem });
  const { id, section, level, statement, remediation } = requirement;
  const own = Object.freeze({ id, section, level, statement, remediation });
  made.add(own);
  return own;
}

/** Whether {@link ownRequirement} made and so validated this object. */
export function isOwnRequirement(value: unknown): value is OwnRequirement {
  return typeof value === 'object' && value !== null && made.has(value);
}

/** Whether an id has the form of {@link OwnRequirement.id} and is not a requirement of the interface. */
export function isOwnRequirementId(id: string): boolean {
  return hasForm(id) && !isRequirementId(id);
}

function hasForm(id: string): boolean {
  const [surface, name = '', ...more] = id.split('/');
  return more.length === 0 && slug.test(name) && surfaces.some((one) => one === surface);
}

function problemOf(requirement: unknown): string | undefined {
  if (typeof requirement !== 'object' || requirement === null) {
    return `requirement(): expected an object with id, section, level, statement and remediation, received ${shown(requirement)}`;
  }
  const { id, level, ...rest } = requirement as Readonly<Record<string, unknown>>;
  if (typeof id !== 'string' || !hasForm(id)) {
    return `requirement(): expected a lower-case id such as own-ai-chat/acme-answers-in-german, with one of the surfaces ${surfaces.join(', ')}, received ${shown(id)}`;
  }
  if (isRequirementId(id)) {
    const [surface, name] = id.split('/', 2);
    return `requirement(): ${id} is a requirement of the interface, which svc-conform checks itself. Choose another id, for example ${surface}/acme-${name}.`;
  }
  if (typeof level !== 'string' || !levels.includes(level)) {
    return `requirement() ${id}: expected a level of ${levels.join(', ')}, received ${shown(level)}`;
  }
  for (const field of texts) {
    const text = rest[field];
    if (typeof text !== 'string' || text.trim() === '') {
      return `requirement() ${id}: expected ${field} as a non-empty string, received ${shown(text)}`;
    }
  }
  return undefined;
}

function shown(value: unknown): string {
  return value === undefined ? '(missing)' : (JSON.stringify(value) ?? typeof value);
}
