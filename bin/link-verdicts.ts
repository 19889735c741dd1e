import { createPaint } from '../reports/write/terminal/terminal-paint.ts';
import { wrapped } from '../reports/write/terminal/terminal-text.ts';
import { outcomeOf, outcomes, type Outcome } from '../reports/model/verdict.ts';
import { visibleOnOneLine } from '../reports/text/visible-controls.ts';
import { counted, outcomeLabels } from '../reports/text/wording.ts';
import { Brand } from '../specs/brand.ts';
import { judgeDeepLink, type LinkFinding } from '../specs/judge-deep-link.ts';
import { hideSecrets } from '../specs/link-secrets.ts';

/** The outcome of a link: its worst finding. */
type LinkOutcome = Extract<Outcome, 'fail' | 'warn' | 'advice' | 'pass'>;

/** The output of `link check --json`, without the secrets of links. */
export interface LinkVerdicts {
  summary: Record<LinkOutcome | 'links', number>;
  links: { line?: number; link: string; verdict: LinkOutcome; findings: LinkFinding[] }[];
}

/** Judges links in their order; `line` is set for links of a file. API keys and names are those of the brand. */
export function judgedLinks(links: readonly { line?: number; text: string }[], brand = Brand.named()): LinkVerdicts {
  const judged = links.map(({ line, text }) => {
    // A key of the document's brand is hidden, too.
    const hidden = hideSecrets(brand.text(hideSecrets(text)));
    const findings = judgeDeepLink(brand.text(text));
    return {
      ...(line !== undefined && { line }),
      link: brand.text(hidden),
      verdict: worst(findings),
      findings: brand.value(findings),
    };
  });
  const having = (outcome: LinkOutcome) => judged.filter(({ verdict }) => verdict === outcome).length;
  return {
    summary: {
      links: judged.length,
      fail: having('fail'),
      warn: having('warn'),
      advice: having('advice'),
      pass: having('pass'),
    },
    links: judged,
  };
}

function worst(findings: readonly LinkFinding[]): LinkOutcome {
  const found = findings.map(({ level }) => outcomeOf({ level, verdict: 'fail' }));
  return (outcomes.find((outcome) => found.includes(outcome)) ?? 'pass') as LinkOutcome;
}

/** Formats the verdicts as ASCII JSON, so that no link can control a terminal. */
export function linkVerdictsJson(verdicts: LinkVerdicts): string {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return `${JSON.stringify(verdicts, undefined, 2).replaceAll(/[^\n -~]/g, escaped)}\n`;
}

const indent = '    ';
const labelWidth = 8;

/** Renders the verdicts for a terminal: a line for each link, followed by its findings. */
export function renderLinks(
  { summary, links }: LinkVerdicts,
  { colour, width }: { colour: boolean; width: number },
): string {
  const paint = createPaint(colour);
  const row = (label: string, text: string) =>
    wrapped(visibleOnOneLine(text), width - indent.length - labelWidth).map(
      (line, at) => indent + paint.dim((at === 0 ? label : '').padEnd(labelWidth)) + line,
    );
  const lines = links.flatMap(({ line, link, verdict, findings }) => [
    `${paint.outcome(verdict, outcomeLabels[verdict].sign)} ${line === undefined ? '' : `line ${line}: `}${visibleOnOneLine(link)}`,
    ...findings.flatMap(({ requirement, level, expected, received, hint }) => [
      ...row(level, requirement),
      ...row('', `expected ${expected}, received ${received}`),
      ...(hint === undefined ? [] : row('hint', hint)),
    ]),
    // It is the same in every finding of a link.
    ...findings
      .flatMap(({ right }) => right ?? [])
      .slice(0, 1)
      .flatMap((right) => row('write', right)),
  ]);
  return `${[...lines, summaryLine(summary)].join('\n')}\n`;
}

function summaryLine({ links, fail, warn, advice, pass }: LinkVerdicts['summary']): string {
  const parts = [
    [pass, 'valid'],
    [advice, 'valid, with advice'],
    [warn, 'with a warning'],
    [fail, 'invalid'],
  ] as const;
  const nonZero = parts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
  return `${counted(links, 'link')}: ${nonZero.join(', ')}.`;
}
