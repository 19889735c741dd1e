import type { Found, ProbeOutcome, Suspect } from '../outcome.ts';
import { describeReception, attemptStatus, type TokenAttempt, type TokenProber } from './token-prober.ts';
import type { FirstAnswers } from './find-expected-form.ts';
import { forgedTokens } from '../../harness/wire/forged-tokens.ts';

/** Shortest token, in characters, whose parts are tested separately. */
const shortestToken = 4;
/** Times the correct token is sent when it is refused after wrong ones. */
const timesLocked = 3;

/** A token of the same length that differs in every character, even if letter case is ignored. */
export function differentToken(text: string): string {
  return text.replace(/[\s\S]/g, (char) => {
    if (/[a-z0-9]/i.test(char)) return char.toLowerCase() === 'q' ? 'w' : 'q';
    return char === '-' ? '_' : '-';
  });
}

/** Determines what the endpoint checks if it accepts a completely different token. */
export async function findCheckedPart(prober: TokenProber, { right, none }: FirstAnswers): Promise<ProbeOutcome> {
  const { token } = prober;
  const outcome = (found: Found): ProbeOutcome => ({ found, suspects: [], passed: [], seen: prober.seen });
  if (none.reception === 'accepted') {
    if (!(await prober.acceptsTwice('no Authorization header', { authorization: null }))) return unclear(prober);
    const like = `An event without Authorization was ${describeReception(none.observation.answer)}, one with the correct token ${describeReception(right.observation.answer)}.`;
    return outcome({ id: 'token/not-checked', summary: `The endpoint does not check the token. ${like}` });
  }
  if (
    await prober.acceptsTwice('another value in another scheme', { authorization: `Basic ${differentToken('eDp5')}` })
  ) {
    return outcome({ id: 'token/only-presence' });
  }
  if (await prober.acceptsTokenTwice('another, short token', 'q')) return outcome({ id: 'token/only-scheme' });
  if (await prober.acceptsTokenTwice('another, longer token', `${differentToken(token)}qw`)) {
    return outcome({
      id: 'token/only-scheme',
      summary: 'The endpoint accepts any bearer token that is long enough.',
    });
  }
  const half = Math.floor(token.length / 2);
  const [head, tail] = [token.slice(0, half), token.slice(half)];
  if (
    (await prober.acceptsTokenTwice(
      'the first half of the token and another second half',
      head + differentToken(tail),
    )) &&
    (await prober.acceptsTokenTwice('another first half and the second half of the token', differentToken(head) + tail))
  ) {
    return outcome({
      id: 'token/only-length',
      summary: `The endpoint accepts any bearer token of ${token.length} characters.`,
    });
  }
  return unclear(prober);
}

/** Determines whether the endpoint compares the whole token and nothing else, if it accepts the correct token and refuses garbage. */
export async function findComparedPart(
  prober: TokenProber,
  { garbage, none }: Omit<FirstAnswers, 'right'>,
): Promise<ProbeOutcome> {
  const weak: Found[] = [];
  const bad: TokenAttempt[] = [garbage, none];
  // Every further wrong token would take as long.
  if (bad.every(({ reception }) => reception === 'not-answered')) return await unanswered(prober, garbage);
  const right = { authorization: `Bearer ${prober.token}` };
  const ask = async (what: string, authorization: string) => {
    const asked = await prober.ask(what, { authorization });
    if (asked.reception !== 'accepted') bad.push(asked);
    return asked.reception === 'accepted' && (await prober.acceptsTwice(what, { authorization }));
  };
  if (none.reception === 'accepted') {
    if (await prober.acceptsTwice('no Authorization header', { authorization: null }))
      weak.push({ id: 'token/optional' });
  }
  if (prober.token.length >= shortestToken) weak.push(...(await comparedParts(prober, ask)));
  const bare = await ask('the token alone in Authorization', prober.token);
  const other = await ask('the token in a scheme that is not Bearer', forgedTokens.otherScheme(prober.token));
  if (bare || other) weak.push({ id: 'token/scheme-ignored' });
  else if (await ask('the token as password of the Basic scheme', forgedTokens.basicScheme(prober.token))) {
    weak.push({
      id: 'token/scheme-ignored',
      summary: 'The endpoint also accepts the token as the password of the Basic scheme.',
    });
  }
  // After a lockout the endpoint refuses for another reason than the token.
  const last = await prober.ask('the correct token once more', right);
  if (last.reception !== 'accepted') return await lockedOut(prober, last, weak);
  const conduct = await conductOf(bad);
  const [found, ...others] = [...weak, ...conduct.found];
  const suspects = [...others.map((one): Suspect => ({ ...one, why: 'It was also observed.' })), ...conduct.suspects];
  if (found ?? suspects.length > 0) return { found, suspects, passed: [], seen: prober.seen };
  const passed = [
    `The correct token is accepted, and ${bad.length} requests with a missing token, a wrong scheme or a token of wrong characters or length are refused with 401.`,
  ];
  return { suspects: [], passed, seen: prober.seen };
}

/** Judges a correct token that is refused after wrong ones: further results would be meaningless. */
async function lockedOut(prober: TokenProber, last: TokenAttempt, weak: readonly Found[]): Promise<ProbeOutcome> {
  const later: TokenAttempt[] = [last];
  // An odd number reveals two instances behind a load balancer.
  while (later.length < timesLocked) later.push(await last.again());
  const outcome = { passed: [], seen: prober.seen };
  const seenBefore = weak.map((one): Suspect => ({
    ...one,
    why: 'It was observed before the correct token was refused.',
  }));
  if (later.some(({ reception }) => reception === 'accepted')) {
    const why = 'Between wrong tokens, the correct one was sometimes accepted and sometimes refused.';
    return { ...outcome, suspects: [{ id: 'token/not-always-accepted', why }, ...seenBefore] };
  }
  const status = attemptStatus(last);
  const why = `After the wrong tokens of this diagnosis the correct one was ${describeReception(last.observation.answer)}, ${timesLocked} times${status === 429 ? ', possibly because of the number of events' : ''}. The service never sends wrong tokens, but the lockout may also count those of other clients.`;
  return { ...outcome, suspects: [{ id: 'token/locks-out', why }, ...seenBefore], ends: true };
}

/** Confirms that a wrong or missing token gets no answer, while the correct one does. */
async function unanswered(prober: TokenProber, first: TokenAttempt): Promise<ProbeOutcome> {
  const garbage = { authorization: `Bearer ${differentToken(prober.token)}` };
  const again = await prober.ask('another token of the same length', garbage);
  const right = await prober.ask('the correct token once more', { authorization: `Bearer ${prober.token}` });
  const outcome = { suspects: [], passed: [], seen: prober.seen };
  if (again.reception !== 'not-answered' || right.reception !== 'accepted') return outcome;
  const text = `An event with a wrong token or none is ${describeReception(first.observation.answer)}, where 401 is expected.`;
  return { ...outcome, found: { id: 'token/wrong-token-breaks', summary: text } };
}

type Ask = (what: string, authorization: string) => Promise<boolean>;

async function comparedParts(prober: TokenProber, ask: Ask): Promise<Found[]> {
  const { token } = prober;
  const weak: Found[] = [];
  const bearer = (what: string, text: string) => ask(what, `Bearer ${text}`);
  const lastChanged = await bearer(
    'a token with a different last character',
    token.slice(0, -1) + differentToken(token.slice(-1)),
  );
  const firstChanged = await bearer(
    'a token with a different first character',
    differentToken(token.slice(0, 1)) + token.slice(1),
  );
  const after = await ask('one additional character after the token', forgedTokens.extendedAfter(token));
  const before = await ask('one additional character before the token', forgedTokens.extendedBefore(token));
  const truncated = await ask('a token that lacks its last character', forgedTokens.truncated(token));
  if (lastChanged && !firstChanged) weak.push(await firstCharacters(prober));
  else if (firstChanged && !lastChanged) weak.push(await lastCharacters(prober));
  else if (!firstChanged && !lastChanged) {
    if (after && before) weak.push({ id: 'token/contains-compared' });
    else if (after) weak.push(firstCharactersFound(token.length, token.length));
    else if (before) weak.push(lastCharactersFound(token.length, token.length));
    if (truncated) {
      const start = await bearer('the first character of the token alone', token.slice(0, 1));
      const end = await bearer('a token that lacks its first character', token.slice(1));
      if (start || end) {
        const which = end ? 'any piece of the token' : 'any beginning of the token';
        weak.push({ id: 'token/part-suffices', summary: `The endpoint accepts ${which} in place of all of it.` });
      }
    }
  }
  const swapped = forgedTokens.differentlyCased(token);
  if (swapped !== undefined && (await ask('the token in the other letter case', swapped))) {
    weak.push({ id: 'token/case-ignored' });
  }
  return weak;
}

/** Finds by bisection how many characters from the beginning are compared. */
async function firstCharacters(prober: TokenProber): Promise<Found> {
  const { token } = prober;
  const needed = await least(token.length - 1, async (count) => {
    const text = token.slice(0, count) + differentToken(token.slice(count));
    const asked = await prober.ask(`a token of which only the first ${count} characters are correct`, {
      authorization: `Bearer ${text}`,
    });
    return asked.reception === 'accepted';
  });
  return firstCharactersFound(needed, token.length);
}

async function lastCharacters(prober: TokenProber): Promise<Found> {
  const { token } = prober;
  const needed = await least(token.length - 1, async (count) => {
    const text = differentToken(token.slice(0, token.length - count)) + token.slice(token.length - count);
    const asked = await prober.ask(`a token of which only the last ${count} characters are correct`, {
      authorization: `Bearer ${text}`,
    });
    return asked.reception === 'accepted';
  });
  return lastCharactersFound(needed, token.length);
}

function firstCharactersFound(needed: number, length: number): Found {
  return {
    id: 'token/first-characters-compared',
    summary:
      needed === length
        ? 'The endpoint accepts any token that begins with the correct one.'
        : `The endpoint compares only the first ${needed} of the ${length} characters of the token.`,
  };
}

function lastCharactersFound(needed: number, length: number): Found {
  return {
    id: 'token/last-characters-compared',
    summary:
      needed === length
        ? 'The endpoint accepts any token that ends with the correct one.'
        : `The endpoint compares only the last ${needed} of the ${length} characters of the token.`,
  };
}

/** The smallest number from 1 to `most` for which `isEnough` returns true, given that it does for `most`. */
async function least(most: number, isEnough: (count: number) => Promise<boolean>): Promise<number> {
  let [from, to] = [1, most];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    if (await isEnough(middle)) to = middle;
    else from = middle + 1;
  }
  return to;
}

/** Faults in the refusals: a status other than 401, a refusal in a 2xx body, or no answer. One observation is only a suspicion. */
async function conductOf(bad: readonly TokenAttempt[]): Promise<Conduct> {
  const conduct: Conduct = { found: [], suspects: [] };
  const add = async (one: TokenAttempt | undefined, isSo: (asked: TokenAttempt) => boolean, cause: Found) => {
    if (!one) return;
    if (bad.filter(isSo).length > 1 || isSo(await one.again())) conduct.found.push(cause);
    else conduct.suspects.push({ ...cause, why: 'It was observed once, but not when the same request was repeated.' });
  };
  const crashed = bad.find(isCrash);
  const inBody = bad.find(({ reception }) => reception === 'refused-with-2xx');
  const isOther = (asked: TokenAttempt) => {
    const status = attemptStatus(asked) ?? 0;
    return asked.reception === 'refused' && status !== 401 && status !== 429 && status < 500;
  };
  await add(inBody, ({ reception }) => reception === 'refused-with-2xx', { id: 'token/refused-with-2xx' });
  if (crashed) {
    const text = `${labelOf(crashed)} was ${describeReception(crashed.observation.answer)}: the token check fails with an error.`;
    await add(crashed, isCrash, { id: 'token/wrong-token-breaks', summary: text });
  }
  const others = new Set(bad.filter(isOther).map(attemptStatus));
  const text = `The endpoint refuses wrong tokens with ${[...others].join(' and ')}, not with 401.`;
  await add(bad.find(isOther), isOther, { id: 'token/refused-with-another-status', summary: text });
  return conduct;
}

/** Faults in refusals: confirmed ones, and those observed once. */
interface Conduct {
  found: Found[];
  suspects: Suspect[];
}

function isCrash(asked: TokenAttempt): boolean {
  return asked.reception === 'not-answered' || (attemptStatus(asked) ?? 0) >= 500;
}

function labelOf({ observation: { label } }: TokenAttempt): string {
  return label.charAt(0).toUpperCase() + label.slice(1);
}

function unclear(prober: TokenProber): ProbeOutcome {
  const why = 'A completely different token was accepted, and it could not be determined what the endpoint compares.';
  return { suspects: [{ id: 'token/only-scheme', why }], passed: [], seen: prober.seen };
}
