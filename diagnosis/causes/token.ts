import type { Cause } from '../cause.ts';

const surfaces = ['crm-webhook'] as const;
const section = 'Authentication';
const snippet = 'check-token';
const refusals = 'Events are refused with 401 or 403, though URL and token were copied with care.';
const taken = 'Everything seems to work; events with a wrong token are accepted as well.';

/** A cause by which the right token is refused. */
function refusing(summary: string, detection: string, remediation: string, symptom = refusals) {
  return { surfaces, symptom, summary, detection, remediation, section, snippet } as const;
}

/** A cause by which wrong tokens are accepted. */
function accepting(summary: string, detection: string, remediation: string, symptom = taken) {
  return { surfaces, symptom, summary, detection, remediation, section, snippet } as const;
}

const compareAll =
  'Take what follows "Bearer " and compare all of it with the configured token in constant time; answer 401 otherwise.';

/** Causes about bearer tokens of the CRM webhook. */
export const tokenCauses = {
  'token/scheme-not-stripped': refusing(
    'The endpoint compares the whole Authorization header with the token, without taking "Bearer " off first.',
    'The token alone in Authorization is accepted, and "Bearer " with the token is refused.',
    'Take "Bearer " off the header before you compare, or compare with "Bearer " and the token.',
  ),
  'token/scheme-doubled': refusing(
    'The endpoint expects "Bearer " twice, since its configured token begins with it already.',
    'An event with "Bearer Bearer " before the token is accepted.',
    'Configure the token without "Bearer "; the word belongs to the header.',
  ),
  'token/scheme-in-lower-case': refusing(
    'The endpoint expects the scheme in lower case.',
    'An event with "bearer " before the token is accepted, and one with "Bearer " is refused.',
    'Compare the name of the scheme without regard to case; the service writes "Bearer".',
  ),
  'token/another-scheme': refusing(
    'The endpoint expects the token under another scheme than Bearer.',
    'The token is accepted under the other scheme, and refused under Bearer.',
    'Read the token from "Authorization: Bearer" as the service sends it.',
  ),
  'token/in-another-header': refusing(
    'The endpoint reads the token from another header than Authorization.',
    'Many headers carry the token in one event; which of them is read is found by halving.',
    'Read the token from the header Authorization, after "Bearer ".',
  ),
  'token/in-the-query': refusing(
    'The endpoint reads the token from its address.',
    'The token as a parameter of the query is accepted.',
    'Read the token from the header Authorization; an address is written into logs.',
  ),
  'token/in-the-body': refusing(
    'The endpoint reads the token from the body.',
    'The token as a field of the event is accepted.',
    'Read the token from the header Authorization; events carry no token.',
  ),
  'token/in-quotes': refusing(
    'The token that the endpoint holds has quotes around it.',
    'The token in quotes is accepted, and without them it is refused.',
    'Take the quotes off the configured value: in some files and in container settings they become part of it.',
  ),
  'token/white-space-kept': refusing(
    'The endpoint compares with white space before the token.',
    'An event with one more space between "Bearer" and the token is accepted.',
    'Trim the configured token, and take off the whole of "Bearer " with its space.',
  ),
  'token/placeholder-kept': refusing(
    'The token that the endpoint holds still has the brackets of a placeholder around it.',
    'The token in angle or curly brackets is accepted.',
    'Configure the token alone; the brackets in a manual only mark where it goes.',
  ),
  'token/not-configured': accepting(
    'The endpoint has no token: its setting is empty or is not read.',
    'The right token is refused, and the word that a program writes for a missing value is accepted.',
    'Set the token where the endpoint reads it, and let the endpoint refuse to start without one.',
    refusals,
  ),
  'token/old-token': refusing(
    'The endpoint still holds the token that was valid before.',
    'The earlier token is accepted, and the present one is refused.',
    'Put the present token into the settings of the endpoint and restart it.',
  ),
  'token/encoded': refusing(
    'The endpoint compares with another encoding of the token.',
    'The token in base64, hex or with percent escapes is accepted, or what it decodes to.',
    'Compare the token as the text that it is, without encoding or decoding it.',
  ),
  'token/hashed': refusing(
    'The endpoint compares what it receives with a hash of the token.',
    'The SHA-256 of the token is accepted in its place.',
    'Hash the received token too before you compare it with a stored hash.',
  ),
  'token/case-changed': refusing(
    'The endpoint changes the letter case of one side before it compares.',
    'The token in lower or upper case is accepted, and as it is it is refused.',
    'Leave the letter case of header and token as they are.',
  ),
  'token/cut-short': refusing(
    'The endpoint holds only a part of the token.',
    'A part of the token is accepted in its place, and all of it is refused.',
    'Look where the token is cut: a field that is too short, a # or $ in a settings file without quotes, or splitting at a sign within it.',
  ),
  'token/not-always-accepted': refusing(
    'The endpoint accepts the right token only at times, as when several instances hold different tokens.',
    'The same event with the same token is accepted and refused by turns.',
    'Give every instance the same token, and restart those that were omitted.',
    'Some events are refused with 401 or 403, others come through.',
  ),
  'token/inverted': accepting(
    'The endpoint refuses the right token and accepts others: its comparison is the wrong way round.',
    'Two other tokens are accepted, and the right one is refused.',
    'Turn the condition round, and test it with a right and a wrong token.',
    refusals,
  ),
  'token/another-token': refusing(
    'The endpoint most likely holds another token than the one that is sent.',
    'The right token is refused like any other, and none of the known forms and places of it is accepted.',
    'Compare the lengths and the last characters of the token in the app and in the settings of the running endpoint; look for white space at the end.',
  ),
  'token/header-lost': refusing(
    'The header Authorization most likely does not get as far as the code that checks it.',
    'An event with the right token is answered like one without any, in words that say that something is missing.',
    'Let the web server or proxy pass Authorization on (Apache with CGI or FPM: CGIPassAuth On).',
  ),
  'token/gate-before-the-endpoint': refusing(
    'Something before the endpoint most likely asks for a user name and password.',
    'The refusal asks for Basic or another scheme in WWW-Authenticate.',
    'Let requests to this address through the gate; the endpoint checks the token by itself.',
  ),
  'token/not-checked': accepting(
    'The endpoint does not check the token.',
    'An event without Authorization is accepted, and one with another token too.',
    compareAll,
  ),
  'token/optional': accepting(
    'The endpoint checks the token only when there is one.',
    'A wrong token is refused, and an event without Authorization is accepted.',
    'Answer 401 when the header Authorization is missing.',
  ),
  'token/only-presence': accepting(
    'The endpoint only looks whether there is an Authorization header.',
    'Any Authorization header is accepted, whatever its scheme, and an event without one is refused.',
    compareAll,
  ),
  'token/only-scheme': accepting(
    'The endpoint only looks whether there is a bearer token, not which.',
    'Any bearer token is accepted; other schemes and events without one are refused.',
    compareAll,
  ),
  'token/only-length': accepting(
    'The endpoint compares only the length of the token.',
    'Other tokens of the same length are accepted; shorter and longer ones are refused.',
    compareAll,
  ),
  'token/first-characters-compared': accepting(
    'The endpoint compares only the beginning of the token.',
    'Tokens that begin like the right one are accepted; how many characters count is found by halving.',
    compareAll,
  ),
  'token/last-characters-compared': accepting(
    'The endpoint compares only the end of the token.',
    'Tokens that end like the right one are accepted; how many characters count is found by halving.',
    compareAll,
  ),
  'token/contains-compared': accepting(
    'The endpoint only looks whether the token occurs somewhere in the header.',
    'The right token with one character more before it or after it is accepted.',
    compareAll,
  ),
  'token/part-suffices': accepting(
    'The endpoint accepts a part of the token in place of all of it.',
    'A token that lacks its last character is accepted, and so is a much shorter piece.',
    'Compare both texts as wholes; look for a comparison with its two sides swapped, as far as the shorter one goes.',
  ),
  'token/case-ignored': accepting(
    'The endpoint compares the token without regard to letter case.',
    'The token in the other letter case is accepted.',
    'Ignore case only in the name of the scheme, never in the token.',
  ),
  'token/scheme-ignored': accepting(
    'The endpoint accepts the token under other schemes than Bearer.',
    'The token alone, or after another word, is accepted.',
    'Split the header into scheme and token, and require the scheme Bearer.',
  ),
  'token/refused-with-2xx': accepting(
    'The endpoint refuses wrong tokens in the body of an answer whose status is 200.',
    'The answer to a wrong token has a 2xx status, and its body says that the token was refused.',
    'Answer 401; the service takes any 2xx as accepted.',
  ),
  'token/refused-with-another-status': accepting(
    'The endpoint refuses wrong tokens with another status than 401.',
    'Wrong tokens get a status of the 300s or 400s that is not 401.',
    'Answer 401 on a missing or wrong token.',
    'Wrong tokens are refused, but not with 401.',
  ),
  'token/locks-out': accepting(
    'After a few wrong tokens the endpoint refuses the right one as well.',
    'The right token is accepted first, and refused three times after wrong ones were sent.',
    'Judge every event by its own token. Take away the lock, or exempt events with the right token from it: anybody can send you wrong ones.',
    'The connection worked, then every event was refused, after some with a wrong token.',
  ),
  'token/wrong-token-breaks': accepting(
    'The check of the token breaks on some wrong tokens.',
    'A wrong or missing token gets a 5xx status or no answer, where the right one is accepted.',
    'Read the header with care for the cases in which it is missing, short or long, and answer 401.',
    'Wrong tokens get a status of the 500s, or the connection is dropped.',
  ),
} as const satisfies Record<`token/${string}`, Cause>;

export type TokenCauseId = keyof typeof tokenCauses;
