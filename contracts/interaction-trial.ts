import { ownAiPhoneContract } from '../generators/contracts/own-ai-phone.ts';
import { CheckRecord, withRecord } from '../harness/checks/check-record.ts';
import type { CheckEnding } from '../harness/checks/check-outcome.ts';
import type { FinishedCheck } from '../harness/checks/engine.ts';
import { toRecords } from '../harness/checks/evidence.ts';
import { HarnessFault } from '../harness/checks/faults.ts';
import { formatFinding, type Finding } from '../harness/checks/finding.ts';
import type { Answer, Answered } from '../harness/wire/observation.ts';
import { parseJson } from '../harness/checks/json.ts';
import { isJsonObject } from '../specs/json-object.ts';
import type { RequirementId } from '../specs/requirements/catalogue.ts';
import { redactValue } from '../service/redact.ts';
import type { Session } from '../harness/checks/session.ts';
import type { ContractCheck } from './contract-checks.ts';
import { deliverInteraction, isUnsubscribed } from './deliver-interaction.ts';
import { producePhoneMessage, type PhoneMessageOptions } from './produce-phone-message.ts';
import { mismatchFinding, type PactMismatch } from './mismatch-finding.ts';
import type { VerifiedInteraction, VerifierAnswer } from './pact-verifier.ts';
import { pactHeaders } from './pact-headers.ts';
import { showsAll, describeMismatch } from './describe-mismatch.ts';
import { setUpStates, tearDownStates, type StateSetUp } from './set-up-states.ts';

/** Its interactions are about an event type; all others can have any type that the endpoint subscribed to. */
const ofEventType: RequirementId = 'api-webhooks/accepts-every-event-type';

/** An endpoint that accepts no connection has refused the request, though a contract cannot express that. */
const unanswered = 'A request that must be refused got no HTTP answer';

/** Passed to the verifier when there is nothing to compare; the verdict does not use it. */
const nothingToCompare: VerifierAnswer = { status: 599, headers: [], body: new Uint8Array() };

/** One interaction in progress: its states, request, answer and verdict. */
export class InteractionTrial {
  readonly #check: ContractCheck;
  readonly #session: Session;
  readonly #record = new CheckRecord();
  #from = performance.now();
  #durationMs = 0;
  #body: Uint8Array | undefined;
  #states: StateSetUp = { values: {}, stimuli: {} };
  /** The fault of a frame, described better than by a comparison. */
  #fault: Pick<Finding, 'expected' | 'received'> | undefined;
  /** The verdict, if it does not need the verifier. */
  #ended: CheckEnding | undefined;

  constructor(check: ContractCheck, session: Session) {
    this.#check = check;
    this.#session = session;
  }

  get #asked() {
    return this.#check.interaction.providerStates ?? [];
  }

  /** Sets up the states. Returns the values that the verifier puts into the request. */
  async setUp(): Promise<Readonly<Record<string, unknown>>> {
    this.#from = performance.now();
    await this.#orEnd(async () => {
      this.#states = await setUpStates(this.#asked, this.#session);
    });
    return this.#states.values;
  }

  async tearDown(): Promise<void> {
    await tearDownStates(this.#asked, this.#session);
  }

  /** Sends the request of an HTTP interaction. Returns the answer, for the verifier to compare. */
  async deliver(body: unknown): Promise<VerifierAnswer> {
    const { contract, interaction } = this.#check;
    let answer: Answer | undefined;
    await this.#orEnd(async () => {
      if (contract.surface === 'own-ai-phone') throw new Error('no HTTP interaction is for own-ai-phone');
      const event = body as Record<string, unknown>;
      if (
        this.#check.identity.requirement === ofEventType &&
        isUnsubscribed(this.#session.settings.config, event['type'])
      ) {
        const message = `apiWebhooks.events does not list ${event['type']}, so it is not sent.`;
        this.#ended = { verdict: 'not-exercised', message };
        return;
      }
      ({ answer } = await deliverInteraction(this.#session, contract.surface, event, {
        label: interaction.description,
        credentials: interaction.comments?.credentials,
      }));
    });
    if (!answer) return nothingToCompare;
    this.#ended ??= this.#endedBy(answer);
    if (answer.outcome !== 'answered') return nothingToCompare;
    this.#body = answer.body;
    return {
      // A status that Node cannot write is not one of the contract either.
      status: answer.status <= 999 ? answer.status : nothingToCompare.status,
      headers: pactHeaders(answer),
      body: answer.body,
    };
  }

  /** Holds the call of a message interaction. Returns the frame of the AI for the verifier to compare. */
  async talk(): Promise<unknown> {
    let frame: unknown;
    await this.#orEnd(async () => {
      const { phone, ids, sample } = this.#session;
      const { description } = this.#check.interaction;
      const interaction = ownAiPhoneContract.interactions.find((one) => one.description === description);
      if (!interaction) throw new Error('the interaction is not one of the phone contract');
      const held = await producePhoneMessage(phone, interaction, {
        sentences: { answer: sample.callerSentence, ...sentencesOf(this.#states) },
        label: description,
        callId: ids.text(),
      });
      if (held.outcome === 'frame') ({ frame, fault: this.#fault } = held);
      else if (held.outcome === 'not-there') this.#ended = { verdict: 'not-exercised', message: `${held.reason}.` };
      else this.#ended = this.#fail({ expected: held.expected, received: held.reason });
    });
    return frame;
  }

  /** The outcome, after the verifier has compared. */
  finish(compared: VerifiedInteraction | undefined): FinishedCheck {
    const { redact } = this.#session;
    const { message, finding, ...ended } = this.#ended ?? this.#judge(compared);
    return {
      ...this.#check.identity,
      ...ended,
      ...(message !== undefined && { message: redact(message) }),
      ...(finding && { finding: redactValue(finding, redact), message: redact(formatFinding(finding)) }),
      durationMs: this.#durationMs,
      evidence: toRecords(this.#record.evidence, redact, finding?.frame),
      samples: [],
    };
  }

  #judge(compared: VerifiedInteraction | undefined): CheckEnding {
    if (compared?.result === 'OK') return { verdict: 'pass' };
    const { mismatches = [], message } = compared?.mismatch ?? {};
    if (mismatches.length === 0) {
      const why = message ?? 'it returned no result for this interaction';
      return { verdict: 'blocked', code: 'engine-failed', message: `Pact's verifier could not compare: ${why}` };
    }
    const finding = { ...mismatchFinding(mismatches, this.#place), ...this.#unreadable(mismatches), ...this.#fault };
    const { missing } = this.#states;
    if (missing === undefined || this.#isInState) return { verdict: 'fail', finding };
    return { verdict: 'not-exercised', message: `${missing} Without it: ${formatFinding(finding)}.` };
  }

  /**
   * The answer shows the state, though no one may have set it up. A call that does not show it is not compared at all.
   */
  get #isInState(): boolean {
    const { contract, interaction } = this.#check;
    if (contract.surface === 'own-ai-phone') return true;
    const { shows } = interaction.comments ?? {};
    return shows !== undefined && this.#body !== undefined && showsAll(this.#body, shows);
  }

  /** A plainer finding for a body that is not JSON, where the body decides. */
  #unreadable(mismatches: readonly PactMismatch[]): Pick<Finding, 'expected' | 'received'> | undefined {
    if (!this.#body || mismatches.some(({ type }) => type === 'StatusMismatch')) return undefined;
    const parsed = parseJson(this.#body);
    return 'error' in parsed && mismatches.some(({ type }) => type.startsWith('Body'))
      ? { expected: 'a JSON body', received: parsed.error }
      : undefined;
  }

  /** The verdict that needs no comparison. */
  #endedBy(answer: Answer): CheckEnding | undefined {
    const isToBeRefused = this.#check.interaction.comments?.credentials !== undefined;
    const isUnanswered = ['no-answer', 'closed', 'malformed'].includes(answer.outcome);
    if (isToBeRefused && isUnanswered) return this.#notShown(unanswered);
    switch (answer.outcome) {
      case 'answered':
        return this.#otherwise(answer) ?? this.#lacking(answer);
      case 'no-answer':
        return {
          verdict: 'blocked',
          code: 'no-answer-yet',
          message: `No answer within ${answer.afterMs / 1000} s. Use --answer-timeout to wait longer; the suites judge response times.`,
        };
      case 'closed':
        return this.#fail({
          expected: 'an HTTP answer',
          received: `a connection that ended before the answer was complete (${answer.detail})`,
        });
      case 'malformed':
        return this.#fail({ expected: 'an HTTP answer', received: `bytes that are not HTTP (${answer.detail})` });
      case 'unreachable':
        return {
          verdict: 'blocked',
          code: 'target-unreachable',
          message: `No connection: ${answer.detail}.`,
        };
    }
  }

  /** Another permitted answer, which does not show this interaction. */
  #otherwise(answer: Answered): CheckEnding | undefined {
    const { contract, interaction } = this.#check;
    const { otherwise = [], later = false } = interaction.comments ?? {};
    const { status, bodyBytes } = answer;
    const received = `The endpoint answered ${status}${bodyBytes === 0 ? ' without a body' : ''}`;
    if (otherwise.includes(status) || (otherwise.length > 0 && isEmpty(answer) && contract.surface === 'own-ai-chat')) {
      return this.#notShown(`${received}, as it may`);
    }
    const isSuccess = status >= 200 && status < 300;
    return later && isSuccess && status !== 202 && status !== 204 && !isEmpty(answer)
      ? this.#notShown(`${received}, and did not defer the reply`)
      : undefined;
  }

  /** The answer may lack the subject of this interaction; then there is nothing to compare. */
  #lacking({ status, body, bodyBytes, truncated }: Answered): CheckEnding | undefined {
    const { shows } = this.#check.interaction.comments ?? {};
    if (!shows) return undefined;
    if (status !== this.#expectedStatus) {
      return this.#notShown(
        `The endpoint answered ${status}, but this interaction is about ${String(this.#expectedStatus)}`,
      );
    }
    if (truncated) return this.#notShown(`The answer is longer than the recorded part (${bodyBytes} bytes in all)`);
    if (bodyBytes === 0) return this.#notShown('The answer has no body');
    const otherwise = describeMismatch(body, shows);
    return otherwise === undefined ? undefined : this.#notShown(`The answer ${otherwise}`);
  }

  get #expectedStatus(): unknown {
    const { response } = this.#check.interaction;
    return isJsonObject(response) ? response.status : undefined;
  }

  #notShown(why: string): CheckEnding {
    const { missing = '' } = this.#states;
    return { verdict: 'not-exercised', message: `${why}, so it was not exercised. ${missing}`.trimEnd() };
  }

  #fail(finding: Finding): CheckEnding {
    return { verdict: 'fail', finding: { hint: this.#place, ...finding } };
  }

  get #stateNames(): string {
    return this.#asked.map(({ name }) => `“${name}”`).join(', ') || 'that it was asked in';
  }

  /** For a hint. */
  get #place(): string {
    const { contract, interaction } = this.#check;
    const states = this.#asked.length === 0 ? '' : `, given ${this.#stateNames}`;
    return `Interaction “${interaction.description}” of ${contract.file}${states}.`;
  }

  /** Runs a step; an error becomes the verdict, and nothing else is tried. */
  async #orEnd(step: () => Promise<void>): Promise<void> {
    if (this.#ended) return;
    try {
      await withRecord(this.#record, step);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const fault = error instanceof HarnessFault ? error : new HarnessFault('check-broken:verification', { reason });
      this.#ended = { verdict: 'blocked', code: fault.code, message: fault.message };
    }
    this.#durationMs = performance.now() - this.#from;
  }
}

/** 200 without a body says the same as 202 on the chat (interface: Own-AI chat event). */
function isEmpty({ status, bodyBytes }: Answered): boolean {
  return status === 200 && bodyBytes === 0;
}

function sentencesOf({ stimuli }: StateSetUp): PhoneMessageOptions['sentences'] {
  const ofCalls = Object.entries(stimuli).flatMap(([path, sentence]) => {
    const [surface, name] = path.split('.');
    return surface === 'phone' && name !== undefined ? [[name, sentence] as const] : [];
  });
  return Object.fromEntries(ofCalls);
}
