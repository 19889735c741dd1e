import { stripVTControlCharacters } from 'node:util';
import { test } from 'vitest';
import { cutOffCodes, isCutOffCode } from '../../specs/faults/cut-off-codes.ts';
import { requirements, type RequirementId } from '../../specs/requirements/catalogue.ts';
import type { ApiWebhooksDriver } from '../wire/api-webhooks-driver.ts';
import { boundedMessage } from '../wire/bounded-message.ts';
import { currentHost } from './check-host.ts';
import { CheckRecord, withRecord } from './check-record.ts';
import type { ClientUnderTest } from '../client/client-under-test.ts';
import type { CrmWebhookDriver } from '../wire/crm-webhook-driver.ts';
import { noLinks, type LinkList } from '../client/deep-links.ts';
import { assertOpen, isEntrance, type TryEntrance } from './entrance.ts';
import { toRecords } from './evidence.ts';
import { HarnessFault, NotApplicable, NotExercised } from './faults.ts';
import { currentGroup, isClientJudged } from './register-phases.ts';
import { admitsClient } from './run-order.ts';
import type { RunPart } from './time-budget.ts';
import { runExclusively, type Exclusivity } from './exclusive.ts';
import { FindingError, formatFinding } from './finding.ts';
import type { Inbox } from '../wire/inbox.ts';
import type { IdGenerator } from './id-generator.ts';
import type { OwnRequirement } from './own-requirement.ts';
import type { ChatDriver } from '../wire/chat-driver.ts';
import type { PhoneDriver } from '../wire/phone-driver.ts';
import type { Samples } from './samples.ts';
import { redactValue } from '../../service/redact.ts';
import type { Session } from './session.ts';
import { slowPropertyFactor, type RunSettings } from '../config/settings.ts';
import { StateProbe } from './state-probe.ts';
import type { CheckEnding, CheckIdentity, CheckOutcome } from './check-outcome.ts';
import type { CheckSource } from '../../specs/generated/types.ts';

declare module 'vitest' {
  interface ProvidedContext {
    settings: RunSettings;
  }
  interface TaskMeta {
    check?: CheckIdentity;
    outcome?: CheckOutcome;
  }
}

/** Fixtures of a check's body. */
export interface CheckKit {
  crm: CrmWebhookDriver;
  hooks: ApiWebhooksDriver;
  chat: ChatDriver;
  phone: PhoneDriver;
  inbox: Inbox;
  sample: Samples;
  ids: IdGenerator;
  settings: RunSettings;
  session: Session;
  /** The integrator's client of the API. */
  client: ClientUnderTest;
  /** The deep links that the config lists. */
  links: LinkList;
  /** Reads the endpoint's state, if the config has an address for it. */
  observe: StateProbe | undefined;
  /** Ends the check: the endpoint behaved in a permitted way that leaves nothing to judge. */
  notExercised: (why: string) => never;
  /** Ends the check: it is about an option that is not set. */
  notApplicable: (why: string) => never;
}

export interface CheckOptions {
  /** Runs without concurrent exchanges: for timing, and where another exchange would change the result. */
  alone?: boolean;
}

/** Options of a check of the interface. */
interface InterfaceCheckOptions {
  alone?: Exclusivity;
  /** Default: `live`. */
  source?: CheckSource;
}

/** Faults whose causes are not searched for. */
const undiagnosed: readonly (string | undefined)[] = [...cutOffCodes, 'no-answer-yet'];

/** Number of consecutive timed-out exchanges that a check may have in addition to its named waits. */
const slowExchanges = 30;

/** Milliseconds for the checks of a run without a time budget to wait for one another. */
const mostQueuingMs = 3_600_000;

/** Milliseconds until a check is a harness fault: longer than its own waits and those of the checks before it together. */
function hardLimitMs(settings: RunSettings): number {
  const { config, propertyMs, shrinkMs, callbackWaitMs, answerTimeoutMs } = settings;
  const { budgetMs = mostQueuingMs, answeringBudgetMs = budgetMs } = settings;
  const clientMs = 2_000 * (config.apiClient?.timeoutSeconds ?? 0);
  const propertiesMs = slowPropertyFactor * propertyMs + 2 * shrinkMs;
  const ownMs = propertiesMs + callbackWaitMs + clientMs + slowExchanges * answerTimeoutMs;
  return Math.max(budgetMs, answeringBudgetMs) + ownMs;
}

/** `requirement#slug-of-the-title`: the id of one check in `--only` and in reports. */
export function checkId(requirement: string, title: string): string {
  const slug = title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return `${requirement}#${slug}`;
}

/**
 * Registers one conformance check. The requirement states the rule, `title` reads as the required behaviour, and `body`
 * establishes the situation with fixtures and judges it with matchers. A body that judges nothing never passes.
 */
export function check(
  requirement: RequirementId,
  title: string,
  body: (kit: CheckKit) => Promise<void>,
  options: InterfaceCheckOptions = {},
): void {
  const { level } = requirements[requirement];
  const { source } = options;
  register({ id: checkId(requirement, title), requirement, title, level, ...(source && { source }) }, body, options);
}

/** Registers a check of the integrator for a requirement of the integrator; otherwise like {@link check}. */
export function checkOwn(
  { id: requirement, level, section, statement, remediation }: OwnRequirement,
  title: string,
  body: (kit: CheckKit) => Promise<void>,
  options: CheckOptions = {},
): void {
  const own = { section, statement, remediation };
  register({ id: checkId(requirement, title), requirement, title, level, own }, body, options);
}

const entrances = new Map<string, TryEntrance<CheckKit>>();

/** Registers how a run tries this surface before its checks, if the settings ask for it. */
export function entrance(surface: string, tryIt: TryEntrance<CheckKit>): void {
  entrances.set(surface, tryIt);
}

function register(check: CheckIdentity, body: (kit: CheckKit) => Promise<void>, options: InterfaceCheckOptions): void {
  const host = currentHost();
  const { settings } = host;
  if (!isSelected(check, settings)) {
    test.skip(check.title);
    return;
  }
  const part = currentPart(check);
  host.add(check, hardLimitMs(settings), async (session, running) => {
    const record = new CheckRecord({ isOwn: check.own !== undefined });
    record.part = part;
    if (part && isClientJudged() && admitsClient(part.group)) session.client.begin();
    const from = performance.now();
    let ended: CheckEnding;
    try {
      ended = await session.budget.unlessEnded(async () => {
        await enter(session, check);
        return await withRecord(record, () => runBody(session, check, body, record, options));
      });
      const [booked] = check.own ? running.bookedErrors() : [];
      if (booked) ended = endedByAssertion(booked);
    } catch (error) {
      ended = endedBy(error, record, check.own !== undefined);
    }
    if (ended.verdict === 'fail' || ended.verdict === 'blocked') session.acceptance.report(record);
    if (isNotOwed(ended.code, session, check)) ended = { ...ended, verdict: 'not-exercised' };
    if (ended.verdict === 'fail' || (ended.verdict === 'blocked' && !undiagnosed.includes(ended.code))) {
      session.budget.reserveDiagnosis();
    }
    if (ended.verdict === 'fail' && settings.bail?.includes(check.requirement)) session.budget.stop();
    if (ended.verdict === 'pass' || ended.verdict === 'fail') session.exercised.add(check.requirement);
    // Our messages are short, and their quotes of answers are redacted already.
    const shown = (text: string) => (check.own ? boundedMessage(session.redact.foreign(text)) : session.redact(text));
    return {
      ...redactOutcome(ended, shown),
      ...(record.source && { source: record.source }),
      durationMs: performance.now() - from,
      evidence: toRecords(record.evidence, session.redact, ended.finding?.frame),
      samples: record.samples,
      ...(record.answerTimes.length > 0 && { answerTimes: record.answerTimes }),
      ...(record.sent > 0 && { sent: record.sent }),
    };
  });
}

/** Whether a check that was cut off leaves nothing open: the limits of the config are a choice, the end of time is not. */
function isNotOwed(code: string | undefined, session: Session, check: CheckIdentity): boolean {
  return code === 'limit-used' || (isCutOffCode(code) && !session.owes(check));
}

/** Tries the surface of a check first, unless the check is the one that shows why nothing is accepted. */
async function enter(session: Session, { requirement, own }: CheckIdentity): Promise<void> {
  const [surface = ''] = requirement.split('/', 1);
  const tryIt = entrances.get(surface);
  if (session.settings.preflightMs === undefined || !tryIt || own || isEntrance(requirement)) return;
  await assertOpen(session, surface, () => tryIt(kitOf(session)));
}

/** The part of the run of the check that is being registered; `undefined` outside our suites. */
function currentPart({ requirement, own }: CheckIdentity): RunPart | undefined {
  const group = own ? undefined : currentGroup();
  return group && { surface: requirement.split('/', 1)[0] ?? '', group };
}

/** Our suites are selected by file; one file of the integrator may contain checks of several surfaces. */
function isSelected({ id, requirement, own }: CheckIdentity, { only, surfaces }: RunSettings): boolean {
  const [surface = ''] = requirement.split('/', 1);
  if (own && surfaces?.includes(surface) === false) return false;
  return only.length === 0 || only.includes(requirement) || only.includes(id);
}

async function runBody(
  session: Session,
  { requirement }: CheckIdentity,
  body: (kit: CheckKit) => Promise<void>,
  record: CheckRecord,
  { alone = false }: InterfaceCheckOptions,
): Promise<CheckEnding> {
  const kit = kitOf(session);
  const run = () => body(kit);
  const [surface] = requirement.split('/', 1);
  await (alone ? runExclusively(session, { record, surface, alone }, run) : run());
  if (record.judged === 0) throw new HarnessFault('nothing-judged');
  return { verdict: 'pass', ...(record.note === undefined ? {} : { message: record.note }) };
}

function kitOf(session: Session): CheckKit {
  const { crm, hooks, chat, phone, inbox, sample, ids, client, settings } = session;
  const { observe, deepLinks = noLinks } = settings.config;
  return {
    crm,
    hooks,
    chat,
    phone,
    inbox,
    sample,
    ids,
    settings,
    session,
    client,
    links: deepLinks,
    observe: observe && StateProbe.of(session, observe.url),
    notExercised: (why) => {
      throw new NotExercised(why);
    },
    notApplicable: (why) => {
      throw new NotApplicable(why);
    },
  };
}

function endedBy(error: unknown, record: CheckRecord, isOwn: boolean): CheckEnding {
  if (error instanceof NotExercised) return { verdict: 'not-exercised', message: error.message };
  if (error instanceof NotApplicable) return { verdict: 'not-applicable', message: error.message };
  if (error instanceof HarnessFault) {
    const { message, code, pause } = error;
    return { verdict: 'blocked', message, code, ...(pause && { pause }) };
  }
  const finding = error instanceof FindingError ? error.finding : record.finding;
  // Our checks judge with matchers only; an integrator's check may use any assertion, and negate matchers.
  if (isOwn && isAssertion(error) && !(finding && error.message.includes(formatFinding(finding))))
    return endedByAssertion(error);
  if (finding) {
    const code = finding.stopped && ({ code: 'target-stopped' } as const);
    return { verdict: 'fail', finding, message: formatFinding(finding), ...code };
  }
  const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const { message, code } = new HarnessFault('check-broken:threw', { reason });
  return { verdict: 'blocked', message, code };
}

/** An assertion error of Vitest, `node:assert` or a custom matcher. */
function isAssertion(error: unknown): error is Error {
  if (!(error instanceof Error) || error instanceof FindingError) return false;
  return error.name.startsWith('AssertionError') || ('actual' in error && 'expected' in error);
}

function endedByAssertion({ message }: { readonly message: string }): CheckEnding {
  const text = stripVTControlCharacters(message).trim();
  return { verdict: 'fail', message: text === '' ? 'expected the opposite of what was received' : text };
}

/** Redacts the message and the finding; fields with a fixed set of values stay unchanged. */
function redactOutcome({ message, finding, ...ended }: CheckEnding, shown: (text: string) => string): CheckEnding {
  return {
    ...ended,
    ...(message === undefined ? {} : { message: shown(message) }),
    ...(finding === undefined ? {} : { finding: redactValue(finding, shown) }),
  };
}
