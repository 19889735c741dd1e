import type { Outcome, Suspect } from '../outcome.ts';
import { header } from '../../harness/wire/observation.ts';
import { authorizationForms, tokenPlaces, combine, type TokenForm } from './token-forms.ts';
import { attemptStatus, type TokenAttempt, type TokenProber } from './token-prober.ts';

/** What the three first questions brought. */
export interface FirstAnswers {
  right: TokenAttempt;
  rubbish: TokenAttempt;
  none: TokenAttempt;
}

const saysMissing =
  /missing|required|absent|not (?:provided|present|set|sent)|no (?:\w+ ){0,2}(?:token|header|credential)/i;

/** The right token is refused, as every other: in which form it is expected, by few events. */
export async function findExpectedForm(prober: TokenProber, first: FirstAnswers): Promise<Outcome> {
  const groups = tokenPlaces(prober.token);
  for (const places of groups) {
    const place = await findAmong(prober, places);
    if (place) return found(prober, place);
  }
  const forms = authorizationForms(prober.token, prober.oldToken);
  for (const form of forms) {
    if ((await prober.ask(form.what, form.carried)).reception !== 'accepted') continue;
    if (await prober.surelyAccepts(form.what, form.carried)) return found(prober, form);
  }
  return { suspects: suspectsOf(first, groups.flat().length + forms.length), passed: [], seen: prober.seen };
}

function found(prober: TokenProber, { id, summary: text }: TokenForm): Outcome {
  return { found: { id, summary: text }, suspects: [], passed: [], seen: prober.seen };
}

/** The one place of many that makes the difference: all are filled at once, then half of what is left. */
async function findAmong(prober: TokenProber, places: readonly TokenForm[]): Promise<TokenForm | undefined> {
  let left = [...places];
  const accepts = async (some: readonly TokenForm[]) => {
    const what = some.length === 1 ? (some[0]?.what ?? '') : `the token at ${some.length} other places at once`;
    return (await prober.ask(what, combine(some))).reception === 'accepted';
  };
  if (!(await accepts(left))) return undefined;
  while (left.length > 1) {
    const half = left.slice(0, Math.ceil(left.length / 2));
    left = (await accepts(half)) ? half : left.slice(half.length);
  }
  const [one] = left;
  return one && (await prober.surelyAccepts(one.what, one.carried)) ? one : undefined;
}

/** What may be the cause when no known form was accepted. */
function suspectsOf({ right, rubbish, none }: FirstAnswers, tried: number): Suspect[] {
  const status = attemptStatus(right) ?? 0;
  // Every token got this, so tokens may have nothing to do with it.
  if (status < 400 || status === 404 || status === 429 || status > 499) return [];
  const { answer } = right.observation;
  if (answer.outcome !== 'answered') return [];
  const body = Buffer.from(answer.body).toString('utf8');
  const challenge = header(answer, 'www-authenticate') ?? '';
  const another: Suspect = {
    id: 'token/another-token',
    why: `None of ${tried} other forms and places of the token was accepted; what is left is another value, or one with white space at its end.`,
  };
  const suspects: Suspect[] = [];
  if (/^(?:basic|digest|negotiate|ntlm)\b/i.test(challenge)) {
    suspects.push({
      id: 'token/gate-before-the-endpoint',
      why: `The refusal asks for the scheme ${challenge.split(/\s/, 1)[0] ?? ''}, which a receiver of bearer tokens does not.`,
    });
  }
  if (sameAnswer(right, none) && saysMissing.test(body)) {
    suspects.push({
      id: 'token/header-lost',
      why: 'An event with the right token got the same answer as one without any, and it says that something is missing.',
    });
  }
  if (sameAnswer(right, rubbish) && !sameAnswer(right, none)) {
    return [
      { ...another, why: `${another.why} Events without a token are answered otherwise, so the token is read.` },
      ...suspects,
    ];
  }
  if (status !== 401 && status !== 403) {
    const why = `Every token is answered ${status}, which says nothing of tokens: it may be the event that is not liked.`;
    return [...suspects, { ...another, why }];
  }
  return [...suspects, another];
}

function sameAnswer(one: TokenAttempt, other: TokenAttempt): boolean {
  const [a, b] = [one.observation.answer, other.observation.answer];
  if (a.outcome !== 'answered' || b.outcome !== 'answered') return a.outcome === b.outcome;
  return a.status === b.status && Buffer.compare(a.body, b.body) === 0;
}
