import type { Report } from '../../../specs/generated/types.ts';
import { counted } from '../../text/wording.ts';
import { logLine } from './log-lines.ts';
import { html } from './markup.ts';
import type { Markup } from './markup.ts';

/** The most lines on the page; report.json has all of them. */
const shownLines = 2_000;

/** The image or command that was started, and its log. */
export function containerSection({ container, start, logs = [], logsOmitted = 0 }: Report): Markup | undefined {
  if (!container && !start && logs.length === 0) return undefined;
  const inReport = Math.max(0, logs.length - shownLines);
  return html`<section id="container" aria-labelledby="container-title">
    <h2 id="container-title">${startedTitle(start)}</h2>
    ${
      container &&
      html`<dl class="advice-list">
        <div>
          <dt>Image</dt>
          <dd><code>${container.image}</code></dd>
        </div>
        ${
          container.digest !== undefined &&
          html`<div>
            <dt>Digest</dt>
            <dd><code>${container.digest}</code></dd>
          </div>`
        }
        ${instancesEntry(container.instances)}
        ${
          container.exitCode !== undefined &&
          html`<div>
            <dt>Exited</dt>
            <dd>With code ${container.exitCode} during the run${times(container.exits)}</dd>
          </div>`
        }
      </dl>`
    }
    ${
      start &&
      html`<dl class="advice-list">
        <div>
          <dt>Command</dt>
          <dd><code>${start.command}</code></dd>
        </div>
        ${instancesEntry(start.instances)}
        ${
          start.exits !== undefined &&
          html`<div>
            <dt>Ended</dt>
            <dd>${describeEnd(start)} during the run${times(start.exits)}</dd>
          </div>`
        }
      </dl>`
    }
    ${
      logs.length > 0 &&
      html`<details>
        <summary>Log <span class="quiet">${counted(logs.length, 'line')}</span></summary>
        <pre class="log tall" tabindex="0">
${logs.slice(0, shownLines).map((line) => logLine(timeOf(line.at), line))}</pre>
      </details>`
    }
    ${inReport > 0 && html`<p class="quiet">${counted(inReport, 'more line')} in report.json.</p>`}
    ${logsOmitted > 0 && html`<p class="quiet">${counted(logsOmitted, 'line')} omitted from the report.</p>`}
  </section>`;
}

/** The title of the section. */
export function startedTitle(start: Report['start']): string {
  return start ? 'Started endpoint' : 'Container';
}

function instancesEntry(instances: number | undefined): Markup | undefined {
  if (instances === undefined) return undefined;
  return html`<div>
    <dt>Instances</dt>
    <dd>${instances} behind one address</dd>
  </div>`;
}

function describeEnd({ exitCode, signal }: NonNullable<Report['start']>): string {
  if (exitCode !== undefined) return `With exit code ${exitCode}`;
  return signal === undefined ? 'Once' : `By ${signal}`;
}

function times(exits = 1): string {
  return exits === 1 ? '' : `, the last of ${exits} times`;
}

/** The time of day to the millisecond. */
function timeOf(at: string): string {
  return /T(\d\d:\d\d:\d\d(?:\.\d{1,3})?)/.exec(at)?.[1] ?? at;
}
