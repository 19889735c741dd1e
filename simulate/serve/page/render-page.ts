import { html, type Markup } from '../../../reports/write/html/markup.ts';
import { inlined, integrity } from '../../../reports/write/html/inlined.ts';
import { stepDescription, stepNames } from '../../../service/step.ts';
import type { ListName } from './page-lists.ts';
import { actPanel } from './act-panel.ts';
import { pageScript } from './page-script.ts';
import { pageStyle } from './page-style.ts';

/** The policy of the page: only our own style and script run, and requests go to the service alone. */
export const pagePolicy = [
  "default-src 'none'",
  `style-src '${integrity(pageStyle)}'`,
  `script-src '${integrity(pageScript)}'`,
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * The page without its lists, which the script fetches.
 *
 * @param controlPath path of the control API; omitted where the page itself is at that path
 */
export function renderPage({ baseUrl, controlPath }: { baseUrl: string; controlPath?: string }): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>Simulated service - svc-conform</title>
        ${inlined('style', pageStyle)}
      </head>
      <body${controlPath !== undefined && html` data-control="${controlPath}"`}>
        <a class="skip" href="#conversations">Skip to the conversations</a>
        <header>
          <div class="page">
            <h1>Simulated service</h1>
            <p><code>${baseUrl}/v1</code> · service time <span id="clock"></span></p>
            <ul class="list inline quiet" data-list="endpoints" aria-label="Endpoints"></ul>
            <p class="quiet" data-empty="endpoints">It sends to no endpoint yet: connect one below, or start it with a config.</p>
            <p><strong class="fail" id="connection" role="status"></strong></p>
            <noscript><p>This page needs JavaScript.</p></noscript>
          </div>
        </header>
        <nav class="sections" aria-label="Sections">
          <ul class="page">
            <li><a href="#acts">Act</a></li>
            ${sections.map(({ name, title }) => html`<li><a href="#${name}">${title}</a></li> `)}
          </ul>
        </nav>
        <div class="page board">
          ${actPanel(stepNames.map((name) => ({ name, does: stepDescription(name).does })))}
          <main>${sections.map(section)}</main>
        </div>
        ${inlined('script', pageScript)}
      </body>
    </html> `.source;
}

interface Section {
  name: ListName;
  title: string;
  empty: string;
  isLog?: true;
}

const sections: readonly Section[] = [
  { name: 'conversations', title: 'Conversations', empty: 'No customer has written or called yet.' },
  { name: 'appointments', title: 'Appointments', empty: 'There are none; POST /v1/appointments creates one.' },
  { name: 'calls', title: 'Calls', empty: 'No call yet.' },
  { name: 'deliveries', title: 'Deliveries', empty: 'Nothing was sent to your endpoint yet.' },
  { name: 'requests', title: 'Requests', empty: 'Your side has sent no API request and no callback yet.' },
  { name: 'events', title: 'Events', empty: 'No event yet.', isLog: true },
];

function section({ name, title, empty, isLog }: Section): Markup {
  return html`<section id="${name}" aria-labelledby="${name}-title">
    <h2 id="${name}-title">${title} <span class="count" data-count="${name}"></span></h2>
    <p class="quiet" data-empty="${name}">${empty}</p>
    <ul class="list${isLog && ' lines'}" data-list="${name}" ${isLog && html` tabindex="0" aria-label="${title}"`}></ul>
  </section> `;
}
