import {
  findingKinds,
  interactionVerdicts,
  worstVerdict,
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

/** What `pact compare --json` prints; its names are fixed. */
export interface Comparison {
  readonly schemaVersion: 1;
  /** The worst of all interactions. */
  readonly verdict: InteractionVerdict;
  /** Interactions by verdict, and all of them. */
  readonly summary: Readonly<Record<InteractionVerdict | 'interactions', number>>;
  readonly contracts: readonly ({ readonly file: string } & JudgedContract)[];
}

/** What was found about all contracts. */
export function comparisonOf(contracts: Comparison['contracts']): Comparison {
  const verdicts = contracts.flatMap(({ interactions }) => interactions.map(({ verdict }) => verdict));
  const count = (wanted: InteractionVerdict) => verdicts.filter((verdict) => verdict === wanted).length;
  return {
    schemaVersion: 1,
    verdict: worstVerdict(verdicts),
    summary: {
      interactions: verdicts.length,
      holds: count('holds'),
      'rests-on-not-shown': count('rests-on-not-shown'),
      'not-given': count('not-given'),
      'not-judged': count('not-judged'),
    },
    contracts,
  };
}

/** As JSON text in ASCII, so that nothing in a contract acts on a terminal. */
export function comparisonJson(comparison: Comparison): string {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return `${JSON.stringify(comparison, undefined, 2).replaceAll(/[^\n -~]/g, escaped)}\n`;
}

/** Sign, colour and words of each verdict. */
const verdictLabels: Readonly<Record<InteractionVerdict, { sign: string; group: Group; words: string }>> = {
  holds: { sign: '✓', group: 'pass', words: 'hold' },
  'rests-on-not-shown': { sign: '~', group: 'advice', words: 'rest on something that is not shown' },
  'not-given': { sign: '✗', group: 'fail', words: 'expect what the interface does not give' },
  'not-judged': { sign: '?', group: 'blocked', words: 'could not be judged' },
};

const kindLabels: Readonly<Record<FindingKind, string>> = {
  'not-given': 'not given',
  'not-in-document': 'unknown',
  'not-judged': 'not judged',
  'not-shown': 'not shown',
  note: 'note',
};

const indent = '    ';
const labelWidth = 12;

/** For people: a line for each interaction, and below it what was found. */
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
  const told = interactionVerdicts
    .toReversed()
    .filter((verdict) => summary[verdict] > 0)
    .map((verdict) => `${summary[verdict]} ${verdictLabels[verdict].words}`);
  return `${counted(summary.interactions, 'interaction')}: ${told.join(', ')}.`;
}
