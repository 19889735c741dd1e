/** Why an entry of a recording is not judged. */
export type AsideReason =
  | { readonly kind: 'unreadable'; readonly why: string }
  /** Most likely the receiver is behind a gateway that has checked the credential already. */
  | { readonly kind: 'not-attributable' }
  | { readonly kind: 'other-websocket' }
  /** A request to an operation of API v1 at a host that nothing identifies as the service. */
  | { readonly kind: 'unproven-api'; readonly host: string }
  | { readonly kind: 'other-traffic' };

/** States why an entry is not judged. */
export function describeAside(reason: AsideReason): string {
  switch (reason.kind) {
    case 'unreadable':
      return reason.why;
    case 'not-attributable':
      return 'an event without a valid credential, at an address that is not in the config and received no valid one';
    case 'other-websocket':
      return 'a WebSocket that is not a call of the service';
    case 'unproven-api':
      return `like API v1, but nothing shows that ${reason.host} is the service; set service.publicUrl in the config`;
    case 'other-traffic':
      return 'not part of this interface';
  }
}
