/** Content types that say that a body is JSON (RFC 8259, RFC 6839), with or without parameters. */
const jsonMediaType = /^application\/(?:json|[^/;\s]+\+json)\s*(?:;|$)/i;

/** Whether a Content-Type says that the body is JSON. */
export function isJsonMediaType(type: string | undefined): boolean {
  return type !== undefined && jsonMediaType.test(type.trim());
}
