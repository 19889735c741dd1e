import { counted } from '../../text/wording.ts';
import type { Evidence } from './evidence.ts';
import { html } from './markup.ts';
import type { Markup } from './markup.ts';

/** Calls of a run with many that are listed at once; the others are folded. */
const callsShown = 6;

/** The calls that connected, in order. */
export function callsSection({ calls }: Evidence): Markup | undefined {
  if (calls.length === 0) return undefined;
  const rest = calls.slice(callsShown);
  const list = (some: readonly Markup[]) => html`<div class="exchanges">${some.map((one) => html`${one} `)}</div>`;
  return html`<section id="calls" aria-labelledby="calls-title">
    <h2 id="calls-title">Calls <span class="count">${calls.length}</span></h2>
    ${list(calls.slice(0, callsShown))}
    ${
      rest.length > 0 &&
      html`<details class="folded">
        <summary>${counted(rest.length, 'more call')}</summary>
        ${list(rest)}
      </details>`
    }
  </section>`;
}

/** The exchanges of the run, in order. The search is shown only when the script runs. */
export function evidenceSection({ written, packs, packed, omitted }: Evidence): Markup | undefined {
  if (written.length + packed + omitted === 0) return undefined;
  return html`<section id="evidence" aria-labelledby="evidence-title">
    <h2 id="evidence-title">Evidence</h2>
    <p class="quiet">
      ${counted(written.length, 'exchange')} with their headers and bodies; secrets are
      redacted.${omitted > 0 && ` ${counted(omitted, 'more exchange')} in report.json.`}
    </p>
    <form class="filter" id="evidence-filter" role="search" aria-label="Exchanges" hidden>
      <label>Find an exchange <input type="search" id="evidence-text" autocomplete="off" /></label>
      <output id="evidence-count" for="evidence-text" aria-live="polite"></output>
    </form>
    <div id="exchanges">${written.map((one) => html`${one} `)}</div>
    ${packed > 0 && further(packed, packs)}
  </section>`;
}

function further(count: number, packs: readonly Markup[]): Markup {
  return html`<section id="further" aria-labelledby="further-title">
    <h3 id="further-title">Further exchanges <span class="count">${count}</span></h3>
    <p class="quiet" id="further-note">
      Packed into this page and shown by its script. Without scripts, see report.json.
    </p>
    <div id="further-list"></div>
    <p><button type="button" id="further-more" hidden>Show more</button></p>
    ${packs}
  </section>`;
}
