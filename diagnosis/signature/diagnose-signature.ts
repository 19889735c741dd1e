import { OutOfTime, type Connection } from '../connection.ts';
import { isWeakness } from '../is-weakness.ts';
import { emptyOutcome, type Failing, type ProbeOptions, type ProbeOutcome, type Suspect } from '../outcome.ts';
import { diagnoseUpgrade } from '../phone/diagnose-upgrade.ts';
import { Differential } from './differential.ts';
import { examineRefusals } from './examine-refusals.ts';
import { findReordering } from './find-reordering.ts';
import { findWeakness } from './find-weakness.ts';
import { findWindow, type WindowReach } from './find-window.ts';
import type { Suspected } from './hypotheses.ts';
import { correctParts, type SignatureParts } from './signature-parts.ts';
import { claimsFor } from './claims-for.ts';
import { inconsistentOutcome } from './lockout.ts';
import { mostQuestions } from './most-questions.ts';
import { nameScheme } from './name-scheme.ts';
import { earlyInSecondMs, waitForSecond } from './wait-for-second.ts';
import { formatOffer, Questioner } from './questioner.ts';
import { refusalAmongValid } from './refusal-among-valid.ts';
import {
  describeAnswer,
  offer,
  describeReception,
  isException,
  isRefusable,
  isTooLarge,
  type Offer,
} from './reception.ts';
import {
  inconsistentSuspect,
  lockoutSuspects,
  unknownSchemeSuspects,
  unknownBodySuspects,
  timeoutSuspects,
  mentionsTime,
} from './refusal-suspects.ts';
import { signsCallSid } from './signs-call-sid.ts';

/** Refused questions after which the probe tests other causes: the order of fields, and the clock. */
const questionsBeforeTimes = 12;
/** Further refused questions of a thorough search before distant times are tried. */
const questionsBeforeFarTimes = 70;
/** Clock offset in seconds from which the clock is tested first: the tolerance, less the margin of a search. */
const surelyOffSeconds = 240;
/** Indices of the control bodies, or call ids. */
const plain = 0;
const rich = 1;

/**
 * Finds out why valid signatures are refused: identifies the scheme of the endpoint with signatures that each match one
 * wrong scheme (interface: Authentication). If valid ones are accepted, it finds the invalid ones that are accepted as
 * well. For all surfaces except the CRM webhook.
 */
export async function diagnoseSignature(
  connection: Connection,
  failing?: Failing,
  options: ProbeOptions = {},
): Promise<ProbeOutcome> {
  if (connection.surface === 'crm-webhook') return emptyOutcome;
  if (options.requests === 'invalid') return await examineRefusals(connection, failing, options);
  return await new SignatureProbe(connection, failing, options).run();
}

const distinguished = 'The endpoint distinguishes the valid signature from a forged one.';

class SignatureProbe {
  readonly #connection: Connection;
  readonly #failing: Failing | undefined;
  readonly #requests: ProbeOptions['requests'];
  readonly #questioner: Questioner;
  readonly #seen: string[] = [];
  readonly #suspected: Suspected;
  readonly #right: SignatureParts;
  /** Signed with a random secret. */
  readonly #forged: SignatureParts;
  /** The different answers to the valid signature and a forged one, if neither is accepted. */
  #apart = '';
  #differential: Differential | undefined;
  /** Weaknesses that explain no refusal. */
  readonly #confirmed: Suspect[] = [];

  constructor(connection: Connection, failing: Failing | undefined, { requests }: ProbeOptions) {
    this.#connection = connection;
    this.#failing = failing;
    this.#requests = requests;
    this.#questioner = new Questioner(connection);
    this.#suspected = {
      secret: connection.credential,
      oldSecret: connection.oldSecret,
      isCall: this.#questioner.isCall,
      url: connection.url,
    };
    this.#right = correctParts(connection.credential);
    this.#forged = { ...this.#right, key: { ...this.#right.key, key: Buffer.from('whsec_forged') } };
  }

  async run(): Promise<ProbeOutcome> {
    try {
      return await this.#run();
    } catch (error) {
      // Only the refusal of the valid signature is known.
      if (!(error instanceof OutOfTime) || !this.#differential) throw error;
      return this.#outcome({ suspects: timeoutSuspects(this.#differential), ends: true });
    }
  }

  async #run(): Promise<ProbeOutcome> {
    const right = await this.#send(rich, this.#right, `the valid signature, ${this.#over('rich')}`);
    if (right.reception === 'accepted') {
      const once = () => this.#send(rich, this.#right, 'the valid signature once more');
      const refused = await refusalAmongValid(this.#connection, once);
      return refused ? this.#outcome(inconsistentOutcome(refused)) : await this.#whenAccepted();
    }
    // An exception does not refuse the signature: a forged one over the same body gets another answer.
    if (isException(right) && (await this.#isDistinguishedOverRich(right))) {
      return this.#outcome({ passed: [distinguished] });
    }
    const garbage = await this.#garbage();
    if (garbage.reception === 'accepted') return await this.#whenForgedIsAccepted();
    this.#questioner.learn(garbage);
    if (Math.abs(this.#questioner.offsetSeconds) > surelyOffSeconds || mentionsTime(right)) {
      const window = await this.#window();
      if (this.#isCause(window)) return window;
    }
    const usual = await this.#usual(garbage);
    if (usual === 'distinguished') return this.#distinguishedOutcome(right);
    if (usual === 'accepted' && describeReception(right) !== describeReception(garbage)) {
      const isOrdinary = isRefusable(right) && (await this.#ordinary()).reception === 'accepted';
      if (isOrdinary) return await this.#whenAccepted();
      const isDistinguished = isTooLarge(right) || (await this.#isDistinguishedOverRich(right));
      if (isDistinguished) return this.#outcome({ passed: [distinguished] });
    }
    // Calls that are accepted in silence are a matter of the dialogue probe.
    if (this.#questioner.isCall && right.reception === 'silent') return this.#outcome({});
    return await this.#differ(usual === 'accepted', right);
  }

  /** A forged signature is accepted, but the valid one was refused over the rich body: compares them over the same body. */
  async #whenForgedIsAccepted(): Promise<ProbeOutcome> {
    const label = `the valid signature, ${this.#over('plain')}`;
    const right = await this.#send(plain, this.#right, label);
    const forged = await this.#send(plain, this.#forged, 'a forged signature once more');
    if (right.reception === 'accepted') {
      const weakness = await findWeakness(this.#connection, this.#failing);
      if (weakness.found ?? weakness.ends) return this.#with(weakness);
      const why = `Over a plain body, both a forged signature and the valid one were accepted.`;
      return this.#with({ ...weakness, suspects: [{ id: 'signature/not-checked', why }] });
    }
    const again = await this.#send(plain, this.#right, 'the valid signature once more');
    const isInverted =
      forged.reception === 'accepted' && again.reception === 'refused' && right.reception === 'refused';
    if (isInverted) return this.#outcome({ found: { id: 'signature/inverted' }, ends: true });
    return this.#outcome({ suspects: [inconsistentSuspect(right)], ends: true });
  }

  /** Sends a forged signature; switches from pings to messages if pings are not verified. */
  async #garbage(): Promise<Offer> {
    const first = await this.#send(plain, this.#forged, 'a forged signature');
    if (first.reception !== 'accepted' || !this.#questioner.usesPings) return first;
    this.#questioner.usesPings = false;
    return await this.#send(plain, this.#forged, 'a forged signature of a message');
  }

  /** Sends the valid signature over a body that no serialiser changes; `distinguished` is refused for another reason. */
  async #usual(forged: Offer): Promise<'accepted' | 'refused' | 'distinguished'> {
    const label = `the valid signature, ${this.#over('plain')}`;
    const first = await this.#send(plain, this.#right, label);
    if (first.reception === 'accepted') return 'accepted';
    if (describeAnswer(first) === describeAnswer(forged)) return 'refused';
    if (!this.#questioner.usesPings) return (await this.#isDistinguished(first, forged)) ? 'distinguished' : 'refused';
    // A ping whose refusal differs from that of a forged signature may be refused because it is a ping.
    this.#questioner.usesPings = false;
    const message = await this.#send(plain, this.#right, label);
    if (message.reception === 'accepted') return 'accepted';
    const other = await this.#send(plain, this.#forged, 'a forged signature of a message');
    return (await this.#isDistinguished(message, other)) ? 'distinguished' : 'refused';
  }

  /**
   * Whether the valid signature and a forged one of the same form get different answers, repeatedly. In this order, an
   * endpoint that answers every second or third request differently gives itself away.
   */
  async #isDistinguished(right: Offer, forged: Offer): Promise<boolean> {
    if (describeAnswer(right) === describeAnswer(forged)) return false;
    for (const expected of [right, forged, forged]) {
      const isRight = expected === right;
      const label = isRight ? 'the valid signature once more' : 'a forged signature once more';
      const offered = await this.#send(plain, isRight ? this.#right : this.#forged, label);
      if (describeAnswer(offered) !== describeAnswer(expected)) return false;
    }
    this.#apart = `The valid signature: ${describeReception(right)}; a forged one of the same form: ${describeReception(forged)}. Both repeatedly.`;
    return true;
  }

  /** Whether a forged signature over the rich body gets another answer than the valid one, so that the body is not the cause. */
  async #isDistinguishedOverRich(right: Offer): Promise<boolean> {
    const forged = await this.#send(rich, this.#forged, `a forged signature, ${this.#over('rich')}`);
    if (forged.reception === 'accepted' || describeAnswer(forged) === describeAnswer(right)) return false;
    // Two in a row, against an endpoint that answers every second or third request differently.
    for (let times = 0; times < 2; times++) {
      const again = await this.#send(rich, this.#right, `the valid signature again, ${this.#over('rich')}`);
      if (again.reception === 'accepted' || describeAnswer(again) !== describeAnswer(right)) return false;
    }
    return true;
  }

  /** Does not end the diagnosis: later probes test what follows the signature. */
  #distinguishedOutcome(right: Offer): ProbeOutcome {
    // A call that is accepted in silence is a matter of the dialogue probe.
    if (this.#questioner.isCall && right.reception === 'silent') return this.#outcome({ passed: [distinguished] });
    const suspects = [{ id: 'signature/refused-afterwards', why: this.#apart } as const];
    return this.#outcome({ suspects, passed: [distinguished] });
  }

  async #ordinary(): Promise<Offer> {
    const offered = await offer(this.#connection, 'the valid signature of an ordinary delivery');
    this.#seen.push(formatOffer(offered));
    return offered;
  }

  async #differ(usual: boolean, right: Offer): Promise<ProbeOutcome> {
    const claims = claimsFor(this.#suspected, this.#questioner);
    const { isClockRight } = this.#questioner;
    const most = mostQuestions(this.#connection, { hasEvidence: usual, isClockRight });
    const differential = new Differential(this.#questioner, claims, most);
    this.#differential = differential;
    differential.search.update({ body: rich, as: 0 }, false);
    differential.search.update({ body: plain, as: 0 }, usual);
    // If a valid one is accepted over any body, the time is not the cause.
    let verdict = await differential.run(usual ? undefined : questionsBeforeTimes);
    const found = verdict || usual ? undefined : await findReordering(this.#connection, right, this.#seen);
    if (found) return this.#outcome({ found, ends: true });
    for (const [reach, questions] of [
      ['near', this.#connection.isThorough ? questionsBeforeFarTimes : 0],
      ['beyond', undefined],
    ] as const) {
      if (verdict) break;
      const window = await this.#window(reach);
      if (this.#isCause(window)) return window;
      verdict = await differential.run(questions);
    }
    const hasScheme = verdict?.scheme !== undefined || differential.accepted.length > 0 || usual;
    if (!hasScheme && differential.locked === undefined && !this.#connection.isThorough) {
      const window = await this.#window('far');
      if (this.#isCause(window)) return window;
    }
    this.#seen.push(
      `${differential.asked} requests signed with incorrect schemes: ${differential.accepted.length} accepted.`,
      ...differential.accepted.map((one) => formatOffer(one)),
    );
    if (differential.locked) return this.#outcome({ suspects: lockoutSuspects(differential, right), ends: true });
    if (verdict?.scheme) {
      // If a valid one is accepted over any body, the time is not the cause.
      const inconsistent = usual ? undefined : await this.#acceptsAfterAll(right);
      if (inconsistent) return inconsistent;
      const { found, others } = nameScheme(verdict.scheme, this.#connection.surface, verdict);
      const suspects = [...others, ...(await this.#clock(verdict.scheme.parts))];
      return this.#outcome({ found, suspects, ends: true });
    }
    const again = await this.#send(rich, this.#right, `the valid signature again, ${this.#over('rich')}`);
    if (again.reception === 'accepted') return this.#outcome({ suspects: [inconsistentSuspect(right)], ends: true });
    const { surface } = this.#connection;
    // The content of the body may be refused, which another probe tests.
    if (usual) return this.#outcome({ suspects: unknownBodySuspects(surface, differential) });
    const suspects = unknownSchemeSuspects(this.#connection, differential, { right, isClockRight });
    return (await this.#otherCalls()) ?? this.#outcome({ suspects, ends: true });
  }

  /** Whether a window explains a refusal; a weakness is kept as an observation. */
  #isCause({ found }: ProbeOutcome): boolean {
    if (!found) return false;
    if (!isWeakness(found.id)) return true;
    const why = 'It was confirmed as well.';
    if (!this.#confirmed.some(({ id }) => id === found.id)) this.#confirmed.push({ ...found, why });
    return false;
  }

  /** Repeats the valid signature as fresh as possible: an endpoint that accepts it is inconsistent or strict about time. */
  async #acceptsAfterAll(refused: Offer): Promise<ProbeOutcome | undefined> {
    await waitForSecond(earlyInSecondMs);
    const again = await this.#send(
      rich,
      this.#right,
      `the valid signature, as fresh as possible, ${this.#over('rich')}`,
    );
    if (again.reception !== 'accepted') return undefined;
    const window = await this.#window('near');
    return window.found ? window : this.#outcome({ suspects: [inconsistentSuspect(refused)], ends: true });
  }

  /** Tests whether `t` had to follow the Date header. */
  async #clock(parts: SignatureParts): Promise<Suspect[]> {
    const { offsetSeconds } = this.#questioner;
    if (offsetSeconds === 0) return [];
    const t = (now: number) => Math.floor(now / 1000);
    const offered = await this.#questioner.ask(plain, parts, 'the same scheme with our time', { t });
    this.#seen.push(formatOffer(offered));
    if (offered.reception === 'accepted') return [];
    const why = `The Date header is ${Math.abs(offsetSeconds)} s ${offsetSeconds < 0 ? 'behind' : 'ahead'}, and signatures are accepted only with t shifted accordingly.`;
    return [{ id: 'signature/clock-off', why }];
  }

  /** Tests other causes for calls. */
  async #otherCalls(): Promise<ProbeOutcome | undefined> {
    if (!this.#questioner.isCall) return undefined;
    if (await signsCallSid(this.#connection, this.#seen)) {
      return this.#outcome({ found: { id: 'signature/call-sid-signed' }, ends: true });
    }
    // A full diagnosis has already tested this.
    const upgrade = this.#failing && (await diagnoseUpgrade(this.#connection));
    return upgrade?.found && this.#with({ ...upgrade, ends: true });
  }

  async #window(reach?: WindowReach): Promise<ProbeOutcome> {
    const { usesPings: asPing, isClockRight } = this.#questioner;
    const known = { right: false, asPing, reach, isClockRight };
    return this.#with(await findWindow(this.#connection, this.#failing, known));
  }

  async #whenAccepted(): Promise<ProbeOutcome> {
    const isDone = this.#requests === 'valid';
    const outcome = isDone ? this.#outcome({}) : this.#with(await examineRefusals(this.#connection, this.#failing));
    if (outcome.found ?? outcome.ends) return outcome;
    const accepted = `The valid signature is accepted${this.#questioner.isCall ? '' : ', also over unusual JSON'}.`;
    return { ...outcome, passed: [accepted, ...outcome.passed] };
  }

  async #send(body: number, parts: SignatureParts, label: string): Promise<Offer> {
    const offered = await this.#questioner.ask(body, parts, label);
    this.#seen.push(formatOffer(offered));
    return offered;
  }

  #over(kind: 'plain' | 'rich'): string {
    if (this.#questioner.isCall)
      return kind === 'plain' ? 'with digits only in the call id' : 'with letters in the call id';
    return kind === 'plain' ? 'over a plain body' : 'over a body with white space, escapes and characters beyond ASCII';
  }

  #with({ seen, ...outcome }: ProbeOutcome): ProbeOutcome {
    this.#seen.push(...seen);
    return this.#outcome(outcome);
  }

  #outcome(outcome: Partial<ProbeOutcome>): ProbeOutcome {
    const confirmed = this.#confirmed.filter(({ id }) => id !== outcome.found?.id);
    const suspects = [...(outcome.suspects ?? []), ...confirmed];
    return { passed: [], ...outcome, suspects, seen: [...this.#seen] };
  }
}
