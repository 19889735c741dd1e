import { describe, expect, it } from 'vitest';
import { openRequest } from '../../contracts/open-requests.ts';
import type { OperationId } from '../../specs/api-operations.ts';
import type { AssumptionId } from '../../specs/assumptions.ts';
import type { SchemaName } from '../../specs/schemas.ts';
import { validate } from '../../specs/validators.ts';

const message = { channel: 'sms', phone: '+4930901820', text: 'Hello' };

describe('the assumption behind a refused request', () => {
  it.each<[OperationId, SchemaName, Record<string, unknown>, string, AssumptionId | undefined]>([
    ['sendMessage', 'messageRequest', { ...message, text: '' }, '/text', 'api-empty-text'],
    ['sendMessage', 'messageRequest', { ...message, email: 'a@b.example' }, '', undefined],
    ['addNote', 'noteRequest', { text: 'Hello', target: {} }, '/target', 'api-required-members'],
    [
      'createAppointment',
      'appointmentRequest',
      { durationMinutes: 0 },
      '/durationMinutes',
      'appointment-request-bounds',
    ],
    ['createAppointment', 'appointmentRequest', { start: '2026-10-11' }, '/start', 'api-request-times'],
    ['createAppointment', 'appointmentRequest', { start: 'tomorrow' }, '/start', undefined],
    ['sendMessage', 'messageRequest', { text: null }, '/text', 'api-null-members'],
    ['createAppointment', 'appointmentRequest', { start: '2026-10-11' }, '/phone', 'api-required-members'],
  ])('%s with %s %j, at %s', (operation, schema, body, pointer, assumption) => {
    const violation = validate(schema, body).find((one) => one.pointer === pointer);
    expect(violation && [openRequest(operation, violation)]).toEqual([assumption]);
  });
});
