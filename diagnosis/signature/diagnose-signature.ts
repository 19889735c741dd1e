import type { Connection } from '../connection.ts';
import { nothingSeen, type Failing, type Outcome, type Suspect } from '../outcome.ts';
import { Differential } from './differential.ts';
import { findWeakness } from './find-weakness.ts';
import { findWindow } from './find-window.ts';
import { rightParts, type Parts, type Suspected } from './hypotheses.ts';
import { claimsFor } from './model.ts';
import { knownSchemes, nameScheme } from './name-scheme.ts';
import { answerLine, Questioner } from './questioner.ts';
import { offer, receptionText, type Offer } from './reception.ts';
import { signsCallSid } from './signs-call-sid.ts';

/** Refused questions after which a few other times are asked for, and after which all times are. */
const questionsBeforeNearTimes = 8;
const questionsBeforeFarTimes = 110;
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
  if (connection.surface === 'crm-webhook') return nothingSeen;
  return await new SignatureProbe(connection, failing).run();
}

class SignatureProbe {
  readonly #connection: Connection;
  readonly #failing: Failing | undefined;
  readonly #questioner: Questioner;
  readonly #seen: string[] = [];
  readonly #suspected: Suspected;
  readonly #right: Parts;

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
    this.#right = rightParts(connection.credential);
  }

  async run(): Promise<Outcome> {
    const right = await this.#send(rich, this.#right, `the right signature, ${this.#over('rich')}`);
    if (right.reception === 'accepted') return await this.#weaknesses();
    const rubbish = await this.#rubbish();
    if (rubbish.reception === 'accepted') return this.#outcome({});
    this.#questioner.learn(rubbish);
    if (Math.abs(this.#questioner.offsetSeconds) > surelyOffSeconds) {
      const window = await this.#window();
      if (window.found) return window;
    }
    const usual = await this.#usual(rubbish);
    const differs = receptionText(right) !== receptionText(rubbish);
    if (usual && differs && (await this.#ordinary()).reception === 'accepted') return await this.#weaknesses();
    return await this.#differ(usual, right);
  }

  /** What a made-up signature brings. Pings that are not looked at are of no use, then messages are sent. */
  async #rubbish(): Promise<Offer> {
    const madeUp: Parts = { ...this.#right, key: { ...this.#right.key, key: Buffer.from('whsec_made-up') } };
    const first = await this.#send(plain, madeUp, 'a made-up signature');
    if (first.reception !== 'accepted' || !this.#questioner.usesPings) return first;
    this.#questioner.usesPings = false;
    return await this.#send(plain, madeUp, 'a made-up signature of a message');
  }

  /** Whether the right signature is accepted over a body that nothing changes. */
  async #usual(rubbish: Offer): Promise<boolean> {
    const label = `the right signature, ${this.#over('plain')}`;
    const first = await this.#send(plain, this.#right, label);
    // A ping that is refused unlike a made-up signature is perhaps refused for being a ping.
    if (first.reception === 'accepted' || receptionText(first) === receptionText(rubbish)) {
      return first.reception === 'accepted';
    }
    if (!this.#questioner.usesPings) return false;
    this.#questioner.usesPings = false;
    return (await this.#send(plain, this.#right, label)).reception === 'accepted';
  }

  async #ordinary(): Promise<Offer> {
    const offered = await offer(this.#connection, 'the right signature of an ordinary delivery');
    this.#seen.push(answerLine(offered));
    return offered;
  }

  async #differ(usual: boolean, right: Offer): Promise<Outcome> {
    const claims = claimsFor(this.#suspected, this.#questioner);
    const differential = new Differential(this.#questioner, claims);
    differential.search.tell({ body: rich, as: 0 }, false);
    differential.search.tell({ body: plain, as: 0 }, usual);
    let verdict = await differential.run(questionsBeforeNearTimes);
    for (const [reach, most] of [
      ['near', questionsBeforeFarTimes],
      ['beyond', undefined],
    ] as const) {
      // Where a right one is accepted over some body, it is not the time.
      if (verdict) break;
      if (usual) {
        verdict = await differential.run();
        break;
      }
      const window = await this.#window(reach);
      if (window.found) return window;
      verdict = await differential.run(most);
    }
    const { accepted, asked } = differential;
    this.#seen.push(
      `${asked} signatures of wrong schemes: ${accepted.length} accepted.`,
      ...accepted.map((one) => answerLine(one)),
    );
    if (verdict?.scheme) {
      const { found, others } = nameScheme(verdict.scheme, verdict);
      return this.#outcome({ found, suspects: others, ends: true });
    }
    const again = await this.#send(rich, this.#right, `the right signature again, ${this.#over('rich')}`);
    if (again.reception === 'accepted') return this.#outcome({ suspects: [flickering(right)], ends: true });
    if (this.#questioner.isCall && (await signsCallSid(this.#connection, this.#seen))) {
      return this.#outcome({ found: { id: 'signature/call-sid-signed' }, ends: true });
    }
    return this.#outcome({ suspects: this.#unknown(usual, asked), ends: true });
  }

  #unknown(usual: boolean, asked: number): Suspect[] {
    const none = `none of the ${knownSchemes(this.#connection.surface)} known schemes`;
    const why = `${asked} signatures of wrong schemes and pairs of them were tried, and it is ${none}.`;
    if (usual) {
      return [
        {
          id: 'signature/unknown-scheme',
          text: `Your endpoint does not sign the body as it came: right signatures are accepted over plain bodies only, and what is done to the others is ${none}.`,
          mend: 'Sign the raw bytes of the body as they came, before any parser or filter: keep them aside when the body is read.',
          why,
        },
      ];
    }
    return [
      { id: 'signature/other-secret', why: `${why} A secret that is wrong on one side looks just so.` },
      { id: 'signature/unknown-scheme', text: `Your endpoint checks signatures by ${none}.`, why },
    ];
  }

  async #window(reach?: 'near' | 'beyond'): Promise<Outcome> {
    return this.#with(await findWindow(this.#connection, this.#failing, { right: false, ...(reach && { reach }) }));
  }

  async #weaknesses(): Promise<Outcome> {
    const weakness = await findWeakness(this.#connection, this.#failing, { right: true });
    if (weakness.found) return this.#with(weakness);
    const window = await findWindow(this.#connection, this.#failing, { right: true });
    return this.#with({
      ...window,
      suspects: [...weakness.suspects, ...window.suspects],
      fine: [
        `The right signature is accepted${this.#questioner.isCall ? '' : ', over unusual JSON, too'}.`,
        ...weakness.fine,
        ...window.fine,
      ],
      seen: [...weakness.seen, ...window.seen],
    });
  }

  async #send(body: number, parts: Parts, label: string): Promise<Offer> {
    const offered = await this.#questioner.ask(body, parts, label);
    this.#seen.push(answerLine(offered));
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
    return { suspects: [], fine: [], ...outcome, seen: [...this.#seen] };
  }
}

function flickering(first: Offer): Suspect {
  return {
    id: 'signature/not-always-the-same',
    why: `The right signature was refused at first (${receptionText(first)}) and accepted later.`,
  };
}
