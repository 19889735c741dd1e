import type { CheckResult } from '../../../specs/generated/types.ts';
import { formatExpectation } from '../../text/wording.ts';
import { html } from './markup.ts';
import type { Markup } from './markup.ts';

/** Expected and received side by side, and the message where it says more than both. */
export function comparison(message: string | undefined, check: CheckResult | undefined): Markup | undefined {
  const { expected, received } = check ?? {};
  if (expected === undefined || received === undefined) {
    return message === undefined ? undefined : html`<p class="says">${message}</p>`;
  }
  const isRepeated = message === undefined || message === formatExpectation({ expected, received });
  return html`${!isRepeated && html`<p class="says">${message}</p>`}
    <dl class="pair">
      <div class="expected">
        <dt>Expected</dt>
        <dd><pre>${expected}</pre></dd>
      </div>
      <div class="received">
        <dt>Received</dt>
        <dd><pre>${received}</pre></dd>
      </div>
    </dl>`;
}
