/** Kind of a field's value, where its name shows it. */
export type FieldKind = 'person' | 'place' | 'company' | 'skill' | 'id' | 'phone' | 'day' | 'term';

const whose = 'first|last|full|middle|display|given|family|sur|user|nick|contact|customer|caller|sender|agent|key';

const kinds: readonly (readonly [RegExp, FieldKind])[] = [
  [new RegExp(`^(?:(?:${whose})[_-]?)?names?$`, 'i'), 'person'],
  [/^(?:vorname|nachname|ansprechpartner|author|owner|salutation)$/i, 'person'],
  [/^(?:city|town|street|address(?:line\d)?|post(?:al)?code|zip(?:code)?|ort|stra(?:ss|ß)e|plz)$/i, 'place'],
  [/^(?:company|organi[sz]ation|firma|tenant|workspacename)$/i, 'company'],
  [/^(?:key|executeskills)$/i, 'skill'],
  [/^(?:phone(?:number)?|mobile|tel|telefon|telephone|fax|msisdn|number|from|to)$/i, 'phone'],
  [/^(?:customdate\d|birth(?:day|[_-]?date)?|date_?of_?birth|dob|geburts(?:tag|datum))$/i, 'day'],
  [/^(?:action|type|eventtype|kind|channel|role)$/i, 'term'],
  [/^(?:id|uuid|guid|sid|ticket|ref|reference|idempotency-key)$/i, 'id'],
  [/(?:[a-z]I[dD]s?|Sid|Ref|[_-][iI]ds?)$/, 'id'],
];

const ofPerson =
  /^(?:(?:first|last|full|middle|given|family|sur|nick|contact|customer|caller|sender)[_-]?name|vorname|nachname|ansprechpartner)$/i;

/** Whether the field contains a person's name; the value of a plain `name` may belong to a thing or an error. */
export function namesPerson(field: string): boolean {
  return ofPerson.test(field);
}

const timeTaken =
  /(?:^|[_-])(?:ms|seconds|duration|elapsed|latency|took|uptime)$|[a-z](?:Ms|Seconds|Duration|Latency)$/;

/** Whether the field contains a duration, which is kept whatever its number of digits. */
export function isDuration(field: string): boolean {
  return timeTaken.test(field);
}

/**
 * The kind of a field or header by its name. An object with both a key and a name is a skill.
 *
 * @param neighbours names of fields of the same object
 */
export function fieldKind(name: string, neighbours: readonly string[] = []): FieldKind | undefined {
  if (name === 'name' && neighbours.includes('key')) return 'skill';
  return kinds.find(([pattern]) => pattern.test(name))?.[1];
}
