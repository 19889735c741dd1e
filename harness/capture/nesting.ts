import { parseJson } from '../json.ts';

/** Levels of arrays and objects: far more than the interface has, and few enough for all that walks through JSON. */
const mostLevels = 200;

/** Why JSON that is nested too deeply is not read. */
export const tooDeep = `JSON nested more than ${mostLevels} levels deep`;

/** Whether bytes are JSON that is nested too deeply to be judged. */
export function isTooDeep(bytes: Uint8Array): boolean {
  return hasMoreLevels(bytes) && 'value' in parseJson(bytes);
}

function hasMoreLevels(json: Uint8Array): boolean {
  let level = 0;
  let isText = false;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at];
    if (byte === quote) isText = !isText;
    else if (isText) at += Number(byte === backslash);
    else if (byte === bracket || byte === brace) level++;
    // Closing marks are two after their opening ones.
    else if (byte === bracket + 2 || byte === brace + 2) level--;
    if (level > mostLevels) return true;
  }
  return false;
}

const [quote, backslash, bracket, brace] = [0x22, 0x5c, 0x5b, 0x7b];
