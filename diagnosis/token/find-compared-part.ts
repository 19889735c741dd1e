import type { Found, Outcome, Suspect } from '../outcome.ts';
import { describeReception, attemptStatus, type TokenAttempt, type TokenProber } from './token-prober.ts';
import type { FirstAnswers } from './find-expected-form.ts';

/** Characters of a token below which its parts are not told apart. */
const shortestToken = 4;
/** Times that the right token is sent when it is refused after wrong ones. */
const timesLocked = 3;

/** As long as a token, and another character in every place, also when letter case is ignored. */
export function differentToken(text: string): string {
  return text.replace(/[\s\S]/g, (char) => {
    if (/[a-z0-9]/i.test(char)) return char.toLowerCase() === 'q' ? 'w' : 'q';
    return char === '-' ? '_' : '-';
  });
}

/** A token that has nothing of the right one is accepted: what is looked at instead. */
export async function findCheckedPart(prober: TokenProber, { right, none }: FirstAnswers): Promise<Outcome> {
  const { token } = prober;
  const outcome = (found: Found): Outcome => ({ found, suspects: [], passed: [], seen: prober.seen });
  if (none.reception === 'accepted') {
    if (!(await prober.surelyAccepts('no Authorization header', { authorization: null }))) return unclear(prober);
    const like = `An event without Authorization was ${describeReception(none.observation.answer)}, one with the right token ${describeReception(right.observation.answer)}.`;
    return outcome({ id: 'token/not-checked', summary: `The endpoint does not check the token. ${like}` });
  }
  if (
    await prober.surelyAccepts('other words in another scheme', { authorization: `Basic ${differentToken('eDp5')}` })
  ) {
    return outcome({ id: 'token/only-presence' });
  }
  if (await prober.surelyAcceptsToken('another, short token', 'q')) return outcome({ id: 'token/only-scheme' });
  if (await prober.surelyAcceptsToken('another, longer token', `${differentToken(token)}qw`)) {
    return outcome({
      id: 'token/only-scheme',
      summary: 'The endpoint accepts any bearer token that is long enough.',
    });
  }
  const half = Math.floor(token.length / 2);
  const [head, tail] = [token.slice(0, half), token.slice(half)];
  if (
    (await prober.surelyAcceptsToken(
      'the first half of the token and another second half',
      head + differentToken(tail),
    )) &&
    (await prober.surelyAcceptsToken(
      'another first half and the second half of the token',
      differentToken(head) + tail,
    ))
  ) {
    return outcome({
      id: 'token/only-length',
      summary: `The endpoint accepts any bearer token of ${token.length} characters.`,
    });
  }
  return unclear(prober);
}

/** The right token is accepted and garbage is refused: whether all of the token is compared, and only that. */
export async function findComparedPart(prober: TokenProber, { rubbish, none }: FirstAnswers): Promise<Outcome> {
  const weak: Found[] = [];
  const bad: TokenAttempt[] = [rubbish, none];
  // Every wrong token would be waited for as long.
  if (bad.every(({ reception }) => reception === 'not-answered')) return await unanswered(prober, rubbish);
  const right = { authorization: `Bearer ${prober.token}` };
  const ask = async (what: string, authorization: string) => {
    const asked = await prober.ask(what, { authorization });
    if (asked.reception !== 'accepted') bad.push(asked);
    return asked.reception === 'accepted' && (await prober.surelyAccepts(what, { authorization }));
  };
  if (none.reception === 'accepted') {
    if (await prober.surelyAccepts('no Authorization header', { authorization: null }))
      weak.push({ id: 'token/optional' });
  }
  if (prober.token.length >= shortestToken) weak.push(...(await comparedParts(prober, ask)));
  const bare = await ask('the token alone in Authorization', prober.token);
  const other = await ask('the token in a scheme that is not Bearer', `Token ${prober.token}`);
  if (bare || other) weak.push({ id: 'token/scheme-ignored' });
  else if (await ask('the token as password of the Basic scheme', basic(`:${prober.token}`))) {
    weak.push({
      id: 'token/scheme-ignored',
      summary: 'The endpoint also takes the token as the password of the Basic scheme.',
    });
  }
  // Who is locked out after some wrong tokens is refused for another reason than the token.
  const last = await prober.ask('the right token once more', right);
  if (last.reception !== 'accepted') return await lockedOut(prober, last, weak);
  const conduct = await conductOf(bad);
  const [found, ...others] = [...weak, ...conduct.found];
  const suspects = [...others.map((one): Suspect => ({ ...one, why: 'It was seen as well.' })), ...conduct.suspects];
  if (found ?? suspects.length > 0) return { found, suspects, passed: [], seen: prober.seen };
  const passed = [
    `The right token is accepted, and ${bad.length} wrong ones, in its characters, its length, its scheme or missing, are refused with 401.`,
  ];
  return { suspects: [], passed, seen: prober.seen };
}

/** The right token was accepted, and is refused after wrong ones: nothing that follows could be told from that. */
async function lockedOut(prober: TokenProber, last: TokenAttempt, weak: readonly Found[]): Promise<Outcome> {
  const later: TokenAttempt[] = [last];
  // An odd number, so that two instances that take turns show.
  while (later.length < timesLocked) later.push(await last.again());
  const outcome = { passed: [], seen: prober.seen };
  const seenBefore = weak.map((one): Suspect => ({ ...one, why: 'It was seen before the right token was refused.' }));
  if (later.some(({ reception }) => reception === 'accepted')) {
    const why = 'The right token was accepted and refused by turns, between wrong ones.';
    return { ...outcome, suspects: [{ id: 'token/not-always-accepted', why }, ...seenBefore] };
  }
  const status = attemptStatus(last);
  const why = `After wrong tokens of this diagnosis the right one was ${describeReception(last.observation.answer)}, ${timesLocked} times${status === 429 ? ', which may be about how many events came' : ''}. The service sends no wrong ones, but whether the lock counts those of others as well cannot be seen from here.`;
  return { ...outcome, suspects: [{ id: 'token/locks-out', why }, ...seenBefore], ends: true };
}

/** A wrong token and none are both left without an answer, and the right one is answered. */
async function unanswered(prober: TokenProber, first: TokenAttempt): Promise<Outcome> {
  const rubbish = { authorization: `Bearer ${differentToken(prober.token)}` };
  const again = await prober.ask('another token of the same length', rubbish);
  const right = await prober.ask('the right token once more', { authorization: `Bearer ${prober.token}` });
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
  const lastChanged = await bearer('another last character', token.slice(0, -1) + differentToken(token.slice(-1)));
  const firstChanged = await bearer('another first character', differentToken(token.slice(0, 1)) + token.slice(1));
  const after = await bearer('one character more after the token', `${token}x`);
  const before = await bearer('one character more before the token', `x${token}`);
  const truncated = await bearer('a token that lacks its last character', token.slice(0, -1));
  if (lastChanged && !firstChanged) weak.push(await firstCharacters(prober));
  else if (firstChanged && !lastChanged) weak.push(await lastCharacters(prober));
  else if (!firstChanged && !lastChanged) {
    if (after && before) weak.push({ id: 'token/contains-compared' });
    else if (after) weak.push(firstText(token.length, token.length));
    else if (before) weak.push(lastText(token.length, token.length));
    if (truncated) {
      const start = await bearer('the first character of the token alone', token.slice(0, 1));
      const end = await bearer('a token that lacks its first character', token.slice(1));
      if (start || end) {
        const which = end ? 'any piece of the token' : 'any beginning of the token';
        weak.push({ id: 'token/part-suffices', summary: `The endpoint accepts ${which} in place of all of it.` });
      }
    }
  }
  const swapped = swapCase(token);
  if (swapped !== token && (await bearer('the token in the other letter case', swapped))) {
    weak.push({ id: 'token/case-ignored' });
  }
  return weak;
}

/** How many characters from the beginning are compared, by halving. */
async function firstCharacters(prober: TokenProber): Promise<Found> {
  const { token } = prober;
  const needed = await least(token.length - 1, async (count) => {
    const text = token.slice(0, count) + differentToken(token.slice(count));
    const asked = await prober.ask(`a token of which ${count} characters at the beginning are right`, {
      authorization: `Bearer ${text}`,
    });
    return asked.reception === 'accepted';
  });
  return firstText(needed, token.length);
}

async function lastCharacters(prober: TokenProber): Promise<Found> {
  const { token } = prober;
  const needed = await least(token.length - 1, async (count) => {
    const text = differentToken(token.slice(0, token.length - count)) + token.slice(token.length - count);
    const asked = await prober.ask(`a token of which ${count} characters at the end are right`, {
      authorization: `Bearer ${text}`,
    });
    return asked.reception === 'accepted';
  });
  return lastText(needed, token.length);
}

function firstText(needed: number, length: number): Found {
  return {
    id: 'token/first-characters-compared',
    summary:
      needed === length
        ? 'The endpoint accepts anything that begins with the right token.'
        : `The endpoint compares only the first ${needed} of the ${length} characters of the token.`,
  };
}

function lastText(needed: number, length: number): Found {
  return {
    id: 'token/last-characters-compared',
    summary:
      needed === length
        ? 'The endpoint accepts anything that ends with the right token.'
        : `The endpoint compares only the last ${needed} of the ${length} characters of the token.`,
  };
}

/** The least number from 1 to `most` for which `holds`, given that it holds for `most`. */
async function least(most: number, holds: (count: number) => Promise<boolean>): Promise<number> {
  let [from, to] = [1, most];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    if (await holds(middle)) to = middle;
    else from = middle + 1;
  }
  return to;
}

/** What refusals look like: a status that is not 401, words in a 2xx, or no answer at all; each seen twice, or a doubt. */
async function conductOf(bad: readonly TokenAttempt[]): Promise<Conduct> {
  const conduct: Conduct = { found: [], suspects: [] };
  const add = async (one: TokenAttempt | undefined, isSo: (asked: TokenAttempt) => boolean, cause: Found) => {
    if (!one) return;
    if (bad.filter(isSo).length > 1 || isSo(await one.again())) conduct.found.push(cause);
    else conduct.suspects.push({ ...cause, why: 'It was so once, and not when the same was sent again.' });
  };
  const crashed = bad.find(isCrash);
  const inBody = bad.find(({ reception }) => reception === 'refused-with-2xx');
  const isOther = (asked: TokenAttempt) => {
    const status = attemptStatus(asked) ?? 0;
    return asked.reception === 'refused' && status !== 401 && status !== 429 && status < 500;
  };
  await add(inBody, ({ reception }) => reception === 'refused-with-2xx', { id: 'token/refused-with-2xx' });
  if (crashed) {
    const text = `${labelOf(crashed)} was ${describeReception(crashed.observation.answer)}: the check of the token breaks.`;
    await add(crashed, isCrash, { id: 'token/wrong-token-breaks', summary: text });
  }
  const others = new Set(bad.filter(isOther).map(attemptStatus));
  const text = `The endpoint refuses wrong tokens with ${[...others].join(' and ')}, not with 401.`;
  await add(bad.find(isOther), isOther, { id: 'token/refused-with-another-status', summary: text });
  return conduct;
}

/** What is seen in refusals, and what was seen once. */
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

function unclear(prober: TokenProber): Outcome {
  const why = 'A token that has nothing of the right one was accepted, and what is compared could not be told.';
  return { suspects: [{ id: 'token/only-scheme', why }], passed: [], seen: prober.seen };
}

function basic(pair: string): string {
  return `Basic ${Buffer.from(pair, 'utf8').toString('base64')}`;
}

function swapCase(text: string): string {
  return text.replace(/[a-z]/gi, (char) => (char === char.toLowerCase() ? char.toUpperCase() : char.toLowerCase()));
}
