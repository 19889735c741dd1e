import type { ProbeOutcome, Suspect } from '../outcome.ts';
import { header } from '../../harness/wire/observation.ts';
import { authorizationForms, tokenPlaces, combine, type TokenForm } from './token-forms.ts';
import { attemptStatus, type TokenAttempt, type TokenProber } from './token-prober.ts';

/** Results of the first three requests. */
export interface FirstAnswers {
  right: TokenAttempt;
  garbage: TokenAttempt;
  none: TokenAttempt;
}

/** The title of nginx and Apache for any 401. */
const usualTitle = /authori[sz]ation required/gi;
const saysMissing =
  /missing|required|absent|not (?:provided|present|set|sent)|no (?:\w+ ){0,2}(?:token|header|credential)/i;

/** Finds the form in which the endpoint expects the token, if it refuses the correct one like any other. */
export async function findExpectedForm(prober: TokenProber, first: FirstAnswers): Promise<ProbeOutcome> {
  const groups = tokenPlaces(prober.token);
  for (const places of groups) {
    const place = await findAmong(prober, places);
    if (place) return found(prober, place);
  }
  const forms = authorizationForms(prober.token, prober.oldToken);
  for (const form of forms) {
    if ((await prober.ask(form.what, form.credentials)).reception !== 'accepted') continue;
    if (await prober.acceptsTwice(form.what, form.credentials)) return found(prober, form);
  }
  return { suspects: suspectsOf(first, groups.flat().length + forms.length), passed: [], seen: prober.seen };
}

function found(prober: TokenProber, { id, summary: text }: TokenForm): ProbeOutcome {
  return { found: { id, summary: text }, suspects: [], passed: [], seen: prober.seen };
}

/** Finds the place from which the endpoint reads the token: fills all places at once, then bisects. */
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
  return one && (await prober.acceptsTwice(one.what, one.credentials)) ? one : undefined;
}

/** Possible causes if no known form is accepted. */
function suspectsOf({ right, garbage, none }: FirstAnswers, tried: number): Suspect[] {
  const status = attemptStatus(right) ?? 0;
  // Every token gets this status, so it may be unrelated to the token.
  if (status < 400 || status === 404 || status === 429 || status > 499) return [];
  const { answer } = right.observation;
  if (answer.outcome !== 'answered') return [];
  const body = Buffer.from(answer.body).toString('utf8');
  const challenge = header(answer, 'www-authenticate') ?? '';
  const another: Suspect = {
    id: 'token/another-token',
    why: `None of ${tried} other forms and places of the token was accepted; what remains is another value, or one with trailing white space.`,
  };
  const suspects: Suspect[] = [];
  if (/^(?:basic|digest|negotiate|ntlm)\b/i.test(challenge)) {
    suspects.push({
      id: 'token/gate-before-the-endpoint',
      why: `The refusal asks for the scheme ${challenge.split(/\s/, 1)[0] ?? ''}, which is not the scheme of bearer tokens.`,
    });
  }
  if (sameAnswer(right, none) && saysMissing.test(body.replaceAll(usualTitle, ''))) {
    suspects.push({
      id: 'token/header-lost',
      why: 'An event with the correct token got the same answer as one without a token, and that answer reports something missing.',
    });
  }
  if (sameAnswer(right, garbage) && !sameAnswer(right, none)) {
    return [
      { ...another, why: `${another.why} Events without a token get another answer, so the endpoint reads the token.` },
      ...suspects,
    ];
  }
  if (status !== 401 && status !== 403) {
    const why = `Every token gets status ${status}, which does not point to the token: the endpoint may refuse the event itself.`;
    return [...suspects, { ...another, why }];
  }
  return [...suspects, another];
}

function sameAnswer(one: TokenAttempt, other: TokenAttempt): boolean {
  const [a, b] = [one.observation.answer, other.observation.answer];
  if (a.outcome !== 'answered' || b.outcome !== 'answered') return a.outcome === b.outcome;
  return a.status === b.status && Buffer.compare(a.body, b.body) === 0;
}
