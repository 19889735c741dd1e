import { differences } from '../../generators/differences.ts';
import { valueAt } from '../../specs/json-pointer.ts';
import type { DiagnosedSurface } from '../../specs/generated/types.ts';
import type { Narrowed } from './narrow-lists.ts';
import { withValueAt } from './places.ts';
import type { JsonObject } from '../../specs/json-value.ts';

/** What people write, which breaks an endpoint more often than any other field. */
const likeliestPlaces: Readonly<Partial<Record<DiagnosedSurface, string>>> = {
  'own-ai-chat': '/data/message/text',
  'api-webhooks': '/data/title',
};

/** The accepted event with only the likeliest of several differences of the failing one; `undefined` without it. */
export function likeliestPart({ failing, accepted }: Narrowed, surface: DiagnosedSurface): JsonObject | undefined {
  const { [surface]: place } = likeliestPlaces;
  const places = differences(failing, accepted, 100).map(({ pointer }) => pointer);
  if (place === undefined || places.length < 2 || !places.includes(place)) return undefined;
  return withValueAt(accepted, place, valueAt(failing, place));
}
