import { differingPlaces } from '../../generators/differences.ts';
import { isJsonObject } from '../../specs/json-object.ts';
import type { CallAspect } from './call-aspects.ts';
import { parsePointer } from '../../specs/json-pointer.ts';

/** Fields that differ in every call. */
const ownOfEachCall = new Set(['/callId', '/callSid', '/projectId', '/workspaceId', '/agentId', '/type']);
/** Most places of a first frame that are tested. */
const mostPlaces = 24;

/**
 * The event of a failed check as aspects of one call: the fields in which a first frame differs from a typical one, or the
 * sentence. Any other event has none.
 */
export function eventAspects(event: unknown, typical: Record<string, unknown>): CallAspect[][] {
  if (typeof event === 'string') return [[sentenceOf(event)]];
  if (!isJsonObject(event)) return [];
  if (event.type === 'prompt' && typeof event.text === 'string') return [[sentenceOf(event.text)]];
  if (event.type !== 'session.started') return [];
  const places = [...differingPlaces(event, typical)].filter(({ pointer }) => !ownOfEachCall.has(pointer));
  const fields = new Map<string, CallAspect>();
  for (const { pointer } of places.slice(0, mostPlaces)) {
    // A list counts as one field.
    const path = /^\/skills\//.test(pointer) ? ['skills'] : parsePointer(pointer);
    fields.set(path.join('/'), {
      when: `whose ${path.join('.')} is ${shortJson(at(event, path))}`,
      cause: 'phone/session-value-not-handled',
      started: (frame) => put(frame, path, at(event, path)),
    });
  }
  return fields.size === 0 ? [] : [[...fields.values()]];
}

function sentenceOf(text: string): CallAspect {
  return { when: `the caller says ${shortJson(text)}`, cause: 'phone/sentence-not-handled', sentence: () => text };
}

function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((part, name) => (isJsonObject(part) ? part[name] : undefined), value);
}

/** Sets the value, or removes the field if the value is `undefined`. */
function put(
  frame: Record<string, unknown>,
  [name = '', ...rest]: readonly string[],
  value: unknown,
): Record<string, unknown> {
  const { [name]: old, ...others } = frame;
  const made = rest.length === 0 ? value : put(isJsonObject(old) ? old : {}, rest, value);
  return made === undefined ? others : { ...others, [name]: made };
}

function shortJson(value: unknown): string {
  if (value === undefined) return 'missing';
  const characters = [...JSON.stringify(value)];
  return characters.length <= 60 ? characters.join('') : `${characters.slice(0, 60).join('')}…`;
}
