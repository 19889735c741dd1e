import { hintWords } from '../../text/wording.ts';
import { html } from './markup.ts';
import type { Markup } from './markup.ts';

/** What a check says of its failure. */
interface Advised {
  readonly hint?: string | undefined;
  readonly reproduce?: string | undefined;
  readonly cause?: string | undefined;
}

/** What to do about it: the probable cause, the fix of the requirement, the command that repeats it. */
export function adviceList(check: Advised | undefined, remediation?: string): Markup | undefined {
  const entries = [
    entry('Probable cause', hintWords(check)),
    entry('What to change', remediation === '' ? undefined : remediation),
    check?.reproduce !== undefined &&
      html`<div>
        <dt>Repeat it</dt>
        <dd class="command"><code>${check.reproduce}</code></dd>
      </div>`,
  ];
  return entries.some((one) => one) ? html`<dl class="advice-list">${entries}</dl>` : undefined;
}

function entry(term: string, text: string | undefined): Markup | undefined {
  return text === undefined
    ? undefined
    : html`<div>
        <dt>${term}</dt>
        <dd>${text}</dd>
      </div>`;
}
