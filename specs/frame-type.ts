/**
 * Which frame of the AI an object is; `undefined` for an unknown one. The interface writes `type` out for skill alone
 * (assumption `phone-frame-types`), so that a frame without one is known by its members.
 */
export function frameType({
  type,
  ...members
}: Readonly<Record<string, unknown>>): 'text' | 'action' | 'skill' | undefined {
  if (type === 'text' || type === 'action' || type === 'skill') return type;
  if (type !== undefined) return undefined;
  if ('action' in members) return 'action';
  if ('executeSkills' in members || 'key' in members) return 'skill';
  return 'text' in members || 'token' in members ? 'text' : undefined;
}
