import { createPaint } from '../write/terminal/terminal-paint.ts';
import { padded, wrapped } from '../write/terminal/terminal-text.ts';
import { visibleOnOneLine } from '../text/visible-controls.ts';
import { configKeys } from '../model/surfaces.ts';
import { counted, labelVerdict } from '../text/wording.ts';
import type { CertificateStatement, CertificateScope, ResourceDescriptor } from './statement.ts';
import type { Verification, VerifiedPoint } from './verify-certificate.ts';
import { isLoopback } from '../../specs/loopback.ts';

export interface VerificationOptions {
  readonly colour: boolean;
  /** Columns of the terminal. */
  readonly width?: number | undefined;
}

const outcomes = {
  genuine: { sign: '✓', word: 'genuine', group: 'pass' },
  outdated: { sign: '✗', word: 'genuine, but not valid now', group: 'fail' },
  'not-genuine': { sign: '✗', word: 'not genuine', group: 'fail' },
} as const satisfies Record<Verification['outcome'], unknown>;

const states = {
  holds: { sign: '✓', group: 'pass' },
  broken: { sign: '✗', group: 'fail' },
  unknown: { sign: '?', group: 'warn' },
} as const satisfies Record<VerifiedPoint['state'], unknown>;

const labelWidth = 13;
const narrowest = 60;
const widest = 110;

/** What was verified, what the certificate says, what that rests on, and what it does not say. */
export function renderVerification(verification: Verification, { colour, width }: VerificationOptions): string {
  const paint = createPaint(colour);
  const room = Math.min(widest, Math.max(narrowest, width ?? widest));
  const row = (label: string, text: string, sign = ' ') =>
    wrapped(visibleOnOneLine(text), room - labelWidth - 4).map(
      (line, at) => `${at === 0 ? sign : ' '} ${paint.dim(padded(at === 0 ? label : '', labelWidth))} ${line}`,
    );
  const bullet = (text: string) =>
    wrapped(visibleOnOneLine(text), room - 4).map((line, at) => `${at === 0 ? '  ·' : '   '} ${line}`);
  const { sign, word, group } = outcomes[verification.outcome];
  const points = verification.points.flatMap(({ what, state, words }) =>
    row(what, words, paint.outcome(states[state].group, states[state].sign)),
  );
  const blocks = [[paint.bold(paint.outcome(group, `${sign} ${word}`))], points];
  const { statement } = verification;
  if (statement) {
    const title = verification.outcome === 'not-genuine' ? 'What was signed (do not rely on it)' : 'What it says';
    blocks.push([paint.bold(title), ...facts(statement).flatMap(([label, text]) => row(label, text))]);
  }
  if (statement && verification.outcome !== 'not-genuine') {
    blocks.push([paint.bold('What that rests on'), ...restsOn(verification, statement).flatMap(bullet)]);
    blocks.push([paint.bold('What it does not say'), ...notSaid(verification, statement).flatMap(bullet)]);
  }
  return `${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

/** The same for programs: outcome, points, and the statement that was signed. */
export function verificationJson(verification: Verification): string {
  const { outcome, keyId, points, statement } = verification;
  const isRelied = statement && outcome !== 'not-genuine';
  const told = {
    outcome,
    keyId,
    points,
    ...(isRelied && { restsOn: restsOn(verification, statement), doesNotSay: notSaid(verification, statement) }),
    ...(statement && { statement }),
  };
  return `${JSON.stringify(told, undefined, 2)}\n`;
}

function facts({ subject, predicate }: CertificateStatement): [string, string][] {
  const { svcConform: scope, passedTests, warnedTests } = predicate;
  return [
    ...subject.map((one): [string, string] => [one.name, `${placeOf(one)}${seenOf(scope, one.name)}`]),
    ['verdict', labelVerdict(scope)],
    ['exercised', `${counted(passedTests.length, 'requirement holds', 'requirements hold')}${warned(warnedTests)}`],
    ['by', `svc-conform ${scope.harnessVersion}, own-AI protocol ${scope.protocol}`],
    ['run', `${scope.ranAt}, seed ${scope.seed}`],
    ['valid', `${scope.issuedAt} to ${scope.validUntil}`],
  ];
}

function placeOf({ name, uri, annotations = {}, digest = {} }: ResourceDescriptor): string {
  const { image, digestOf } = annotations;
  if (image !== undefined) return `${image} (sha256:${digest['sha256'] ?? '?'}: ${digestOf ?? '?'})`;
  return uri ?? annotations['address'] ?? annotations['command'] ?? annotations['file'] ?? name;
}

function seenOf({ surfaces }: CertificateScope, name: string): string {
  const scope = Object.hasOwn(surfaces, name) ? surfaces[name] : undefined;
  if (!scope) return '';
  const all = scope.exercised + scope.notExercised + scope.notObservable;
  return `; ${scope.holds} of ${counted(all, 'requirement holds', 'requirements hold')}`;
}

function warned(ids: readonly string[]): string {
  return ids.length === 0 ? '' : `; ${counted(ids.length, 'warning')}: ${ids.join(', ')}`;
}

function restsOn({ points, keyId }: Verification, { predicate, subject }: CertificateStatement): string[] {
  const links = subject.some(({ name }) => name === 'deep-links') ? '; for links nothing was sent' : '';
  const { harnessVersion } = predicate.svcConform;
  const proof = points.some(({ what, state }) => what === 'kill matrix' && state === 'holds');
  return [
    `On the key ${keyId}: whoever has its private half said this, and ran svc-conform ${harnessVersion} unaltered. That the key is theirs you know from where you got it, not from this file.`,
    `On report.json: each check that passed names exchanges in it that it was reached on, the first and the last of a long series${links}.`,
    proof
      ? 'On the checks: which faults they have been seen to catch stands in the kill matrix (docs/reference/kill-matrix.md).'
      : `On the checks of svc-conform ${harnessVersion}: verify with that version to hold catalogue and kill matrix against its own.`,
  ];
}

function notSaid({ report }: Verification, { subject, predicate }: CertificateStatement): string[] {
  const { surfaces, notExercised, ranAt, advice } = predicate.svcConform;
  const absent = Object.keys(configKeys).filter((surface) => !Object.hasOwn(surfaces, surface));
  const unseen = Object.values(surfaces).reduce((sum, { notObservable }) => sum + notObservable, 0);
  return [
    `That the endpoint behaves like this today, or under another version, setting or load than on ${ranAt.slice(0, 10)}.`,
    ...unnamedPrograms(subject),
    ...(absent.length > 0 ? [`Anything about ${absent.join(', ')}: not configured.`] : []),
    ...(notExercised.length > 0
      ? [
          `Whether ${counted(notExercised.length, 'requirement holds', 'requirements hold')} for which there was nothing to judge${report ? '; report.json lists them with the reason' : ''}.`,
        ]
      : []),
    ...(unseen > 0
      ? [`Whether ${counted(unseen, 'requirement holds', 'requirements hold')} that nobody can see from outside.`]
      : []),
    ...(advice.length > 0 ? [`That advice was followed: ${advice.join(', ')} was not.`] : []),
    'That there are no faults: checks find what they look for.',
  ];
}

/** Of what is in the image the digest says which program it was; of nothing else that was judged. */
function unnamedPrograms(subject: CertificateStatement['subject']): string[] {
  const addressed = subject.flatMap(({ name, uri }) => (uri === undefined ? [] : [{ name, uri }]));
  const local = addressed.filter(({ uri }) => isHere(uri)).map(({ name }) => name);
  const remote = addressed.filter(({ uri }) => !isHere(uri)).map(({ name }) => name);
  const commands = subject.flatMap(({ annotations }) => annotations?.['command'] ?? []);
  const files = subject.flatMap(({ annotations }) => annotations?.['file'] ?? []);
  return [
    ...(local.length > 0
      ? [
          `Which program it was: ${local.join(', ')} had addresses on the machine that certified, which mean nothing elsewhere.`,
        ]
      : []),
    ...(remote.length > 0
      ? [
          `Which program answered at ${remote.join(', ')}: an address names a place, and what runs there can be exchanged.`,
        ]
      : []),
    ...commands.map((command) => `Which program ${command} started: the certificate has the command, not what it ran.`),
    ...files.map((file) => `What stood in the file ${file}: the certificate has its name, not its content.`),
  ];
}

function isHere(uri: string): boolean {
  return isLoopback(URL.parse(uri)?.hostname ?? '');
}
