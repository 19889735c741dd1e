import type { Answered } from '../../harness/wire/observation.ts';
import { header } from '../../harness/wire/observation.ts';
import { isSamePage, type HttpControls } from './http-controls.ts';
import { isHtml, isRouterPage } from './known-pages.ts';
import { otherCredential } from './other-credential.ts';
import type { StageOutcome } from './stage.ts';

/**
 * Whether a 404 is the server's, for a path that it does not have, or the endpoint's own. Only what the server says of
 * other paths and methods too is the server's; a page that gives nothing away stays a suspicion.
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
      found: { id: 'http/path-not-found', summary: `${what}, and it has ${neighbour}.` },
      suspects: [],
      passed: [],
      seen: [`A path that nobody has gets the same page; ${neighbour} is answered in another way.`],
    };
  }
  const seen = ['A path that nobody has gets the same page, and so do other methods.'];
  if (isRouterPage(answer)) {
    const text = `${what}: its own page for unknown paths comes (${answer.status}).`;
    return { found: { id: 'http/path-not-found', summary: text }, suspects: [], passed: [], seen };
  }
  const why = `What is right gets the same ${answer.status} as a path that nobody has, and so do other methods; an endpoint that refuses what it does not trust in this way looks like this too.`;
  const text = `${what}: it answers ${answer.status} there, as it does for a path that nobody has.`;
  return {
    suspects: [{ id: 'http/path-not-found', summary: text, why }],
    passed: [],
    seen,
    ifRefused: otherCredential(controls),
  };
}

/** A path as it is often meant, under which the server does have something. */
async function neighbourOf(path: string, controls: HttpControls): Promise<string | undefined> {
  const meant = [
    path.endsWith('/') ? path.replace(/\/+$/, '') : `${path}/`,
    path.toLowerCase(),
    path.replaceAll(/\/{2,}/g, '/'),
  ];
  for (const other of new Set(meant.filter((each) => each !== path && each !== ''))) {
    const answer = await controls.askPath(other);
    if (answer.outcome !== 'answered' || isHtml(answer)) continue;
    // What only leads back, or takes other methods, is no place for a delivery.
    if (answer.status < 300 || [400, 401, 403, 422].includes(answer.status)) return other;
  }
  return undefined;
}
