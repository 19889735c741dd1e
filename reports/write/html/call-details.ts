import type { CallRecord } from '../../../specs/generated/types.ts';
import { callTimeline } from '../plots/call-timeline.ts';
import { excerpt, transcript, type Break, type TranscriptLine } from '../../text/transcript.ts';
import { counted } from '../../text/wording.ts';
import { callLegend } from './legend.ts';
import { html, type Markup } from './markup.ts';
import { failureMark } from './outcome-mark.ts';

const excerptLines = 14;

/** The transcript around the frame that violated the rule, or up to the end; `whole` links to the complete call. */
export function callExcerpt(call: CallRecord, breaks: readonly Break[], whole: Markup): Markup {
  const { before, lines, after } = excerpt(transcript(call, breaks), excerptLines);
  const rest = before + after > 0 ? `${before + after} more lines` : 'All frames';
  return html`<p class="label">Call transcript</p>
    ${timeline(call, breaks)} ${table(lines, 'Call transcript')}
    <p class="quiet">${rest}: ${whole}</p>`;
}

/** The complete transcript, and all frames as they were on the wire. */
export function callDetails(call: CallRecord, breaks: readonly Break[], isPictured: boolean): Markup {
  const left = call.framesOmitted > 0 && `; ${call.framesOmitted} more omitted`;
  return html`<section class="message">
    <p class="label">Call ${call.callId}</p>
    ${isPictured && timeline(call, breaks)} ${table(transcript(call, breaks), `Call ${call.callId}`)}
    ${
      call.frames.length > 0 &&
      html`<details>
        <summary>${counted(call.frames.length, 'frame')} as on the wire${left}</summary>
        ${rawFrames(call, breaks)}
      </details>`
    }
  </section>`;
}

/** A narrow screen shows a narrow picture, so that no part of it is hidden. */
function timeline(call: CallRecord, breaks: readonly Break[]): Markup | undefined {
  const picture = callTimeline(call, breaks);
  if (!picture) return undefined;
  return html`<div class="timeline">
    <div class="wide">${picture}</div>
    <div class="narrow">${callTimeline(call, breaks, 'narrow')}</div>
    ${callLegend}
  </div>`;
}

function table(lines: readonly TranscriptLine[], name: string): Markup | undefined {
  if (lines.length === 0) return undefined;
  return html`<table class="play" aria-label="${name}">
    <thead>
      <tr>
        <th scope="col">Time</th>
        <th scope="col">Who</th>
        <th scope="col">What</th>
      </tr>
    </thead>
    <tbody>
      ${lines.map(row)}
    </tbody>
  </table>`;
}

function row({ atMs, who, what, broke }: TranscriptLine): Markup {
  return html`<tr${broke && html` class="broke"`}>
    <td class="number">${Math.round(atMs)} ms</td>
    <td class="who">${who}</td>
    <td>
      <span class="${who === undefined ? 'said quiet' : 'said'}">${what}</span>
      ${broke?.map((failure) => html`<span class="here">${failureMark(failure)}</span>`)}
    </td>
  </tr> `;
}

function rawFrames({ frames }: CallRecord, breaks: readonly Break[]): Markup {
  const broken = new Set(breaks.map(({ frame }) => frame));
  return html`<table class="play" aria-label="Frames">
    <thead>
      <tr>
        <th scope="col">Time</th>
        <th scope="col">From</th>
        <th scope="col">Frame</th>
      </tr>
    </thead>
    <tbody>
      ${frames.map(
        ({ n, from, atMs, text, bytes, binary }) => html`<tr${broken.has(n) && html` class="broke"`}>
          <td class="number">${atMs} ms</td>
          <td class="who">${from === 'ai' ? 'AI' : from}</td>
          <td>
            <span class="quiet">frame ${n}, ${counted(bytes, 'byte')}${binary && ', binary'}</span>
            <br /><code>${text}</code>
          </td>
        </tr> `,
      )}
    </tbody>
  </table>`;
}
