import {
  findingKinds,
  interactionVerdicts,
  worstInteractionVerdict,
  type ContractFinding,
  type FindingKind,
  type InteractionVerdict,
  type JudgedContract,
} from '../contracts/contract-finding.ts';
import type { Group } from '../reports/model/groups.ts';
import { createPaint } from '../reports/write/terminal/terminal-paint.ts';
import { wrapped } from '../reports/write/terminal/terminal-text.ts';
import { visibleOnOneLine } from '../reports/text/visible-controls.ts';
import { counted } from '../reports/text/wording.ts';

/** The output of `pact compare --json`; field names are fixed. */
export interface Comparison {
  readonly schemaVersion: 1;
  /** The worst of all interactions. */
  readonly verdict: InteractionVerdict;
  /** Number of interactions by verdict, and in total. */
  readonly summary: Readonly<Record<InteractionVerdict | 'interactions', number>>;
  readonly contracts: readonly ({ readonly file: string } & JudgedContract)[];
}

/** Combines the verdicts on all contracts. */
export function comparisonOf(contracts: Comparison['contracts']): Comparison {
  const verdicts = contracts.flatMap(({ interactions }) => interactions.map(({ verdict }) => verdict));
  const count = (wanted: InteractionVerdict) => verdicts.filter((verdict) => verdict === wanted).length;
  return {
    schemaVersion: 1,
    verdict: worstInteractionVerdict(verdicts),
    summary: {
      interactions: verdicts.length,
      provided: count('provided'),
      assumed: count('assumed'),
      'not-provided': count('not-provided'),
      'not-judged': count('not-judged'),
    },
    contracts,
  };
}

/** Formats the comparison as ASCII JSON, so that no string of a contract can control a terminal. */
export function comparisonJson(comparison: Comparison): string {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return `${JSON.stringify(comparison, undefined, 2).replaceAll(/[^\n -~]/g, escaped)}\n`;
}

/** Sign, colour and label of each verdict. */
const verdictLabels: Readonly<Record<InteractionVerdict, { sign: string; group: Group; label: string }>> = {
  provided: { sign: '✓', group: 'pass', label: 'passed' },
  assumed: { sign: '~', group: 'advice', label: 'passed with open points' },
  'not-provided': { sign: '✗', group: 'fail', label: 'failed' },
  'not-judged': { sign: '?', group: 'blocked', label: 'could not be judged' },
};

const kindLabels: Readonly<Record<FindingKind, string>> = {
  'not-provided': 'mismatch',
  'not-in-document': 'unknown',
  'not-judged': 'not judged',
  'not-shown': 'open point',
  note: 'note',
};

const indent = '    ';
const labelWidth = 12;

/** Renders a line for each interaction, followed by its findings. */
export function renderComparison(
  { summary, contracts }: Comparison,
  { colour, width }: { colour: boolean; width: number },
): string {
  const paint = createPaint(colour);
  const row = (label: string, text: string) =>
    wrapped(visibleOnOneLine(text), Math.max(20, width - indent.length - labelWidth)).map(
      (line, at) => indent + paint.dim((at === 0 ? label : '').padEnd(labelWidth)) + line,
    );
  const finding = ({ kind, pointer, expected, received, advice }: ContractFinding) => [
    ...row(kindLabels[kind], `expected ${expected}, received ${received}`),
    ...row('', `at ${pointer}`),
    ...row('', advice),
  ];
  const lines = contracts.flatMap(({ file, consumer, provider, pactVersion, interactions }) => [
    paint.bold(visibleOnOneLine(`${file}: ${consumer} expects of ${provider} (Pact ${pactVersion})`)),
    ...interactions.flatMap(({ verdict, description, states, request, replayed, findings }) => {
      const { sign, group } = verdictLabels[verdict];
      const given = states.length === 0 ? '' : ` given ${states.join(' and ')}`;
      return [
        `  ${paint.outcome(group, sign)} ${visibleOnOneLine(`${description}${given}`)}`,
        ...row('', `${request}${replayed ? '' : ' (not sent)'}`),
        ...findingKinds.flatMap((kind) => findings.filter((one) => one.kind === kind).flatMap(finding)),
      ];
    }),
  ]);
  return `${[...lines, summaryLine(summary)].join('\n')}\n`;
}

function summaryLine(summary: Comparison['summary']): string {
  const counts = interactionVerdicts
    .toReversed()
    .filter((verdict) => summary[verdict] > 0)
    .map((verdict) => `${summary[verdict]} ${verdictLabels[verdict].label}`);
  return `${counted(summary.interactions, 'interaction')}: ${counts.join(', ')}.`;
}
