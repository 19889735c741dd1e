import type { Received, Steps } from './verifier.ts';
import type { Manner } from './receiver.ts';

export type SignedSurface = 'own-ai-chat' | 'own-ai-phone' | 'api-webhooks';

export const signedSurfaces: readonly SignedSurface[] = ['own-ai-chat', 'own-ai-phone', 'api-webhooks'];

/** An endpoint with one mistake, or two, or none, in how it verifies. */
export interface Scheme {
  /** The causes that it has, without `signature/`. None: nothing may be named. */
  ids: readonly string[];
  /** Which form of the mistake, where there are several. */
  form?: string;
  /** Other causes, without `signature/`, that describe the same endpoint as well. */
  or?: readonly string[];
  /** Whether it accepts a valid signature depends on the fraction of a second in which that arrives. */
  byChance?: true;
  /** Default: all three. */
  surfaces?: readonly SignedSurface[];
  /** How it verifies, or everything that it does otherwise. */
  steps?: Partial<Steps>;
  /** In place of steps. */
  accepts?: () => (request: Received, secret: string) => boolean;
  manner?: Manner;
  /** What it answers with a 200; default: as the surface wants it. */
  taken?: string;
  /** The secret on both sides; default: a usual one. */
  secret?: string;
  /** The secret that the tool is given, if the two differ. */
  told?: string;
  /** The previous secret that the tool is given. */
  old?: string;
}

/** What a scheme is called in tables. */
export function schemeName({ ids, form }: Scheme): string {
  return [ids.length === 0 ? 'none' : ids.join('+'), ...(form === undefined ? [] : [form])].join(', ');
}
