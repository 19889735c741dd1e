import type { ExchangeTiming } from '../../specs/types.ts';
import { html } from './markup.ts';
import type { Markup } from './markup.ts';

const height = 8;

/**
 * Connect, waiting for the first byte and receiving on one line, with the limit as a stroke. It repeats what the text
 * beside it says, so it is hidden from screen readers.
 */
export function timingBar(timing: ExchangeTiming): Markup | undefined {
  const total = timing.totalMs;
  if (total === null) return undefined;
  const connect = timing.connectMs ?? 0;
  const firstByte = Math.min(timing.firstByteMs ?? total, total);
  // The limit counts from the first byte sent, so it starts where connecting ends.
  const limit = timing.limitMs === undefined ? undefined : connect + timing.limitMs;
  const whole = Math.max(connect + total, limit ?? 0, Number.EPSILON);
  const at = (ms: number) => Number(((ms / whole) * 100).toFixed(2));
  const piece = (name: string, from: number, length: number) =>
    length > 0 && html`<rect class="${name}" x="${at(from)}%" y="0" width="${at(length)}%" height="${height}" />`;
  return html`<svg class="timing" aria-hidden="true" focusable="false" width="100%" height="${height}">
    <rect class="track" x="0" y="0" width="100%" height="${height}" />
    ${piece('connect', 0, connect)}${piece('waiting', connect, firstByte)}${piece('receiving', connect + firstByte, total - firstByte)}
    ${limit !== undefined && html`<rect class="limit" x="${Math.min(at(limit), 99.5)}%" y="0" width="2" height="${height}" />`}
  </svg>`;
}
