import { createPaint } from '../write/terminal/terminal-paint.ts';
import { padded, wrapped } from '../write/terminal/terminal-text.ts';
import { visibleOnOneLine } from '../text/visible-controls.ts';
import { counted, labelVerdict } from '../text/wording.ts';
import type { CertificateStatement, CertificateScope, ResourceDescriptor } from './statement.ts';
import type { CertificateVerification, VerifiedPoint } from './verify-certificate.ts';
import { isLoopback } from '../../specs/is-loopback.ts';
import { surfaces as allSurfaces } from '../../specs/surfaces.ts';

export interface VerificationOptions {
  readonly colour: boolean;
  /** Columns of the terminal. */
  readonly width?: number | undefined;
}

const outcomes = {
  genuine: { sign: '✓', word: 'genuine', group: 'pass' },
  outdated: { sign: '✗', word: 'genuine, but not currently valid', group: 'fail' },
  'not-genuine': { sign: '✗', word: 'not genuine', group: 'fail' },
} as const satisfies Record<CertificateVerification['outcome'], unknown>;

const states = {
  valid: { sign: '✓', group: 'pass' },
  invalid: { sign: '✗', group: 'fail' },
  unknown: { sign: '?', group: 'warn' },
} as const satisfies Record<VerifiedPoint['state'], unknown>;

const labelWidth = 13;
const narrowest = 60;
const widest = 110;

/** The verified points, the content of the certificate, its basis, and its limits. */
export function renderVerification(
  verification: CertificateVerification,
  { colour, width }: VerificationOptions,
): string {
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
    const title = verification.outcome === 'not-genuine' ? 'Signed content (do not rely on it)' : 'Content';
    blocks.push([paint.bold(title), ...facts(statement).flatMap(([label, text]) => row(label, text))]);
  }
  if (statement && verification.outcome !== 'not-genuine') {
    blocks.push([paint.bold('It relies on'), ...describeTrust(verification, statement).flatMap(bullet)]);
    blocks.push([paint.bold('It does not certify'), ...describeScope(verification, statement).flatMap(bullet)]);
  }
  return `${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

/** The same as JSON: outcome, points, and the signed statement. */
export function verificationJson(verification: CertificateVerification): string {
  const { outcome, keyId, points, statement } = verification;
  const isRelied = statement && outcome !== 'not-genuine';
  const result = {
    outcome,
    keyId,
    points,
    ...(isRelied && {
      restsOn: describeTrust(verification, statement),
      doesNotSay: describeScope(verification, statement),
    }),
    ...(statement && { statement }),
  };
  return `${JSON.stringify(result, undefined, 2)}\n`;
}

function facts({ subject, predicate }: CertificateStatement): [string, string][] {
  const { svcConform: scope, passedTests, warnedTests } = predicate;
  return [
    ...subject.map((one): [string, string] => [one.name, `${placeOf(one)}${formatScope(scope, one.name)}`]),
    ['verdict', labelVerdict(scope)],
    ['exercised', `${counted(passedTests.length, 'requirement passes', 'requirements pass')}${warned(warnedTests)}`],
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

function formatScope({ surfaces }: CertificateScope, name: string): string {
  const scope = Object.hasOwn(surfaces, name) ? surfaces[name] : undefined;
  if (!scope) return '';
  const all = scope.exercised + scope.notExercised + scope.notObservable;
  return `; ${scope.passed} of ${counted(all, 'requirement passes', 'requirements pass')}`;
}

function warned(ids: readonly string[]): string {
  return ids.length === 0 ? '' : `; ${counted(ids.length, 'warning')}: ${ids.join(', ')}`;
}

function describeTrust(
  { points, keyId }: CertificateVerification,
  { predicate, subject }: CertificateStatement,
): string[] {
  const links = subject.some(({ name }) => name === 'deep-links') ? '; links are checked without exchanges' : '';
  const { harnessVersion } = predicate.svcConform;
  const proof = points.some(({ what, state }) => what === 'kill matrix' && state === 'valid');
  return [
    `The key ${keyId}: its holder signed this and ran an unmodified svc-conform ${harnessVersion}. Trust in the key comes from where you obtained it, not from this file.`,
    `report.json: each passed check refers to the exchanges that are its evidence, the first and the last of a long series${links}.`,
    proof
      ? 'The checks: the kill matrix lists the faults that they are proven to detect.'
      : `The checks of svc-conform ${harnessVersion}: verify with that version to compare catalogue and kill matrix.`,
  ];
}

function describeScope({ report }: CertificateVerification, { subject, predicate }: CertificateStatement): string[] {
  const { surfaces, notExercised, ranAt, advice } = predicate.svcConform;
  const absent = allSurfaces.filter((surface) => !Object.hasOwn(surfaces, surface));
  const unseen = Object.values(surfaces).reduce((sum, { notObservable }) => sum + notObservable, 0);
  return [
    `That the endpoint still behaves as on ${ranAt.slice(0, 10)}, or does so in another version, configuration or load.`,
    ...unnamedPrograms(subject),
    ...(absent.length > 0 ? [`Anything about ${absent.join(', ')}: not configured.`] : []),
    ...(notExercised.length > 0
      ? [
          `${counted(notExercised.length, 'requirement')} for which there was nothing to judge${report ? '; report.json lists them with the reason' : ''}.`,
        ]
      : []),
    ...(unseen > 0 ? [`${counted(unseen, 'requirement')} that cannot be observed from outside.`] : []),
    ...(advice.length > 0 ? [`That advice was followed: ${advice.join(', ')} was not.`] : []),
    'That there are no other faults.',
  ];
}

/** Only the digest of an image identifies the program that was judged. */
function unnamedPrograms(subject: CertificateStatement['subject']): string[] {
  const addressed = subject.flatMap(({ name, uri }) => (uri === undefined ? [] : [{ name, uri }]));
  const local = addressed.filter(({ uri }) => isHere(uri)).map(({ name }) => name);
  const remote = addressed.filter(({ uri }) => !isHere(uri)).map(({ name }) => name);
  const commands = subject.flatMap(({ annotations }) => annotations?.['command'] ?? []);
  const files = subject.flatMap(({ annotations }) => annotations?.['file'] ?? []);
  return [
    ...(local.length > 0
      ? [
          `Which program was judged: ${local.join(', ')} had addresses on the certifying machine, which mean nothing elsewhere.`,
        ]
      : []),
    ...(remote.length > 0
      ? [`Which program answered at ${remote.join(', ')}: the program at an address can be replaced.`]
      : []),
    ...commands.map((command) => `Which program ${command} started: the certificate has the command, not the program.`),
    ...files.map((file) => `The content of the file ${file}: the certificate has only its name.`),
  ];
}

function isHere(uri: string): boolean {
  return isLoopback(URL.parse(uri)?.hostname ?? '');
}
