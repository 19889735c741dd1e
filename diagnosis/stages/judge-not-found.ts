import type { Answered } from '../../harness/wire/observation.ts';
import { header } from '../../harness/wire/observation.ts';
import { isSamePage } from '../is-same-page.ts';
import type { HttpControls } from './http-controls.ts';
import { isHtml, isRouterPage } from './known-pages.ts';
import { otherCredential } from './other-credential.ts';
import type { StageOutcome } from './stage.ts';

/**
 * Determines whether a 404 comes from the server, for an unknown path, or from the endpoint. It comes from the server only
 * if other paths and methods get the same page; a page without distinctive features stays a suspicion.
 */
export async function judgeNotFound(answer: Answered, controls: HttpControls): Promise<StageOutcome | undefined> {
  const { path, nowhere } = controls;
  const other = await controls.ask('no-such-path');
  if (!isSamePage(answer, other, [path, nowhere])) return undefined;
  const get = await controls.ask('get');
  if (!isSamePage(get, await controls.ask('get-no-such-path'), [path, nowhere])) return undefined;
  const options = await controls.ask('options');
  if (options.outcome === 'answered' && /\bPOST\b/i.test(header(options, 'allow') ?? '')) return undefined;
  const neighbour = await neighbourOf(path, controls);
  const what = `The server has no ${path}`;
  if (neighbour !== undefined) {
    return {
      found: { id: 'http/path-not-found', summary: `${what}, but it has ${neighbour}.` },
      suspects: [],
      passed: [],
      seen: [`A nonexistent path gets the same page; ${neighbour} gets another answer.`],
    };
  }
  const seen = ['A nonexistent path gets the same page, and so do other methods.'];
  if (isRouterPage(answer)) {
    const text = `${what}: it sends its page for unknown paths (${answer.status}).`;
    return { found: { id: 'http/path-not-found', summary: text }, suspects: [], passed: [], seen };
  }
  const why = `A valid request gets the same ${answer.status} as a nonexistent path, and so do other methods; an endpoint that answers untrusted requests this way behaves the same.`;
  const text = `${what}: it answers ${answer.status} there, as for a nonexistent path.`;
  return {
    suspects: [{ id: 'http/path-not-found', summary: text, why }],
    passed: [],
    seen,
    ifRefused: otherCredential(controls),
  };
}

/** A likely intended path that exists on the server. */
async function neighbourOf(path: string, controls: HttpControls): Promise<string | undefined> {
  const meant = [
    path.endsWith('/') ? path.replace(/\/+$/, '') : `${path}/`,
    path.toLowerCase(),
    path.replaceAll(/\/{2,}/g, '/'),
  ];
  for (const other of new Set(meant.filter((each) => each !== path && each !== ''))) {
    const answer = await controls.askPath(other);
    if (answer.outcome !== 'answered' || isHtml(answer)) continue;
    // A path that only redirects back or accepts only other methods does not accept deliveries.
    if (answer.status < 300 || [400, 401, 403, 422].includes(answer.status)) return other;
  }
  return undefined;
}
