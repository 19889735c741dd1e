import type { Cause } from '../cause.ts';
import { everyRefusal, everyRequirement } from '../explained-requirements.ts';

const surfaces = ['crm-webhook'] as const;
const section = 'Authentication';
const snippet = 'check-token';
const refusals = 'Events are rejected with 401 or 403, although URL and token were copied correctly.';
const accepts = 'Everything seems to work, but events with a wrong token are accepted as well.';

/** Creates a cause of valid tokens that are rejected. */
function refusing(summary: string, detection: string, remediation: string, symptom = refusals) {
  return { surfaces, symptom, summary, detection, remediation, section, snippet } as const;
}

/** Creates a cause of invalid tokens that are accepted. */
function accepting(
  explains: Cause['explains'],
  summary: string,
  detection: string,
  remediation: string,
  symptom = accepts,
): Cause {
  return { surfaces, explains, symptom, summary, detection, remediation, section, snippet };
}

const compareAll =
  'Compare everything after "Bearer " with the configured token, in constant time; answer 401 if they differ.';

/** Causes in the bearer token check of the CRM webhook. */
export const tokenCauses = {
  'token/scheme-not-stripped': refusing(
    'The endpoint compares the whole Authorization header with the token, without removing "Bearer " first.',
    'Accepted: the token alone in Authorization. Rejected: "Bearer " with the token.',
    'Remove "Bearer " from the header before you compare, or compare with "Bearer " and the token.',
  ),
  'token/scheme-doubled': refusing(
    'The endpoint expects "Bearer " twice, because its configured token already begins with it.',
    'Accepted: an event with "Bearer Bearer " before the token.',
    'Configure the token without "Bearer "; the word belongs to the header.',
  ),
  'token/scheme-in-lower-case': refusing(
    'The endpoint expects the scheme in lower case.',
    'Accepted: "bearer " before the token. Rejected: "Bearer " before the token.',
    'Compare the name of the scheme case-insensitively; the service writes "Bearer".',
  ),
  'token/another-scheme': refusing(
    'The endpoint expects the token under a scheme other than Bearer.',
    'Accepted: the token under the other scheme. Rejected: the token under Bearer.',
    'Read the token from "Authorization: Bearer", as the service sends it.',
  ),
  'token/in-another-header': refusing(
    'The endpoint reads the token from a header other than Authorization.',
    'Accepted: an event with the token in many headers. Halving them finds the one that the endpoint reads.',
    'Read the token from the Authorization header, after "Bearer ".',
  ),
  'token/in-the-query': refusing(
    'The endpoint reads the token from the query string of its address.',
    'Accepted: the token as a query parameter.',
    'Read the token from the Authorization header; addresses are written to logs.',
  ),
  'token/in-the-body': refusing(
    'The endpoint reads the token from the body.',
    'Accepted: the token as a field of the event.',
    'Read the token from the Authorization header; events contain no token.',
  ),
  'token/in-quotes': refusing(
    'The token that the endpoint uses has quotes around it.',
    'Accepted: the token in quotes. Rejected: the token without them.',
    'Remove the quotes from the configured value: some files and container settings make them part of it.',
  ),
  'token/white-space-kept': refusing(
    'The endpoint expects white space before the token.',
    'Accepted: an event with one additional space between "Bearer" and the token.',
    'Trim the configured token, and remove all of "Bearer " including its space.',
  ),
  'token/placeholder-kept': refusing(
    'The token that the endpoint uses still has the brackets of a placeholder around it.',
    'Accepted: the token in angle or curly brackets.',
    'Configure the token without brackets; in a manual they only mark its place.',
  ),
  'token/not-configured': accepting(
    undefined,
    'The endpoint has no token: its setting is empty or is not read.',
    'Accepted: the string that a program writes for a missing value. Rejected: the valid token.',
    'Set the token where the endpoint reads it, and let the endpoint refuse to start without one.',
    refusals,
  ),
  'token/old-token': refusing(
    'The endpoint still uses the previous token.',
    'Accepted: the previous token. Rejected: the current one.',
    'Set the current token in the configuration of the endpoint and restart it.',
  ),
  'token/encoded': refusing(
    'The endpoint compares with another encoding of the token.',
    'Accepted: the token in base64, hex or with percent escapes, or the value that it decodes to.',
    'Compare the token as a plain string, without encoding or decoding it.',
  ),
  'token/hashed': refusing(
    'The endpoint compares the received token with a hash of the token.',
    'Accepted: the SHA-256 of the token in place of the token.',
    'Hash the received token too before you compare it with a stored hash.',
  ),
  'token/case-changed': refusing(
    'The endpoint changes the letter case of one side before it compares.',
    'Accepted: the token in lower or upper case. Rejected: the unchanged token.',
    'Do not change the letter case of the header or the token.',
  ),
  'token/cut-short': refusing(
    'The endpoint uses only a part of the token.',
    'Accepted: a part of the token. Rejected: the whole token.',
    'Find the place that truncates the token: a field that is too short, an unquoted # or $ in a settings file, or a split at a character within it.',
  ),
  'token/not-always-accepted': refusing(
    'The endpoint accepts the valid token only sometimes, for example because several instances have different tokens.',
    'The same event with the same token is sometimes accepted and sometimes rejected.',
    'Give every instance the same token, and restart the instances that still use another one.',
    'Some events are rejected with 401 or 403, while others are accepted.',
  ),
  'token/inverted': accepting(
    everyRequirement,
    'The endpoint rejects the valid token and accepts others: its comparison is inverted.',
    'Accepted: two other tokens. Rejected: the valid token.',
    'Invert the condition, and test it with a valid and an invalid token.',
    refusals,
  ),
  'token/another-token': refusing(
    'The endpoint most likely has a different token than the one that is sent.',
    'The valid token is rejected like any other, and so are all its known forms and places.',
    'Compare the length and the last characters of the token in the app with those in the settings of the running endpoint; look for white space at the end.',
  ),
  'token/header-lost': refusing(
    'The Authorization header most likely does not reach the code that checks it.',
    'An event with the valid token gets the same answer as one without a token, and the answer says that something is missing.',
    'Let the web server or proxy forward Authorization (Apache with CGI or FPM: CGIPassAuth On).',
  ),
  'token/gate-before-the-endpoint': refusing(
    'A server or proxy in front of the endpoint most likely requires a user name and password.',
    'The rejection asks for Basic or another scheme in WWW-Authenticate.',
    'Exempt this address from the password protection; the endpoint checks the token itself.',
  ),
  'token/not-checked': accepting(
    everyRefusal,
    'The endpoint does not check the token.',
    'Accepted: an event without Authorization, and one with another token.',
    compareAll,
  ),
  'token/optional': accepting(
    /^refuses-missing-token$/,
    'The endpoint checks the token only if there is one.',
    'Accepted: an event without Authorization. Rejected: a wrong token.',
    'Answer 401 if the Authorization header is missing.',
  ),
  'token/only-presence': accepting(
    /^refuses-(?!missing)/,
    'The endpoint only checks that the Authorization header is present.',
    'Accepted: any Authorization header, whatever its scheme. Rejected: an event without one.',
    compareAll,
  ),
  'token/only-scheme': accepting(
    /^refuses-(?!missing|other-scheme)/,
    'The endpoint only checks that a bearer token is present, not its value.',
    'Accepted: any bearer token. Rejected: other schemes and events without the header.',
    compareAll,
  ),
  'token/only-length': accepting(
    /^refuses-(?:wrong|differently-cased)-token$/,
    'The endpoint compares only the length of the token.',
    'Accepted: other tokens of the same length. Rejected: shorter and longer ones.',
    compareAll,
  ),
  'token/first-characters-compared': accepting(
    /^refuses-(?:prefixed|truncated)-token$/,
    'The endpoint compares only the beginning of the token.',
    'Accepted: tokens that begin like the valid one; halving finds how many characters are compared.',
    compareAll,
  ),
  'token/last-characters-compared': accepting(
    /^refuses-prefixed-token$/,
    'The endpoint compares only the end of the token.',
    'Accepted: tokens that end like the valid one; halving finds how many characters are compared.',
    compareAll,
  ),
  'token/contains-compared': accepting(
    /^refuses-prefixed-token$/,
    'The endpoint only checks that the header contains the token.',
    'Accepted: the valid token with one additional character before or after it.',
    compareAll,
  ),
  'token/part-suffices': accepting(
    /^refuses-truncated-token$/,
    'The endpoint accepts a part of the token in place of the whole token.',
    'Accepted: a token without its last character, and a much shorter part.',
    'Compare both strings completely; look for a comparison with its two sides swapped, or one that stops at the end of the shorter string.',
  ),
  'token/case-ignored': accepting(
    /^refuses-differently-cased-token$/,
    'The endpoint compares the token case-insensitively.',
    'Accepted: the token in the other letter case.',
    'Ignore the case only in the name of the scheme, never in the token.',
  ),
  'token/scheme-ignored': accepting(
    /^refuses-other-scheme$/,
    'The endpoint accepts the token under schemes other than Bearer.',
    'Accepted: the token alone, or after another word.',
    'Split the header into scheme and token, and require the scheme Bearer.',
  ),
  'token/refused-with-2xx': accepting(
    everyRefusal,
    'The endpoint rejects wrong tokens in the body of an answer whose status is 200.',
    'The answer to a wrong token has a 2xx status, and its body says that the token was rejected.',
    'Answer 401; the service treats any 2xx as accepted.',
  ),
  'token/refused-with-another-status': accepting(
    undefined,
    'The endpoint rejects wrong tokens with a status other than 401.',
    'Wrong tokens get a 3xx or 4xx status other than 401.',
    'Answer 401 to a missing or wrong token.',
    'Wrong tokens are rejected, but not with 401.',
  ),
  'token/locks-out': accepting(
    undefined,
    'The endpoint rejects the valid token after a few wrong ones.',
    'Accepted: the valid token at first. Rejected, three times: the valid token after some wrong ones.',
    'Judge every event by its own token. Remove the lock, or exempt events with the valid token from it: anyone can send you wrong ones.',
    'The connection worked, then every event was rejected, after some with a wrong token.',
  ),
  'token/wrong-token-breaks': accepting(
    undefined,
    'The endpoint fails on some wrong tokens instead of rejecting them.',
    'Accepted: the valid token. A wrong or missing token gets a 5xx status or no answer.',
    'Handle a missing, short or long header without an exception, and answer 401.',
    'Wrong tokens get a 5xx status, or the connection is dropped.',
  ),
} as const satisfies Record<`token/${string}`, Cause>;

export type TokenCauseId = keyof typeof tokenCauses;
