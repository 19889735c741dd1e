import { header, type Answered } from '../../harness/wire/observation.ts';
import { isSamePage } from '../is-same-page.ts';
import type { HttpControls } from './http-controls.ts';
import type { StageOutcome } from './stage.ts';

/** Statuses with which gates refuse, and endpoints as well. */
const refusals: readonly number[] = [401, 403, 406];
/** Bytes of a page that are inspected. */
const inspectedBytes = 4_000;

/** Software between clients and applications, recognised by its page or header. */
const gates: readonly (readonly [who: string, isItsAnswer: (answer: Answered, page: string) => boolean])[] = [
  ['nginx', (_, page) => /<hr><center>(?:nginx|openresty)[^<]*<\/center>/.test(page)],
  [
    'Apache',
    (_, page) => /<address>Apache[^<]*<\/address>|You don't have permission to access this resource/.test(page),
  ],
  ['IIS', (_, page) => /<h2>40[13] - (?:Forbidden|Unauthorized): Access is denied/i.test(page)],
  ['a load balancer of AWS', (answer) => /^awselb\//.test(header(answer, 'server') ?? '')],
  [
    'the API gateway of AWS',
    (answer) => /^(?:Forbidden|AccessDenied|Unauthorized)/.test(header(answer, 'x-amzn-errortype') ?? ''),
  ],
  ['Cloudflare Access', (answer) => header(answer, 'cf-access-domain') !== undefined],
];

/**
 * Recognises a gate that refuses requests before the endpoint sees them: it answers unsigned requests in the same way,
 * and often other methods and paths. While no signature or token is accepted, it is only a suspicion in two cases.
 * Without a feature that identifies its software, the endpoint itself may have a rule for every path. Without the same
 * answer for every path, a web server may replace the refusals of an application by its own pages. Web servers also
 * check tokens themselves.
 */
export async function judgeGate(answer: Answered, controls: HttpControls): Promise<StageOutcome | undefined> {
  const { status } = answer;
  if (!refusals.includes(status)) return undefined;
  const paths = [controls.path, controls.nowhere];
  const isSame = async (name: 'unsigned' | 'get' | 'get-no-such-path') =>
    isSamePage(answer, await controls.ask(name), paths);
  if (!(await isSame('unsigned'))) return undefined;
  const isForAll = (await isSame('get')) && (await isSame('get-no-such-path'));
  const text = Buffer.from(answer.body.subarray(0, inspectedBytes)).toString('utf8');
  const who = gates.find(([, isItsAnswer]) => isItsAnswer(answer, text))?.[0];
  const whom = isForAll ? 'an unsigned request, a GET and a nonexistent path' : 'unsigned ones';
  const isToken = controls.surface === 'crm-webhook';
  if (who !== undefined && isForAll && !isToken) {
    const summary = `The answer comes from ${who} in front of the endpoint: it answers every request, also a GET and a nonexistent path, with ${status}.`;
    return { found: { id: 'http/gate', summary }, suspects: [], passed: [], seen: [] };
  }
  if (who === undefined && !isForAll) return undefined;
  const otherwise = isForAll ? 'it verifies signatures or tokens for every path' : 'its refusals get that page';
  const same = who === undefined ? `the same ${status}` : `the same ${status} page of ${who}`;
  const why = `Valid requests get ${same} as ${whom}: if the log of the endpoint shows none of them, something in front of it answers; otherwise ${otherwise}.`;
  // No mark shows who answers, and both have the same effect: only the log of the endpoint decides.
  const id = who === undefined ? 'http/gate-or-secret' : 'http/gate';
  // A GET that the application answers has passed the gate; 401 is about the token.
  const isLikely = (await isSame('get')) && !(isToken && status === 401);
  return {
    suspects: [],
    passed: ['An HTTP server answers at the URL.'],
    seen: [],
    ifRefused: { id, why, ...(isLikely && { isLikely }) },
  };
}
