import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { localTimestamp } from '../../service/local-timestamp.ts';
import { AppointmentInbox } from './appointment-inbox.ts';

describe('local time', () => {
  it.each([
    ['Europe/Berlin', '2026-03-29T00:59:59Z', '2026-03-29T01:59:59'],
    ['Europe/Berlin', '2026-03-29T01:00:00Z', '2026-03-29T03:00:00'],
    ['Europe/Berlin', '2026-10-25T00:30:00Z', '2026-10-25T02:30:00'],
    ['Europe/Berlin', '2026-10-25T01:30:00Z', '2026-10-25T02:30:00'],
    ['Europe/Berlin', '2026-12-31T23:30:00Z', '2027-01-01T00:30:00'],
    ['America/New_York', '2026-11-01T05:59:59Z', '2026-11-01T01:59:59'],
    ['America/New_York', '2026-11-01T06:00:00Z', '2026-11-01T01:00:00'],
    ['Asia/Kathmandu', '2026-01-01T00:00:00Z', '2026-01-01T05:45:00'],
    ['Australia/Lord_Howe', '2026-10-03T15:29:59Z', '2026-10-04T01:59:59'],
    ['Australia/Lord_Howe', '2026-10-03T15:30:00Z', '2026-10-04T02:30:00'],
    ['Africa/Monrovia', '1930-01-01T00:00:00Z', '1929-12-31T23:15:30'],
    ['UTC', '2026-10-11T09:30:00Z', '2026-10-11T09:30:00'],
    ['Europe/Berlin', '0000-01-01T00:00:00Z', '0000-01-01T00:53:28'],
    ['America/New_York', '0000-01-01T00:00:00Z', '0000-01-01T00:00:00'],
    ['Asia/Tokyo', '9999-12-31T23:59:59Z', '9999-12-31T23:59:59'],
  ])('in %s at %s is %s', (timeZone, at, local) => {
    expect(localTimestamp(Date.parse(at), timeZone)).toBe(local);
  });

  it('equals the local clocks at any time', () => {
    const zones = Intl.supportedValuesOf('timeZone');
    const times = fc.integer({ min: Date.UTC(1970, 0, 1), max: Date.UTC(2100, 0, 1) });
    fc.assert(
      fc.property(fc.constantFrom(...zones), times, (timeZone, at) => {
        // The Swedish locale writes dates in the form of ISO 8601.
        expect(localTimestamp(at, timeZone).replace('T', ' ')).toBe(new Date(at).toLocaleString('sv-SE', { timeZone }));
      }),
      { numRuns: 2_000 },
    );
  });

  it('does not exist for an unknown zone', () => {
    expect(() => localTimestamp(0, 'Europe/Bielefeld')).toThrow(RangeError);
  });

  it('of an appointment is that of the inbox, before and after the clocks change', () => {
    for (const [timeZone, first, second] of [
      [undefined, '2026-10-24T12:00:00', '2026-10-25T11:00:00'],
      ['America/New_York', '2026-10-24T06:00:00', '2026-10-25T06:00:00'],
    ] as const) {
      const service = new AppointmentInbox(timeZone && { timeZone });
      const id = service.create({ start: '2026-10-24T10:00:00Z' });
      expect(service.shown(id)).toMatchObject({ start: '2026-10-24T10:00:00', startLocal: first });
      service.inbox.appointments.change(id, { start: '2026-10-25T10:00:00Z' });
      expect(service.shown(id)).toMatchObject({ start: '2026-10-25T10:00:00', startLocal: second });
    }
  });

  it('is derived from a start in any form of UTC', () => {
    const service = new AppointmentInbox();
    for (const start of [
      '2026-12-01T09:00:00Z',
      '2026-12-01T09:00:00',
      '2026-12-01T09:00',
      '2026-12-01t09:00z',
      '2026-12-01T09:00:00.999Z',
      '2026-12-01T09:00:00,5+00:00',
      '2026-12-01T09:00-00:00',
      '2026-12-01T09:00+00',
      '2026-12-01T09:00+0000',
    ]) {
      expect(service.shown(service.create({ start })), start).toMatchObject({
        start: '2026-12-01T09:00:00',
        startLocal: '2026-12-01T10:00:00',
      });
    }
  });
});
