import { readLayers } from './read-escapes.ts';

/** Shortest part of an encoding that is searched for by itself; shorter ones occur in ordinary text. */
const shortestPart = 8;

/** A secret as it may be written: in its own characters, or in those of an encoding. */
export interface SecretForms {
  plain: Set<string>;
  encoded: Set<string>;
}

/** The common forms of a secret: few enough as a whole to be searched for one by one. */
export function commonForms(secret: string): SecretForms {
  const bytes = Buffer.from(secret, 'utf8');
  return {
    plain: new Set([
      // Layer by layer, as strings are decoded: an apparent escape may be part of the secret itself.
      ...readLayers(secret).map(({ text }) => text),
      // Forms send a space as a plus sign.
      secret.replaceAll(' ', '+'),
      JSON.stringify(secret).slice(1, -1),
      encodeURIComponent(secret),
    ]),
    encoded: new Set([...base64Forms(bytes), bytes.toString('hex')]),
  };
}

/** All forms in which an endpoint may send a secret back, on purpose or through its tools. */
export function allForms(secret: string): SecretForms {
  const { plain, encoded } = commonForms(secret);
  const bytes = Buffer.from(secret, 'utf8');
  const wide = Buffer.from(secret, 'utf16le');
  const wideSwapped = Buffer.from(wide).swap16();
  const once = [...new Set([...base64Forms(bytes), bytes.toString('base64')])];
  return {
    plain: new Set([...plain, ...[...plain].map(reversed)]),
    encoded: new Set([
      ...encoded,
      ...once.flatMap((form) => base64Forms(Buffer.from(form))),
      ...base32Forms(bytes),
      ...[wide, wideSwapped].flatMap((one) => [...base64Forms(one), one.toString('hex')]),
    ]),
  };
}

/** Both alphabets of base64. */
function base64Forms(bytes: Buffer): string[] {
  return (['base64', 'base64url'] as const).flatMap((alphabet) =>
    alignedForms(bytes, { group: 3, bits: 6 }, (all) => all.toString(alphabet).replace(/=+$/, '')),
  );
}

function base32Forms(bytes: Buffer): string[] {
  return alignedForms(bytes, { group: 5, bits: 5 }, base32);
}

/**
 * An encoding of the bytes, and the part of it that stays the same within a longer input, where preceding bytes shift
 * them within a group; for a short secret that part is too short to be distinguished from ordinary text.
 */
function alignedForms(
  bytes: Buffer,
  { group, bits }: { group: number; bits: number },
  encode: (bytes: Buffer) => string,
): string[] {
  const shifted = Array.from({ length: group - 1 }, (_, at) => {
    const shift = at + 1;
    const text = encode(Buffer.concat([Buffer.alloc(shift), bytes]));
    return text.slice(Math.ceil((shift * 8) / bits), Math.floor(((shift + bytes.length) * 8) / bits));
  });
  return [encode(bytes), ...shifted.filter((form) => form.length >= shortestPart)];
}

/** RFC 4648, 6, without padding. */
function base32(bytes: Buffer): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');
  const groups = bits.match(/.{1,5}/g) ?? [];
  return groups.map((five) => 'abcdefghijklmnopqrstuvwxyz234567'.charAt(parseInt(five.padEnd(5, '0'), 2))).join('');
}

function reversed(text: string): string {
  return text.split('').reverse().join('');
}
