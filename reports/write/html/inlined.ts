import { createHash } from 'node:crypto';
import { Markup } from './markup.ts';

/** Our own style or script as part of a page. The policy of the page allows it by its {@link integrity}. */
export function inlined(tag: 'style' | 'script', text: string): Markup {
  // The policy's hash covers every byte between the tags, so no whitespace may be added.
  return new Markup(`<${tag}>${text}</${tag}>`);
}

/** The hash of a style or script for a Content-Security-Policy, without quotation marks. */
export function integrity(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
