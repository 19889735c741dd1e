import fc from 'fast-check';
import { edgeCases } from '../generators/edge-cases.ts';
import { fromSchema, type AnySchema } from '../generators/from-schema.ts';
import type { RunSettings } from '../harness/config/settings.ts';
import { schemas, type SchemaName } from '../specs/schemas.ts';
import { matchesSchema } from '../specs/validators.ts';
import { moderateCharacters, moderateInteger, moderateSchemas } from './moderate-schemas.ts';
import type { EndpointProperty } from './for-any-event.ts';
import { aboutDifferentRecords } from './records-in-use.ts';
import { isJsonContainer } from '../specs/json-object.ts';

/** Selects the events that a property sends. */
export type EventsToSend<Event> = Pick<EndpointProperty<Event>, 'events' | 'edges' | 'isValid' | 'tame' | 'runs'>;

/** Events of usual lengths and sizes: every edge case of them first, then mixtures. */
export function moderateEvents<Event>(name: SchemaName, { seed, runs }: RunSettings): EventsToSend<Event> {
  const refs = Object.values(moderateSchemas) as unknown as Iterable<AnySchema>;
  return {
    events: fromSchema<Event>(moderateSchemas[name], { refs }),
    edges: aboutDifferentRecords(edgeCases<Event>(moderateSchemas[name], { refs, seed })),
    isValid: (event) => matchesSchema(name, event),
    runs,
  };
}

/** Only the edge cases with the longest strings and the largest numbers, because they are large. */
export function extremeEvents<Event>(name: SchemaName, { seed }: RunSettings): EventsToSend<Event> {
  const edges = aboutDifferentRecords(edgeCases<Event>(schemas[name], { seed }).filter(isExtreme));
  return {
    events: edges.length === 0 ? fromSchema<Event>(schemas[name]) : fc.constantFrom(...edges),
    edges,
    isValid: (event) => matchesSchema(name, event),
    tame: (event) => tamed(event) as Event,
    runs: 0,
  };
}

function isExtreme(value: unknown): boolean {
  if (typeof value === 'string') return [...value].length > moderateCharacters;
  if (typeof value === 'number') return value > moderateInteger;
  if (!isJsonContainer(value)) return false;
  return Object.values(value).some(isExtreme);
}

/** Cuts long strings and lowers large numbers to what every receiver must expect. */
function tamed(value: unknown): unknown {
  if (typeof value === 'string') return [...value].slice(0, moderateCharacters).join('');
  if (typeof value === 'number') return Math.min(value, moderateInteger);
  if (Array.isArray(value)) return value.map(tamed);
  if (!isJsonContainer(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, tamed(field)]));
}
