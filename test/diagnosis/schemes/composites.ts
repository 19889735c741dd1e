import { bodyMistakes } from './body-mistakes.ts';
import { contentMistakes } from './content-mistakes.ts';
import { digestMistakes } from './digest-mistakes.ts';
import { headerMistakes } from './header-mistakes.ts';
import { keyMistakes } from './key-mistakes.ts';
import { callMistakes } from './call-mistakes.ts';
import { clockMistakes } from './clock-mistakes.ts';
import { signedSurfaces, type Scheme } from './scheme.ts';

const singles = [
  ...keyMistakes,
  ...contentMistakes,
  ...bodyMistakes,
  ...digestMistakes,
  ...headerMistakes,
  ...callMistakes,
  ...clockMistakes,
];

/** Two mistakes that occur together in practice, from the same library, tutorial or framework. */
const couples: readonly (readonly [string, string])[] = [
  ['body-compact', 'body-as-latin-1'],
  ['body-as-latin-1', 'body-trimmed'],
  ['secret-base64-decoded', 't-in-milliseconds'],
  ['secret-base64-decoded', 'base64'],
  ['secret-base64-decoded', 'delivery-id-first'],
  ['secret-base64-decoded', 'body-compact'],
  ['secret-base64-decoded', 'body-alone'],
  ['secret-base64-decoded', 'no-separator'],
  ['secret-prefix-stripped', 'body-compact'],
  ['secret-prefix-stripped', 'base64'],
  ['secret-prefix-stripped', 'body-alone'],
  ['secret-with-newline', 'body-compact'],
  ['secret-with-newline', 'base64'],
  ['secret-hashed', 'body-alone'],
  ['secret-in-quotes', 'body-spaced'],
  ['body-compact', 'no-separator'],
  ['body-compact', 'body-alone'],
  ['body-compact', 'base64'],
  ['body-compact', 't-in-milliseconds'],
  ['body-compact', 'sha512'],
  ['body-spaced', 'base64'],
  ['body-sorted', 'secret-base64-decoded'],
  ['body-sorted', 'hex-upper-case'],
  ['non-ascii-escaped', 'body-alone'],
  ['slashes-escaped', 'secret-prefix-stripped'],
  ['body-alone', 'sha1'],
  ['body-alone', 'base64'],
  ['body-alone', 'other-header-name'],
  ['no-separator', 'sha1'],
  ['no-separator', 'hex-upper-case'],
  ['t-in-milliseconds', 'base64'],
  ['t-in-iso', 'body-compact'],
  ['other-header-name', 'secret-base64-decoded'],
  ['other-header-name', 'base64'],
  ['version-first', 'body-compact'],
  ['url-signed', 'base64'],
  ['body-empty', 'base64'],
  ['body-trimmed', 'secret-base64-decoded'],
  ['call-body-signed', 'secret-base64-decoded'],
  ['call-path-signed', 'base64'],
  ['call-id-upper-case', 'hex-upper-case'],
  ['clock-off', 'secret-base64-decoded'],
  ['clock-off', 'body-compact'],
];

/** Endpoints with two mistakes. */
export const composites: readonly Scheme[] = couples.map(([one, other]) => {
  const [first, second] = [one, other].map((id) => singles.find(({ ids }) => ids[0] === id));
  if (!first || !second) throw new TypeError(`No such couple: ${one}, ${other}.`);
  return {
    ids: [one, other],
    surfaces: (first.surfaces ?? signedSurfaces).filter((surface) =>
      (second.surfaces ?? signedSurfaces).includes(surface),
    ),
    steps: { ...first.steps, ...second.steps, ...bothBodies(first, second) },
    ...((first.manner ?? second.manner) && { manner: { ...first.manner, ...second.manner } }),
  };
});

/** Applies both changes of the body in turn. */
function bothBodies({ steps: one }: Scheme, { steps: other }: Scheme): Scheme['steps'] {
  const [outer, inner] = [one?.body, other?.body];
  return outer && inner ? { body: (raw) => outer(Buffer.from(inner(raw))) } : {};
}
