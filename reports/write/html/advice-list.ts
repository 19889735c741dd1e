import { adviceLines, type Advised } from '../../text/wording.ts';
import { html } from './markup.ts';
import type { Markup } from './markup.ts';

interface AdvisedCheck extends Advised {
  readonly reproduce?: string | undefined;
}

/** The hint, the causes and their fixes, the remediation of the requirement, and the command that reruns the check. */
export function adviceList(check: AdvisedCheck | undefined, remediation?: string): Markup | undefined {
  const entries = [
    ...adviceLines(check, remediation).map(({ label, text }) => entry(label, text)),
    check?.reproduce !== undefined &&
      html`<div>
        <dt>Rerun</dt>
        <dd class="command"><code>${check.reproduce}</code></dd>
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
