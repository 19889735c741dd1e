import { describe, expect, it } from 'vitest';
import { opensAt } from '../../fleet/permitted-windows.ts';
import type { PermittedWindow } from '../../specs/generated/types.ts';

const minute = 60_000;
/** 2026-10-12 is a Monday. */
const opening = (windows: PermittedWindow[], from: string, minutes = 10) => {
  const at = opensAt(windows, Date.parse(from), minutes * minute);
  return at === undefined ? undefined : new Date(at).toISOString();
};

describe('permitted windows', () => {
  it('are always open if there are none', () => {
    expect(opening([], '2026-10-12T12:00:30Z')).toBe('2026-10-12T12:00:30.000Z');
  });

  it('open on their days, in their time zone', () => {
    const berlin: PermittedWindow = { days: ['tue'], from: '08:00', to: '10:00', timeZone: 'Europe/Berlin' };
    expect(opening([berlin], '2026-10-12T12:00:00Z')).toBe('2026-10-13T06:00:00.000Z');
    expect(opening([berlin], '2026-10-13T07:00:30Z')).toBe('2026-10-13T07:00:30.000Z');
    // In winter, Berlin is one hour ahead of UTC.
    expect(opening([berlin], '2026-10-24T12:00:00Z')).toBe('2026-10-27T07:00:00.000Z');
  });

  it('continue over midnight from the day on which they begin', () => {
    const night: PermittedWindow = { days: ['mon'], from: '22:00', to: '06:00' };
    expect(opening([night], '2026-10-12T05:00:00Z')).toBe('2026-10-12T22:00:00.000Z');
    expect(opening([night], '2026-10-13T05:00:00Z')).toBe('2026-10-13T05:00:00.000Z');
    expect(opening([night], '2026-10-13T23:00:00Z')).toBe('2026-10-19T22:00:00.000Z');
  });

  it('are used only while they remain open long enough', () => {
    const short: PermittedWindow = { from: '22:00', to: '22:30' };
    expect(opening([short], '2026-10-12T22:05:00Z', 20)).toBe('2026-10-12T22:05:00.000Z');
    expect(opening([short], '2026-10-12T22:15:00Z', 20)).toBe('2026-10-13T22:00:00.000Z');
    expect(opening([short], '2026-10-12T22:05:00Z', 40)).toBeUndefined();
  });

  it('that adjoin are one', () => {
    const adjoining: PermittedWindow[] = [
      { from: '22:00', to: '24:00' },
      { from: '00:00', to: '01:00' },
    ];
    expect(opening(adjoining, '2026-10-12T23:50:00Z', 60)).toBe('2026-10-12T23:50:00.000Z');
  });
});
