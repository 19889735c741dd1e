import type { AdviceLine } from '../../text/wording.ts';
import { html } from './markup.ts';
import type { Markup } from './markup.ts';

/** Causes, fixes and hints, and the command that reruns the check. */
export function adviceList(lines: readonly AdviceLine[], reproduce?: string): Markup | undefined {
  const entries = [
    ...lines.map(({ label, text }) => entry(label, text)),
    reproduce !== undefined &&
      html`<div>
        <dt>Rerun</dt>
        <dd class="command"><code>${reproduce}</code></dd>
      </div>`,
  ];
  return entries.some((one) => one) ? html`<dl class="advice-list">${entries}</dl>` : undefined;
}

function entry(term: string, text: string): Markup {
  return html`<div>
    <dt>${term}</dt>
    <dd>${text}</dd>
  </div>`;
}
