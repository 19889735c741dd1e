import { OutOfTime, type Connection } from '../connection.ts';
import { emptyOutcome, type Failing, type Outcome, type Suspect } from '../outcome.ts';
import { diagnoseUpgrade } from '../phone/diagnose-upgrade.ts';
import { Differential } from './differential.ts';
import { findWeakness } from './find-weakness.ts';
import { findWindow } from './find-window.ts';
import { correctParts, type Parts, type Suspected } from './hypotheses.ts';
import { claimsFor } from './claims-for.ts';
import { nameScheme } from './name-scheme.ts';
import { earlyInSecondMs, waitForSecond } from './wait-for-second.ts';
import { formatOffer, Questioner } from './questioner.ts';
import { describeAnswer, offer, describeReception, type Offer } from './reception.ts';
import {
  inconsistentSuspect,
  lockoutSuspects,
  unknownSchemeSuspects,
  unknownBodySuspects,
  isUnanswered,
  notVerifiedSuspect,
  timeoutSuspects,
  mentionsTime,
} from './refusal-suspects.ts';
import { signsCallSid } from './signs-call-sid.ts';

/** Refused questions after which it is seen whether anybody looks at signatures at all. */
const questionsBeforeLooking = 25;
/** More refused questions after which a few other times are asked for, and after which all times are. */
const questionsBeforeNearTimes = 20;
const questionsBeforeFarTimes = 70;
/** Seconds off after which the clock is the first that is looked at: the tolerance, less what a search needs. */
const surelyOffSeconds = 240;
/** Numbers of the bodies, or call ids, of the controls. */
const plain = 0;
const rich = 1;

/**
 * Finds out why right signatures are refused: which scheme the endpoint implements, by asking with signatures that are
 * right under one wrong scheme each (interface: Authentication). Where right ones are accepted, it finds out which wrong
 * ones are accepted, too. For all surfaces but the CRM webhook, where it sees nothing.
 */
export async function diagnoseSignature(connection: Connection, failing?: Failing): Promise<Outcome> {
  if (connection.surface === 'crm-webhook') return emptyOutcome;
  return await new SignatureProbe(connection, failing).run();
}

const distinguished = 'The right signature is told from a forged one.';

/** Whether there is an answer by which a body can have been refused. */
function isAnswered({ reception, observation: { answer } }: Offer): boolean {
  return reception !== 'silent' && answer.outcome === 'answered' && answer.status < 500;
}

class SignatureProbe {
  readonly #connection: Connection;
  readonly #failing: Failing | undefined;
  readonly #questioner: Questioner;
  readonly #seen: string[] = [];
  readonly #suspected: Suspected;
  readonly #right: Parts;
  /** Signed with a secret that nobody has. */
  readonly #forged: Parts;
  /** How the right signature and a forged one were answered where that differs, and neither was accepted. */
  #apart = '';
  #differential: Differential | undefined;

  constructor(connection: Connection, failing: Failing | undefined) {
    this.#connection = connection;
    this.#failing = failing;
    this.#questioner = new Questioner(connection);
    this.#suspected = {
      secret: connection.credential,
      oldSecret: connection.oldSecret,
      isCall: this.#questioner.isCall,
      url: connection.url,
    };
    this.#right = correctParts(connection.credential);
    this.#forged = { ...this.#right, key: { ...this.#right.key, key: Buffer.from('whsec_made-up') } };
  }

  async run(): Promise<Outcome> {
    try {
      return await this.#run();
    } catch (error) {
      // That the right one is refused is known, and what was tried tells nothing else.
      if (!(error instanceof OutOfTime) || !this.#differential) throw error;
      return this.#outcome({ suspects: timeoutSuspects(this.#differential), ends: true });
    }
  }

  async #run(): Promise<Outcome> {
    const right = await this.#send(rich, this.#right, `the right signature, ${this.#over('rich')}`);
    if (right.reception === 'accepted') return await this.#weaknesses();
    const garbage = await this.#garbage();
    if (garbage.reception === 'accepted') return await this.#whenForgedIsAccepted();
    this.#questioner.learn(garbage);
    if (Math.abs(this.#questioner.offsetSeconds) > surelyOffSeconds || mentionsTime(right)) {
      const window = await this.#window();
      if (window.found) return window;
    }
    const usual = await this.#usual(garbage);
    if (usual === 'told apart') return this.#toldApart();
    if (usual === 'accepted' && describeReception(right) !== describeReception(garbage)) {
      const isOrdinary = isAnswered(right) && (await this.#ordinary()).reception === 'accepted';
      if (isOrdinary) return await this.#weaknesses();
      if (await this.#isTakenOverRich(right)) return this.#outcome({ passed: [distinguished] });
    }
    // Calls that are taken without a word are for whoever looks at dialogues.
    if (this.#questioner.isCall && right.reception === 'silent') return this.#outcome({});
    return await this.#differ(usual === 'accepted', right);
  }

  /** A forged signature is accepted, and the right one was refused over the rich body: compares them over the same body. */
  async #whenForgedIsAccepted(): Promise<Outcome> {
    const label = `the right signature, ${this.#over('plain')}`;
    const right = await this.#send(plain, this.#right, label);
    const forged = await this.#send(plain, this.#forged, 'a forged signature once more');
    if (right.reception === 'accepted') {
      const weakness = await findWeakness(this.#connection, this.#failing);
      if (weakness.found ?? weakness.ends) return this.#with(weakness);
      const why = `A forged signature was accepted over a plain body, as the right one was.`;
      return this.#with({ ...weakness, suspects: [{ id: 'signature/not-checked', why }] });
    }
    const again = await this.#send(plain, this.#right, 'the right signature once more');
    const isInverted =
      forged.reception === 'accepted' && again.reception === 'refused' && right.reception === 'refused';
    if (isInverted) return this.#outcome({ found: { id: 'signature/inverted' }, ends: true });
    return this.#outcome({ suspects: [inconsistentSuspect(right)], ends: true });
  }

  /** What a forged signature brings. Pings that are not looked at are of no use, then messages are sent. */
  async #garbage(): Promise<Offer> {
    const first = await this.#send(plain, this.#forged, 'a forged signature');
    if (first.reception !== 'accepted' || !this.#questioner.usesPings) return first;
    this.#questioner.usesPings = false;
    return await this.#send(plain, this.#forged, 'a forged signature of a message');
  }

  /** How the right signature is received over a body that nothing changes; `told apart` is refused, and not for its signature. */
  async #usual(forged: Offer): Promise<'accepted' | 'refused' | 'told apart'> {
    const label = `the right signature, ${this.#over('plain')}`;
    const first = await this.#send(plain, this.#right, label);
    if (first.reception === 'accepted') return 'accepted';
    if (describeAnswer(first) === describeAnswer(forged)) return 'refused';
    if (!this.#questioner.usesPings) return (await this.#isToldApart(first, forged)) ? 'told apart' : 'refused';
    // A ping that is refused unlike a forged signature is perhaps refused for being a ping.
    this.#questioner.usesPings = false;
    const message = await this.#send(plain, this.#right, label);
    if (message.reception === 'accepted') return 'accepted';
    const other = await this.#send(plain, this.#forged, 'a forged signature of a message');
    return (await this.#isToldApart(message, other)) ? 'told apart' : 'refused';
  }

  /** Whether the right signature and a forged one of the same form are answered otherwise, now and once more. */
  async #isToldApart(right: Offer, forged: Offer): Promise<boolean> {
    if (describeAnswer(right) === describeAnswer(forged)) return false;
    const again = await this.#send(plain, this.#right, 'the right signature once more');
    const another = await this.#send(plain, this.#forged, 'a forged signature once more');
    this.#apart = `The right signature: ${describeReception(again)}; a forged one of the same form: ${describeReception(another)}. Both twice.`;
    return describeAnswer(again) === describeAnswer(right) && describeAnswer(another) === describeAnswer(forged);
  }

  /** Whether a forged signature over the rich body is answered otherwise than the right one, so that it is not the body. */
  async #isTakenOverRich(right: Offer): Promise<boolean> {
    const forged = await this.#send(rich, this.#forged, `a forged signature, ${this.#over('rich')}`);
    if (forged.reception === 'accepted' || describeAnswer(forged) === describeAnswer(right)) return false;
    const again = await this.#send(rich, this.#right, `the right signature again, ${this.#over('rich')}`);
    return again.reception !== 'accepted' && describeAnswer(again) === describeAnswer(right);
  }

  /** No end: what comes after the signature is for others to look at. */
  #toldApart(): Outcome {
    return this.#outcome({
      suspects: [{ id: 'signature/refused-afterwards', why: this.#apart }],
      passed: [distinguished],
    });
  }

  async #ordinary(): Promise<Offer> {
    const offered = await offer(this.#connection, 'the right signature of an ordinary delivery');
    this.#seen.push(formatOffer(offered));
    return offered;
  }

  async #differ(usual: boolean, right: Offer): Promise<Outcome> {
    const claims = claimsFor(this.#suspected, this.#questioner);
    const differential = new Differential(this.#questioner, claims, this.#connection.mostQuestions);
    this.#differential = differential;
    differential.search.tell({ body: rich, as: 0 }, false);
    differential.search.tell({ body: plain, as: 0 }, usual);
    // Where a right one is accepted over some body, it is not the time.
    let verdict = await differential.run(usual ? undefined : questionsBeforeLooking);
    if (!verdict && isUnanswered(right, differential)) {
      return this.#outcome({ suspects: [notVerifiedSuspect(right, differential)], ends: true });
    }
    verdict ??= await differential.run(questionsBeforeNearTimes);
    for (const [reach, most] of [
      ['near', questionsBeforeFarTimes],
      ['beyond', undefined],
    ] as const) {
      if (verdict || differential.locked) break;
      const window = await this.#window(reach);
      if (window.found) return window;
      verdict = await differential.run(most);
    }
    this.#seen.push(
      `${differential.asked} signatures of wrong schemes: ${differential.accepted.length} accepted.`,
      ...differential.accepted.map((one) => formatOffer(one)),
    );
    if (differential.locked) return this.#outcome({ suspects: lockoutSuspects(differential, right), ends: true });
    if (verdict?.scheme) {
      // Where a right one is accepted over some body, it is not the time.
      const moody = usual ? undefined : await this.#acceptsAfterAll(right);
      if (moody) return moody;
      const { found, others } = nameScheme(verdict.scheme, verdict);
      const suspects = [...others, ...(await this.#clock(verdict.scheme.parts))];
      return this.#outcome({ found, suspects, ends: true });
    }
    const again = await this.#send(rich, this.#right, `the right signature again, ${this.#over('rich')}`);
    if (again.reception === 'accepted') return this.#outcome({ suspects: [inconsistentSuspect(right)], ends: true });
    const { surface } = this.#connection;
    // It may be what stands in the body that is refused, which others look at.
    if (usual) return this.#outcome({ suspects: unknownBodySuspects(surface, differential) });
    return (
      (await this.#otherCalls()) ??
      this.#outcome({ suspects: unknownSchemeSuspects(surface, differential), ends: true })
    );
  }

  /** The right one as fresh as it can be: what accepts it now accepts by the time or by turns, and has no scheme of its own. */
  async #acceptsAfterAll(refused: Offer): Promise<Outcome | undefined> {
    await waitForSecond(earlyInSecondMs);
    const again = await this.#send(
      rich,
      this.#right,
      `the right signature as fresh as it can be, ${this.#over('rich')}`,
    );
    if (again.reception !== 'accepted') return undefined;
    const window = await this.#window('near');
    return window.found ? window : this.#outcome({ suspects: [inconsistentSuspect(refused)], ends: true });
  }

  /** What is told of the clock where `t` was moved along with the Date header: whether it had to be. */
  async #clock(parts: Parts): Promise<Suspect[]> {
    const { offsetSeconds } = this.#questioner;
    if (offsetSeconds === 0) return [];
    const t = (now: number) => Math.floor(now / 1000);
    const offered = await this.#questioner.ask(plain, parts, 'the same scheme with our time', { t });
    this.#seen.push(formatOffer(offered));
    if (offered.reception === 'accepted') return [];
    const why = `The Date header is ${Math.abs(offsetSeconds)} s ${offsetSeconds < 0 ? 'behind' : 'ahead'}, and signatures are accepted only with t moved along.`;
    return [{ id: 'signature/clock-off', why }];
  }

  /** Of a call: what else may be missed in it. */
  async #otherCalls(): Promise<Outcome | undefined> {
    if (!this.#questioner.isCall) return undefined;
    if (await signsCallSid(this.#connection, this.#seen)) {
      return this.#outcome({ found: { id: 'signature/call-sid-signed' }, ends: true });
    }
    // A whole diagnosis has asked this before.
    const upgrade = this.#failing && (await diagnoseUpgrade(this.#connection));
    return upgrade?.found && this.#with({ ...upgrade, ends: true });
  }

  async #window(reach?: 'near' | 'beyond'): Promise<Outcome> {
    const { usesPings: asPing } = this.#questioner;
    return this.#with(await findWindow(this.#connection, this.#failing, { right: false, asPing, reach }));
  }

  async #weaknesses(): Promise<Outcome> {
    const asPing = await this.#checksPings();
    const weakness = await findWeakness(this.#connection, this.#failing, { right: true, asPing });
    if (weakness.found ?? weakness.ends) return this.#with(weakness);
    const window = await findWindow(this.#connection, this.#failing, { right: true, asPing });
    return this.#with({
      ...window,
      suspects: [...weakness.suspects, ...window.suspects],
      passed: [
        `The right signature is accepted${this.#questioner.isCall ? '' : ', over unusual JSON, too'}.`,
        ...weakness.passed,
        ...window.passed,
      ],
      seen: [...weakness.seen, ...window.seen],
    });
  }

  /** Whether pings will do for what is asked next: they cost nobody anything. */
  async #checksPings(): Promise<boolean> {
    if (!this.#questioner.usesPings) return false;
    const right = await this.#send(plain, this.#right, 'the right signature of a ping');
    const forged = await this.#send(plain, this.#forged, 'a forged signature of a ping');
    return right.reception === 'accepted' && forged.reception === 'refused';
  }

  async #send(body: number, parts: Parts, label: string): Promise<Offer> {
    const offered = await this.#questioner.ask(body, parts, label);
    this.#seen.push(formatOffer(offered));
    return offered;
  }

  #over(kind: 'plain' | 'rich'): string {
    if (this.#questioner.isCall)
      return kind === 'plain' ? 'with digits only in the call id' : 'with letters in the call id';
    return kind === 'plain' ? 'over a plain body' : 'over a body with white space, escapes and characters beyond ASCII';
  }

  #with({ seen, ...outcome }: Outcome): Outcome {
    this.#seen.push(...seen);
    return this.#outcome(outcome);
  }

  #outcome(outcome: Partial<Outcome>): Outcome {
    return { suspects: [], passed: [], ...outcome, seen: [...this.#seen] };
  }
}
