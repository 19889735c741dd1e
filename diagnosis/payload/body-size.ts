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
 * Tests whether a plain event is refused once its body has this many bytes, padded with white space, which changes no
 * value. Narrows the limit down to the common ones.
 */
export async function bodySize(sender: EventSender, plain: JsonObject, bytes: number): Promise<TooLarge | undefined> {
  const isRefused = async (size: number) => {
    const { ok } = await sender.send(plain, {
      label: `a plain event in ${size} bytes`,
      write: (event) => padded(event, size),
    });
    return !ok;
  };
  if (!(await isRefused(bytes))) return undefined;
  const bounds = [...usualBounds.filter((bound) => bound < bytes), bytes];
  let [accepted, refused] = [-1, bounds.length - 1];
  while (refused - accepted > 1) {
    const middle = Math.floor((accepted + refused) / 2);
    if (await isRefused(bounds[middle] ?? bytes)) refused = middle;
    else accepted = middle;
  }
  const [most, tooLarge = bytes] = [bounds[accepted], bounds[refused]];
  const isExact = most !== undefined && (tooLarge === most + 1 || (await isRefused(most + 1)));
  const between = most === undefined ? `${tooLarge} bytes or fewer` : `a limit between ${most} and ${tooLarge} bytes`;
  const range = isExact ? `${most} bytes` : between;
  return {
    tooLarge,
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
