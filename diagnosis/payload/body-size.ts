import type { Found } from '../outcome.ts';
import type { EventSender } from './event-sender.ts';
import type { JsonObject } from '../../specs/json-value.ts';

/** Default limits of body parsers and proxies, in bytes. */
const usualBounds = [
  256, 512, 1_000, 1_024, 2_048, 4_096, 8_192, 16_384, 32_768, 64_000, 65_536, 100_000, 102_400, 131_072,
];
/** Smallest body, in bytes, whose size can be the cause. */
export const largeBytes = 8_192;

/** A limit of the size of bodies. */
export interface TooLarge {
  cause: Found;
  /** The smallest number of bytes that is known to be refused. */
  tooLarge: number;
}

/**
 * Tests whether a plain event, which has to be accepted, is refused once its body has this many bytes, padded with white
 * space, which changes no value. Narrows the limit down to the common ones.
 */
export async function bodySize(sender: EventSender, plain: JsonObject, bytes: number): Promise<TooLarge | undefined> {
  let ownBytes = 0;
  const write = (event: unknown) => {
    const text = JSON.stringify(event);
    ownBytes = Buffer.byteLength(text);
    return text;
  };
  if (!(await sender.send(plain, { label: 'a plain event without padding', write })).ok) return undefined;
  const isRefused = async (size: number) => {
    const { ok } = await sender.send(plain, {
      label: `a plain event in ${size} bytes`,
      write: (event) => padded(event, size),
    });
    return !ok;
  };
  if (ownBytes >= bytes || !(await isRefused(bytes))) return undefined;
  const bounds = [ownBytes, ...usualBounds.filter((bound) => bound > ownBytes && bound < bytes), bytes];
  let [accepted, refused] = [0, bounds.length - 1];
  while (refused - accepted > 1) {
    const middle = Math.floor((accepted + refused) / 2);
    if (await isRefused(bounds[middle] ?? bytes)) refused = middle;
    else accepted = middle;
  }
  const [most = ownBytes, tooLarge = bytes] = [bounds[accepted], bounds[refused]];
  const isExact = tooLarge === most + 1 || (await isRefused(most + 1));
  const range = isExact ? `${most} bytes` : `a limit between ${most} and ${tooLarge} bytes`;
  return {
    tooLarge: isExact ? most + 1 : tooLarge,
    cause: {
      id: 'payload/large-body',
      summary: `The event fails when its body is larger than ${range}, regardless of its content.`,
    },
  };
}

/** The same event padded to exactly this many bytes with spaces after the first brace. */
function padded(event: unknown, bytes: number): string {
  const text = JSON.stringify(event);
  const missing = Math.max(0, bytes - Buffer.byteLength(text));
  return `{${' '.repeat(missing)}${text.slice(1)}`;
}
