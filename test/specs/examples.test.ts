import { describe, expect, it } from 'vitest';
import { asyncApiDocument } from '../../specs/async-api-document.ts';
import { openApiDocument } from '../../specs/open-api-document.ts';
import { schemaExamples } from '../../specs/schema-examples.ts';
import { schemas } from '../../specs/schemas.ts';
import type { SchemaName } from '../../specs/schemas.ts';
import { validate, formatViolation } from '../../specs/validators.ts';
import type { JsonValue } from '../../specs/json-value.ts';

const names = Object.keys(schemas) as SchemaName[];
/** Only svc-conform reads and writes these, so the minimal example is enough. */
const ours: readonly SchemaName[] = ['config', 'diagnosis', 'report', 'runEvent', 'scenario'];
const sized = (name: SchemaName, size: string) =>
  schemaExamples(name).find((example) => example.name === `${name}${size}`)?.value;

describe('the examples of the schemas', () => {
  it.each(names)('of %s are valid, differ, and have separate names', (name) => {
    const examples = schemaExamples(name);
    for (const { name: title, value } of examples)
      expect(validate(name, value).map(formatViolation), title).toEqual([]);
    expect(examples.length).toBeGreaterThan(0);
    expect(new Set(examples.map((example) => example.name)).size).toBe(examples.length);
    expect(new Set(examples.map(({ value }) => JSON.stringify(value))).size).toBe(examples.length);
  });

  it.each(names.filter((name) => schemas[name].properties !== undefined && !ours.includes(name)))(
    'of %s are with nothing that may be omitted, and with everything that may be there at once',
    (name) => {
      const { properties = {}, required = [], oneOf, anyOf } = schemas[name];
      const all = schemaExamples(name).map(({ value }) => Object.keys(value as object));
      const least = Math.min(...all.map((fields) => fields.length));
      const oneNeeded = oneOf !== undefined || name === 'skillFrame' || name === 'textFrame';
      expect(least).toBe(required.length + (oneNeeded ? 1 : 0) + (anyOf ? 1 : 0));
      // Two forms with the same meaning: never both.
      const fields = Object.keys(properties).filter((field) => !['skillFrame key', 'textFrame token'].includes(`${name} ${field}`));
      if (oneOf === undefined)
        expect(all.some((found) => fields.every((field) => found.includes(field)))).toBe(true);
      else expect(new Set(all.flat()).size).toBeGreaterThan(required.length + 1);
    },
  ); // prettier-ignore

  it('are readable: plain words, and one conversation throughout', () => {
    const ids: Record<string, Set<JsonValue>> = { projectId: new Set(), phone: new Set(), replyUrl: new Set() };
    const look = (value: JsonValue, name: string): void => {
      // eslint-disable-next-line no-control-regex -- control characters are what it looks for
      if (typeof value === 'string') expect(value).toMatch(/^[^\u0000-\u001f\u007f-\uffff]*$/);
      if (value !== null && name in ids) ids[name]?.add(value);
      if (typeof value === 'object' && value !== null) {
        for (const [field, inner] of Object.entries(value)) look(inner, field);
      }
    };
    for (const name of names.filter((one) => !ours.includes(one))) {
      for (const size of ['Plainest', 'Fullest']) look(sized(name, size) ?? null, name);
    }
    expect(ids).toEqual({
      projectId: new Set([812]),
      phone: new Set(['+4930901820']),
      replyUrl: new Set(['https://api.example.com/v1/projects/812/agent-replies']),
    });
  });
});

/** Relations between fields that a schema does not express, by the interface: lines for what a value breaks. */
const rules: readonly [rule: string, broken: (value: Value) => boolean][] = [
  ['a message is sent as template, or waits (Behaviour notes)', (v) => v['sentAsTemplate'] === true && v['waitingForReply'] === true],
  ['text that is sent has an id (Agent reply)', (v) => 'messageId' in v && 'autoReply' in v && v['status'] === 'sent' && v['messageId'] === null],
  ['a reply without an id sent nothing', (v) => 'messageId' in v && 'autoReply' in v && v['status'] === 'noop' && v['messageId'] !== null],
  ['no skill runs while auto-reply is not on (Auto-reply)', (v) => stateOf(v['autoReply']) !== 'on' && list(v['skills']).some(({ ok, reason }) => ok === true || reason !== 'not-allowed')],
  ['no skill is offered while auto-reply is not on', (v) => 'replyUrl' in v && stateOf(v['autoReply']) !== 'on' && list(v['skills']).length > 0],
  ['pausedUntil only during a pause', (v) => 'pausedUntil' in v && v['state'] !== 'paused'],
  ['what is done has no reason of refusal, and what is refused has one', (v) => typeof v['ok'] === 'boolean' && (v['ok'] ? ![undefined, 'pending-approval'].includes(v['reason'] as string) : typeof v['reason'] !== 'string')],
  ['a skill frame asks for a list or for one', (v) => v['type'] === 'skill' && ('key' in v) === 'executeSkills' in v],
  ['a text frame has text or a token', (v) => v['type'] === 'text' && ('text' in v) === 'token' in v],
  ['who is confirmed by both sides is confirmed (Appointment)', (v) => isAppointment(v) && v['status'] === 'proposed' && confirmations(v) === 2],
  ['confirmed means by both sides', (v) => isAppointment(v) && v['status'] === 'confirmed' && confirmations(v) < 2],
  ['cancelled, with a time, or neither', (v) => isAppointment(v) && (v['status'] === 'cancelled') !== (v['cancelledAt'] !== null)],
  ['what is cancelled is not finished', (v) => isAppointment(v) && v['cancelledAt'] !== null && v['finishedAt'] !== null],
  ['what is finished has begun', (v) => isAppointment(v) && v['finishedAt'] !== null && textOf(v['finishedAt']) < textOf(v['start'])],
  ['a reported failure has happened', (v) => 'consecutiveFailures' in v && (v['consecutiveFailures'] !== 0) !== (v['lastFailureAt'] !== null)],
  ['failures are in a row since the last success', (v) => Number(v['consecutiveFailures']) > 0 && textOf(v['lastSuccessAt']) >= textOf(v['lastFailureAt'])],
  ['a test that succeeded has a 2xx and no error', (v) => 'durationMs' in v && v['success'] === true && (v['error'] !== null || !/^2/.test(String(v['statusCode'])))],
  ['a test that failed shows the error', (v) => 'durationMs' in v && v['success'] === false && v['error'] === null],
  ['an event of an appointment carries its state of that moment', (v) => isAppointment(v['data']) && !fits(String(v['type']), v['data'])],
  ['a CRM event of an appointment carries its state of that moment', (v) => isAppointment(v['appointmentData']) && !fits(String(v['eventType']), v['appointmentData'])],
  ['a takeover that failed was of a skill of this assistant', (v) => isObject(v['resumedAfter']) && v['resumedAfter']['reason'] === 'unknown-skill'],
  ['a report without a failure is conformant', (v) => v['verdict'] === 'conformant' && isObject(v['summary']) && (v['summary']['fail'] ?? v['summary']['nonConformant']) !== 0],
  ['a step of a scenario is one thing', (v) => JSON.stringify(v) === '{}'],
]; // prettier-ignore

type Value = Record<string, unknown>;
const isObject = (value: unknown): value is Value =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const list = (value: unknown): Value[] => (Array.isArray(value) ? value.filter(isObject) : []);
const textOf = (value: unknown) => (typeof value === 'string' ? value : '');
const stateOf = (value: unknown) => (isObject(value) ? value['state'] : 'on');
const isAppointment = (value: unknown): value is Value =>
  isObject(value) && typeof value['status'] === 'string' && 'customerConfirmedAt' in value;
const confirmations = ({ customerConfirmedAt, businessConfirmedAt }: Value) => [customerConfirmedAt, businessConfirmedAt].filter((each) => each !== null).length; // prettier-ignore

function fits(event: string, appointment: Value): boolean {
  const what = event.replace(/^appointment\.|^Appointment/, '').toLowerCase();
  const { status, finishedAt, rescheduledCount } = appointment;
  if (what === 'cancelled') return status === 'cancelled';
  if (status === 'cancelled' || (what === 'finished') !== (finishedAt !== null)) return false;
  if (what === 'created') return rescheduledCount === 0;
  if (what === 'rescheduled') return Number(rescheduledCount) > 0;
  return status === 'confirmed';
}

/** Rules that a value breaks, at any depth. */
function broken(value: unknown, at: string): string[] {
  if (Array.isArray(value)) return value.flatMap((each, index) => broken(each, `${at}/${index}`));
  if (!isObject(value)) return [];
  // Most bodies have no required field, but a step without fields has no meaning.
  const held = rules.filter(([rule]) => rule !== 'a step of a scenario is one thing' || /^scenario\w*\/\d+$/.test(at));
  const own = held.filter(([, breaks]) => breaks(value)).map(([rule]) => `${at}: ${rule}`);
  return [...own, ...Object.entries(value).flatMap(([name, each]) => broken(each, `${at}/${name}`))];
}

/** Every example of a document, at any depth. */
function examplesIn(value: unknown, at: string): [string, unknown][] {
  if (Array.isArray(value)) return value.flatMap((each, index) => examplesIn(each, `${at}/${index}`));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, each]) => {
    const here = `${at}/${name}`;
    return name === 'examples'
      ? Object.entries(each as object).map(([title, example]): [string, unknown] => [`${here}/${title}`, example])
      : examplesIn(each, here);
  });
}

describe('the combination of fields in examples', () => {
  it('is what the interface allows, in the schemas and in both documents', () => {
    const ofSchemas = names.flatMap((name) => schemaExamples(name)).map(({ name, value }): [string, unknown] => [name, value]);
    const ofDocuments = [...examplesIn(openApiDocument(), 'openapi'), ...examplesIn(asyncApiDocument(), 'asyncapi')];
    expect(ofSchemas.length).toBeGreaterThan(100);
    expect(ofDocuments.length).toBeGreaterThan(150);
    expect([...ofSchemas, ...ofDocuments].flatMap(([name, value]) => broken(value, name))).toEqual([]);
  });

  it('is checked by every rule', () => {
    const appointment = { status: 'proposed', customerConfirmedAt: null, businessConfirmedAt: null, cancelledAt: null, finishedAt: null, start: '2026-11-02T09:00:00', rescheduledCount: 0 };
    const both = { customerConfirmedAt: '2026', businessConfirmedAt: '2026' };
    const wrong: unknown[] = [
      { sentAsTemplate: true, waitingForReply: true },
      { messageId: null, status: 'sent', autoReply: { state: 'on' } },
      { messageId: 1, status: 'noop', autoReply: { state: 'on' } },
      { autoReply: { state: 'paused' }, skills: [{ key: 'sales', ok: true }] },
      { replyUrl: '', autoReply: { state: 'off' }, skills: [{ key: 'sales', reason: 'not-allowed' }] },
      { state: 'on', pausedUntil: '' },
      { ok: true, reason: 'failed' },
      { type: 'skill' },
      { type: 'text', text: '', token: '' },
      { ...appointment, ...both },
      { ...appointment, status: 'confirmed' },
      { ...appointment, status: 'cancelled' },
      { ...appointment, status: 'cancelled', cancelledAt: '2027', finishedAt: '2027' },
      { ...appointment, finishedAt: '2026-10-01T00:00:00' },
      { consecutiveFailures: 1, lastFailureAt: null },
      { consecutiveFailures: 1, lastFailureAt: '2026', lastSuccessAt: '2026' },
      { durationMs: 1, success: true, statusCode: null, error: null },
      { durationMs: 1, success: false, statusCode: null, error: null },
      { type: 'appointment.cancelled', data: appointment },
      { eventType: 'AppointmentConfirmed', appointmentData: appointment },
      { resumedAfter: { reason: 'unknown-skill' } },
      { verdict: 'conformant', summary: { fail: 1 } },
      {},
    ];
    for (const [at, [rule]] of rules.entries()) expect(broken(wrong[at], 'scenario/0').join(), rule).toContain(rule);
    expect(wrong).toHaveLength(rules.length);
  });
}); // prettier-ignore
