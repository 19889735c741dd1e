/**
 * Type of a frame of the AI; `undefined` for an unknown one. The interface shows `type` in the skill frame only
 * (assumption `phone-frame-types`), so a frame without one, or with null there, is recognised by its fields.
 */
export function frameType({
  type,
  ...fields
}: Readonly<Record<string, unknown>>): 'text' | 'action' | 'skill' | undefined {
  if (type === 'text' || type === 'action' || type === 'skill') return type;
  if (type !== undefined && type !== null) return undefined;
  if ('action' in fields) return 'action';
  if ('executeSkills' in fields || 'key' in fields) return 'skill';
  return 'text' in fields || 'token' in fields || 'last' in fields ? 'text' : undefined;
}

/**
 * Whether a frame has a type that the interface does not know, or none where it needs one. Content and action frames
 * are shown without a type.
 */
export function hasUnknownType(frame: Readonly<Record<string, unknown>>): boolean {
  const recognised = frameType(frame);
  return recognised === undefined || (recognised === 'skill' && frame['type'] !== 'skill');
}
