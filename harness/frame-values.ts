import { isJsonObject } from './json.ts';

/** Members of frames that are judged (interface: Own-AI phone frames). */
const judged = new Set(['type', 'text', 'token', 'last', 'action', 'note', 'executeSkills', 'key', 'announcement']);

/** Bytes of a frame up to which its value is kept as it is: parsed JSON takes many times its bytes. */
const smallFrameBytes = 4_096;
/** Entries of a list that are kept; more than five skills are too many already. */
const keptEntries = 50;

/** The value of a frame as far as it is judged, so that large frames do not fill our memory. */
export function withinBounds(value: unknown, bytes: number): unknown {
  if (bytes <= smallFrameBytes) return value;
  if (!isJsonObject(value)) return Array.isArray(value) ? [] : value;
  const members = Object.entries(value).filter(([name]) => judged.has(name));
  return Object.fromEntries(members.map(([name, member]) => [name, outlined(member)]));
}

/** Texts, numbers and flat lists as they are; of anything deeper only its kind. */
function outlined(member: unknown): unknown {
  if (Array.isArray(member)) return member.slice(0, keptEntries).map((entry: unknown) => (isFlat(entry) ? entry : {}));
  return isFlat(member) ? member : {};
}

function isFlat(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}
