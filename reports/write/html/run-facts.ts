import type { Report } from '../../../specs/generated/types.ts';
import { formatLongDuration } from '../../text/wording.ts';
import { html } from './markup.ts';
import type { Markup } from './markup.ts';
import { timeElement } from './outcome-mark.ts';

/** The target, the place, the time and the version of the run, and the share of the requirements that was judged. */
export function runFacts(report: Report): Markup {
  const { target, origin, startedAt, durationMs, seed, harness, protocol, coverage } = report;
  const addresses = Object.entries(target).map(
    ([surface, { url, command, file }]) =>
      html`<li><code>${url ?? command ?? file}</code> <span>${surface}</span></li> `,
  );
  const fact = (name: string, value: Markup | string | undefined | false) =>
    value !== undefined &&
    value !== false &&
    html`<div>
      <dt>${name}</dt>
      <dd>${value}</dd>
    </div> `;
  const environment = origin && [origin.ci, `Node ${origin.node}`, origin.platform].filter(Boolean).join(', ');
  return html`<dl class="run-facts">
    ${fact(
      'Target',
      addresses.length > 0 &&
        html`<ul>
          ${addresses}
        </ul>`,
    )}
    ${fact('Environment', environment)}
    ${fact('Commit', origin?.commit !== undefined && html`<code>${origin.commit}</code>`)}
    ${fact('Date', html`${timeElement(startedAt)}, took ${formatLongDuration(durationMs)}, seed ${seed}`)}
    ${fact('Version', `svc-conform ${harness.version}, own-AI protocol ${protocol}`)}
    ${coverage && coverage.of > 0 && fact('Judged', judgedShare(coverage))}
  </dl>`;
}

function judgedShare({ judged, of, configure }: NonNullable<Report['coverage']>): Markup {
  // Rounded down, so that an incomplete run never reads 100 %.
  const share = Math.floor((judged / of) * 100);
  const more = configure.length > 0 && html`; to judge more, configure ${configure.join(', ')}`;
  return html`<meter min="0" max="${of}" value="${judged}" aria-hidden="true"></meter> ${judged} of ${of} observable
    requirements (${share} %)${more}`;
}
