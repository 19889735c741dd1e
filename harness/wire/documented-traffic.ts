import { isJsonContainer } from '../../specs/json-object.ts';
import { pointerSegment } from '../../specs/json-pointer.ts';
import type { SchemaName } from '../../specs/schemas.ts';
import { formatViolation, validate } from '../../specs/validators.ts';
import { currentRecord } from '../checks/check-record.ts';
import { HarnessFault } from '../checks/faults.ts';

/** JSON Pointers of intended deviations. Copies of the event keep this field, and JSON omits it. */
const intended = Symbol('intended deviations');

/** Schemas of the frames that the service sends (interface: Own-AI phone frames). */
const schemaOf: Readonly<Record<string, SchemaName>> = {
  'session.started': 'sessionStarted',
  'session.ended': 'sessionEnded',
  'skill.result': 'skillResult',
  prompt: 'prompt',
  dtmf: 'dtmf',
  interrupt: 'interrupt',
};

/** An event, a frame or a part of it that deviates from its schema on purpose, at these JSON Pointers and below. */
export function deviating<Sent extends object>(sent: Sent, ...pointers: string[]): Sent {
  return { ...sent, [intended]: pointers };
}

/**
 * Prevents a check from sending what the interface does not document: its verdict would be about an event that the
 * endpoint never meets. Checks of the integrator may send anything. Throws {@link HarnessFault} `check-broken`.
 */
export function assertDocumented(schema: SchemaName, sent: object): void {
  if (currentRecord()?.isOwn !== false) return;
  const violations = validate(schema, sent);
  const pointers = violations.length === 0 ? [] : intendedDeviations(sent);
  const isIntended = (pointer: string) => pointers.some((one) => pointer === one || pointer.startsWith(`${one}/`));
  const violation = violations.find(({ pointer }) => !isIntended(pointer));
  if (violation)
    throw new HarnessFault('check-broken:undocumented', { what: schema, violation: formatViolation(violation) });
}

/** The same for a frame of a call; one of an unknown type deviates as a whole. */
export function assertDocumentedFrame(frame: object): void {
  assertDocumented(schemaOf[String((frame as { type?: unknown }).type)] ?? 'prompt', frame);
}

/** The pointers of the value and of everything in it. */
function intendedDeviations(value: unknown): string[] {
  if (!isJsonContainer(value)) return [];
  const { [intended]: own = [] } = value as { [intended]?: readonly string[] };
  const inside = Object.entries(value).flatMap(([name, field]) =>
    intendedDeviations(field).map((pointer) => pointerSegment(name) + pointer),
  );
  return [...own, ...inside];
}
