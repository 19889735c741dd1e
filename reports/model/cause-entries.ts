import type { CheckCause, Report } from '../../specs/generated/types.ts';
import { answerKey, withoutTimes } from './answer-key.ts';
import type { GatedFinding, GateStatus } from './gate-status.ts';

/** A requirement that a cause explains as well. */
export interface Consequence extends GatedFinding {
  /** The only sign of the common cause is the same answer. */
  readonly isProbable: boolean;
}

/** One cause with every requirement that it explains. All formats show these entries, with the same counts. */
export interface CauseEntry {
  /** The surface of the lead. */
  readonly surface: string;
  /** All surfaces that the cause concerns, that of the lead first. */
  readonly surfaces: readonly string[];
  /** The requirement that shows the fault: of the most severe ones the most basic. */
  readonly lead: GatedFinding;
  /** The others, most severe first, in reading order. */
  readonly rest: readonly Consequence[];
  /** The diagnosed cause, from the requirement where it is most certain. */
  readonly cause: CheckCause | undefined;
  /** Another entry has the same cause on another surface, which needs the same fix there. */
  readonly isRepeated: boolean;
  /** The hint of the lead, or of another requirement where there is no certain cause. */
  readonly hint: string | undefined;
}

/** The least number of requirements with one answer that indicates a common cause. */
const likelyFrom = 4;

/** Causes of these areas concern a host: it serves all surfaces with its address, if the details are equal. */
const hostAreas: readonly string[] = ['network', 'tls'];

/** Causes of these areas concern every request, whatever was found out about one of them. */
const wholeAreas: readonly string[] = [...hostAreas, 'config', 'signature', 'token'];

/** Causes that follow from another one, which the endpoint has as well: the weakness is the reverse of the mistake. */
const follows: Readonly<Record<string, RegExp>> = {
  'signature/rewritten-body-accepted': /^signature\/body-/,
};

/** Answers by which an endpoint refuses credentials. */
const refusals: readonly (number | undefined)[] = [401, 403];

/** The order in which entries are fixed. */
const severity: readonly GateStatus[] = ['fail', 'blocked', 'warn', 'advice'];

/**
 * Groups findings by cause, the entry to fix first at the front. Findings have one cause if the diagnosis found the same, if
 * four or more received the same answer, or if one fault blocked them.
 *
 * @param findings in reading order
 */
export function causeEntries(findings: readonly GatedFinding[], target: Report['target']): CauseEntry[] {
  const ordered = findings.toSorted((a, b) => severity.indexOf(a.status) - severity.indexOf(b.status));
  const claims = claimsOf(ordered, target);
  const byAnswer = Map.groupBy(ordered, ({ finding }) => answerKey(finding));
  byAnswer.delete(undefined);
  const keyOf = (one: GatedFinding): string => {
    const own = claims.get(one);
    if (own?.isCertain) return own.key;
    const refused = own === undefined && isNotTried(one) ? ordered.find((other) => isRefused(other, one)) : undefined;
    if (refused) return keyOf(refused);
    const same = byAnswer.get(answerKey(one.finding)) ?? [];
    const others = same.flatMap((other) => claims.get(other) ?? []);
    const certain = new Set(others.filter(({ isCertain }) => isCertain).map(({ key }) => key));
    const [common] = certain;
    if (common !== undefined && certain.size === 1 && explainsAnswer(common, one, same.length)) return common;
    if (same.length < likelyFrom) return own?.key ?? aloneKey(one);
    return (certain.size === 0 ? others[0]?.key : own?.key) ?? JSON.stringify(['answer', answerKey(one.finding)]);
  };
  const entries = [...Map.groupBy(ordered, keyOf)].flatMap(([key, group]) => entry(group, key, claims) ?? []);
  const byFault = Map.groupBy(entries, ({ cause }) => cause?.summary);
  return entries.map((one) => ({
    ...one,
    isRepeated: one.cause !== undefined && (byFault.get(one.cause.summary)?.length ?? 0) > 1,
  }));
}

/** The cause that the diagnosis found for a finding. */
interface Claim {
  readonly key: string;
  readonly isCertain: boolean;
}

type Claims = ReadonlyMap<GatedFinding, Claim>;

function claimsOf(findings: readonly GatedFinding[], target: Report['target']): Claims {
  const known = findings.flatMap(({ finding }) => causeOf(finding)?.id ?? []);
  return new Map(
    findings.flatMap((one) => {
      const cause = causeOf(one.finding);
      if (!cause) return [];
      const source = follows[cause.id];
      const id = (source && known.find((other) => source.test(other))) ?? cause.id;
      const place = placeOf(one.finding.requirement.surface, id, target);
      const isDetailed = hostAreas.includes(areaOf(id)) || !wholeAreas.includes(areaOf(id));
      const key = JSON.stringify([place, id, ...(isDetailed ? [cause.summary] : [])]);
      return [[one, { key, isCertain: cause.certain }] as const];
    }),
  );
}

/** Causes in the secret, or possibly so. Any other wrong step of a verification is in the code of one surface. */
const ofTheSecret = /^(?:config\/|signature\/(?:secret-|old-secret$|other-secret$|unknown-scheme$))/;

/** What one fix repairs: a host serves all its surfaces, and the chat and the phone of an assistant have one secret. */
function placeOf(surface: string, id: string, target: Report['target']): string {
  if (hostAreas.includes(areaOf(id))) {
    const { url = '' } = target[surface] ?? {};
    return URL.canParse(url) ? new URL(url).host : surface;
  }
  const isOwnAi = surface === 'own-ai-chat' || surface === 'own-ai-phone';
  const hasOneSecret = isOwnAi && target['own-ai-phone']?.sharesSecret === true;
  return hasOneSecret && ofTheSecret.test(id) ? 'own-ai' : surface;
}

function entry(
  group: readonly GatedFinding[],
  key: string,
  claims: Claims,
): Omit<CauseEntry, 'isRepeated'> | undefined {
  const [first] = group;
  if (!first) return undefined;
  const claiming = group.filter((one) => claims.get(one)?.key === key);
  const shown = claiming.filter(({ status }) => status === first.status);
  const lead = shown.find((one) => isNamed(one, claiming)) ?? shown[0] ?? first;
  const certain = claiming.find((one) => claims.get(one)?.isCertain);
  // A weakness that follows from a mistake has the same key, and the mistake is what has to be fixed.
  const named = [lead, certain, ...claiming].find((one) => one && isNamed(one, claiming)) ?? certain ?? claiming[0];
  const cause = named && causeOf(named.finding);
  const surfaceOf = ({ finding }: GatedFinding) => finding.requirement.surface;
  return {
    surface: surfaceOf(lead),
    surfaces: [...new Set([lead, ...group].map(surfaceOf))],
    lead,
    rest: group
      .filter((one) => one !== lead)
      .map((one) => ({
        ...one,
        isProbable: claims.get(one)?.key !== key && aloneKey(one) !== key && !isNotTried(one),
      })),
    cause,
    hint: lead.finding.deciding?.hint ?? (cause?.certain === true ? undefined : firstHint(group)),
  };
}

/** Whether a check was not tried, because its surface refuses valid requests. */
function isNotTried({ finding }: GatedFinding): boolean {
  return finding.deciding?.code === 'not-tried';
}

/** Whether a finding is the refusal of valid requests, because of which another one was not tried. */
function isRefused({ status, finding: { requirement } }: GatedFinding, notTried: GatedFinding): boolean {
  return status === 'fail' && requirement.own !== true && requirement.surface === notTried.finding.requirement.surface;
}

function isNamed(one: GatedFinding, claiming: readonly GatedFinding[]): boolean {
  const cause = causeOf(one.finding);
  const isBest = cause?.certain === true || claiming.every(({ finding }) => causeOf(finding)?.certain !== true);
  return cause !== undefined && isBest && follows[cause.id] === undefined;
}

function firstHint(group: readonly GatedFinding[]): string | undefined {
  return group.flatMap(({ finding }) => (finding.deciding?.counterexample ? [] : (finding.deciding?.hint ?? [])))[0];
}

/** Equal for requirements that one fault blocked; another failure without a known cause has a key that no other has. */
function aloneKey({ status, finding: { requirement, deciding, exchanges, ...finding } }: GatedFinding): string {
  if (status !== 'blocked') return requirement.id;
  const { surface, message } = requirement;
  const answer = answerKey({ requirement, deciding, exchanges, ...finding });
  return JSON.stringify(['blocked', deciding?.code, answer ?? [surface, message && withoutTimes(message)]]);
}

/** Whether a certain cause explains a finding with the same answer: a refusal, or one of many if it concerns every request. */
function explainsAnswer(key: string, { finding: { exchanges } }: GatedFinding, count: number): boolean {
  const [, id = ''] = JSON.parse(key) as string[];
  const isAboutCredentials = ['signature', 'token', 'config'].includes(areaOf(id));
  if (isAboutCredentials && refusals.includes(exchanges.at(-1)?.response?.status)) return true;
  return count >= likelyFrom && wholeAreas.includes(areaOf(id));
}

function causeOf({ deciding }: GatedFinding['finding']): CheckCause | undefined {
  return deciding?.causes?.[0];
}

function areaOf(id: string): string {
  return id.slice(0, id.indexOf('/'));
}
