import type { Report, RunVerdict } from '../../../specs/generated/types.ts';
import { formatTime } from '../../text/wording.ts';
import { formatJson } from '../../text/format-json.ts';
import { isReduced, labelPartial, labelReport } from '../../text/headline.ts';
import { surfaces } from '../../../specs/surfaces.ts';
import { escapeXml } from '../junit/xml.ts';

const label = 'svc-conform';

interface Look {
  /** A name that shields.io knows. */
  readonly name: string;
  /** Dark enough for white text on it (WCAG AA). */
  readonly fill: string;
}

const looks: Readonly<Record<RunVerdict, Look>> = {
  conformant: { name: 'brightgreen', fill: '#1a7f37' },
  'conformant-with-warnings': { name: 'yellowgreen', fill: '#7d6600' },
  'non-conformant': { name: 'red', fill: '#b42318' },
  incomplete: { name: 'orange', fill: '#a04100' },
};

/** A partial or reduced run, or one without verified TLS, cannot be certified, so it is not green. */
const partialLook: Look = { name: 'blue', fill: '#0b5cad' };

/** The verdict as an SVG badge with an accessible name. */
export function renderBadgeSvg(report: Report): string {
  const { message, look } = badge(report);
  const [left, right] = [width(label), width(message)];
  const name = escapeXml(`${label}: ${message}, ${formatTime(report.startedAt)}`);
  const text = (at: number, words: string) =>
    `<text x="${at + padding}" y="14" textLength="${width(words) - 2 * padding}" lengthAdjust="spacingAndGlyphs">${escapeXml(words)}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${name}">
<title>${name}</title>
<clipPath id="round"><rect width="${left + right}" height="20" rx="3"/></clipPath>
<g clip-path="url(#round)"><rect width="${left}" height="20" fill="#444"/><rect x="${left}" width="${right}" height="20" fill="${look.fill}"/></g>
<g aria-hidden="true" fill="#fff" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11">${text(0, label)}${text(left, message)}</g>
</svg>
`;
}

/** The same for the endpoint badge of shields.io, which fetches this file. */
export function renderBadgeJson(report: Report): string {
  const { message, look } = badge(report);
  const isError = report.verdict === 'non-conformant' || report.verdict === 'incomplete';
  return formatJson({ schemaVersion: 1, label, message, color: look.name, ...(isError && { isError }) }, 2);
}

function badge(report: Report): { readonly message: string; readonly look: Look } {
  const isPart = labelPartial(report) !== undefined;
  const isLess = isReduced(report);
  const isGood = report.verdict.startsWith('conformant');
  const word = isGood && !isPart ? `${labelReport(report)}${ofSurfaces(report)}` : labelReport(report);
  const isUnverified = report.environment?.tlsVerification === 'disabled';
  return {
    message: `${word}${isLess ? ' (reduced)' : ''}${isUnverified ? ' (TLS not verified)' : ''}`,
    look: (isPart || isLess || isUnverified) && isGood ? partialLook : looks[report.verdict],
  };
}

/** The surfaces on which a requirement passed, unless these are all surfaces. */
function ofSurfaces({ requirements }: Report): string {
  const passed = new Set(requirements.filter(({ verdict }) => verdict === 'pass').map(({ surface }) => surface));
  const known = surfaces;
  const named = known.filter((surface) => passed.has(surface));
  if (named.length === known.length) return '';
  return `: ${named.length === 0 ? 'no known surface' : named.join(', ')}`;
}

const padding = 6;

/** Mean width of a character of Verdana at 11 pixels; `textLength` makes other fonts keep it. */
const characterWidth = 6.2;

function width(words: string): number {
  return Math.round(words.length * characterWidth) + 2 * padding;
}
