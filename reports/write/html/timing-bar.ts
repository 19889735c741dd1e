import type { ExchangeTiming } from '../../../specs/generated/types.ts';
import { formatDuration } from '../../text/wording.ts';
import { html } from './markup.ts';
import type { Markup } from './markup.ts';

const height = 10;
// The page's style has the last word; these are for a viewer that takes it away.
const paint = { connect: '#565e69', waiting: '#0b57b0', receiving: '#1a6b32' };

/** What the times of an exchange are called. */
export interface TimingLabels {
  /** When the answer was there as a whole. */
  readonly total: string;
  /** What stands for connecting where none was measured. */
  readonly withoutConnect?: string | undefined;
}

/**
 * Connect, waiting for the first byte and receiving on one line, with the limit as a stroke, and the same in words with
 * the colour of each.
 */
export function timingBar(timing: ExchangeTiming, { total, withoutConnect }: TimingLabels, isBroken: boolean): Markup {
  const { connectMs, firstByteMs, totalMs, limitMs } = timing;
  const time = (kind: string, words: string) => html`<li><i class="${kind}"></i>${words}</li>`;
  const whole = totalMs !== null && `${total} ${formatDuration(totalMs)}`;
  return html`${bar(timing)}
    <ul class="times">
      ${connectMs === null ? withoutConnect !== undefined && html`<li>${withoutConnect}</li>` : time('connect', `connect ${formatDuration(connectMs)}`)}
      ${firstByteMs !== null && time('waiting', `first byte ${formatDuration(firstByteMs)}`)}
      ${whole !== false && (isBroken ? html`<li><i class="receiving"></i><mark>${whole}</mark></li>` : time('receiving', whole))}
      ${limitMs !== undefined && time('limit', `limit ${formatDuration(limitMs)}${usedOf(totalMs, limitMs)}`)}
    </ul>`;
}

function bar(timing: ExchangeTiming): Markup | undefined {
  const total = timing.totalMs;
  if (total === null) return undefined;
  const connect = timing.connectMs ?? 0;
  const firstByte = Math.min(timing.firstByteMs ?? total, total);
  // The limit counts from the first byte sent, so it starts where connecting ends.
  const limit = timing.limitMs === undefined ? undefined : connect + timing.limitMs;
  const whole = Math.max(connect + total, limit ?? 0, Number.EPSILON);
  const at = (ms: number) => Number(((ms / whole) * 100).toFixed(2));
  const piece = (name: keyof typeof paint, from: number, length: number) =>
    length > 0 &&
    html`<rect class="${name}" x="${at(from)}%" width="${at(length)}%" height="${height}" fill="${paint[name]}" />`;
  return html`<svg class="timing" aria-hidden="true" width="100%" height="${height}">
    <rect class="track" width="100%" height="${height}" fill="#d5d9df" />
    ${piece('connect', 0, connect)}${piece('waiting', connect, firstByte)}${piece('receiving', connect + firstByte, total - firstByte)}
    ${limit !== undefined && html`<rect class="limit" x="${Math.min(at(limit), 99.5)}%" width="3" height="${height}" />`}
  </svg>`;
}

function usedOf(totalMs: number | null, limitMs: number): string {
  if (totalMs === null || limitMs <= 0) return '';
  if (totalMs > limitMs) return `, over it by ${formatDuration(totalMs - limitMs)}`;
  const used = (totalMs / limitMs) * 100;
  return `, ${used < 1 ? 'less than 1' : Math.round(used)} % of it used`;
}
