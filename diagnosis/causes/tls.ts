import type { Cause } from '../cause.ts';
import { endpointSurfaces } from '../../specs/surfaces.ts';

const section = 'Own-AI endpoints (the service calls the integrator)';

/** Causes in certificates and TLS versions. */
export const tlsCauses = {
  'tls/not-tls': {
    surfaces: endpointSurfaces,
    symptom: 'Every delivery fails during the TLS handshake, and the error mentions a wrong version number.',
    summary: 'The port does not speak TLS, although the scheme of the address is https or wss.',
    detection: 'The port answers a TLS ClientHello with bytes that are not TLS, or speaks plain HTTP.',
    remediation:
      'Terminate TLS at this port, in the server or in a reverse proxy in front of it, or enter the port that speaks TLS (often 443).',
    section,
  },
  'tls/chain-incomplete': {
    surfaces: endpointSurfaces,
    symptom: 'Browsers show the site without a warning, but deliveries fail: unable to verify the first certificate.',
    summary:
      'The server sends its certificate without the intermediate certificate that links it to a known authority.',
    detection:
      'A known authority issued the certificate, but the server does not send the intermediate certificate between it and the root.',
    remediation:
      'Configure the full chain: in nginx, ssl_certificate takes fullchain.pem, not cert.pem; other servers have a field for intermediate certificates.',
    section,
  },
  'tls/self-signed': {
    surfaces: endpointSurfaces,
    symptom: 'Every delivery fails during the TLS handshake, and browsers show a warning.',
    summary: 'The certificate is self-signed, so no client can trust it.',
    detection: 'The certificate that the server sends names itself as its issuer.',
    remediation: "Use a certificate from a public authority (Let's Encrypt is free), or a tunnel that has one.",
    section,
  },
  'tls/unknown-authority': {
    surfaces: endpointSurfaces,
    symptom: 'The endpoint works from machines of the company, but deliveries fail during the TLS handshake.',
    summary: 'The certificate was issued by an authority that only your own machines trust.',
    detection: 'The certificate chain ends at an authority that is not one of the public ones.',
    remediation:
      'Use a certificate from a public authority for the address that the service calls. To check a test address with its own authority, give the file with the certificate of that authority: "tls": { "ca": "ca.pem" } in the config, or NODE_EXTRA_CA_CERTS=ca.pem.',
    section,
  },
  'tls/wrong-host': {
    surfaces: endpointSurfaces,
    symptom: 'Every delivery fails during the TLS handshake, and the error says that the host does not match.',
    summary: 'The certificate was issued for other host names than the one in the address.',
    detection: 'The certificate that the server sends for this name does not list the name.',
    remediation:
      'Use a certificate that lists the host name of the address, or enter a host name that the certificate lists.',
    section,
  },
  'tls/expired': {
    surfaces: endpointSurfaces,
    symptom: 'Deliveries worked until a certain day, and every delivery has failed since then.',
    summary: 'The certificate has expired.',
    detection: 'The end of its validity is in the past.',
    remediation: 'Renew the certificate, load it into the running server, and automate the renewal.',
    section,
  },
  'tls/not-yet-valid': {
    surfaces: endpointSurfaces,
    symptom: 'Every delivery has failed since the certificate was replaced.',
    summary: 'The certificate is not valid yet.',
    detection: 'The start of its validity is in the future.',
    remediation:
      'Wait for the first day of its validity or use another certificate, and check whether the clock of the machine that issued it is ahead.',
    section,
  },
  'tls/old-protocol': {
    surfaces: endpointSurfaces,
    symptom: 'Every delivery fails during the TLS handshake, while old browsers still work.',
    summary: 'The server supports only TLS versions that clients no longer accept.',
    detection: 'The server rejects TLS 1.2 and 1.3 and accepts an older version.',
    remediation: 'Enable TLS 1.2 and 1.3 on the server.',
    section,
  },
  'tls/client-certificate': {
    surfaces: endpointSurfaces,
    symptom: 'Every delivery fails during the TLS handshake, or the web server answers it with 400 or 403.',
    summary: 'The server requires a client certificate, which the service does not have.',
    detection: 'The server ends the connection with the TLS alert for a missing or rejected client certificate.',
    remediation:
      'Do not require a client certificate at this address; the signature or token proves where a delivery comes from. To check a test environment that requires one, give its files in the config: "tls": { "cert": "client.pem", "key": "client.key" }.',
    section,
  },
  'tls/http2-only': {
    surfaces: endpointSurfaces,
    symptom: 'Every delivery fails during the TLS handshake, while browsers work.',
    summary: 'The server accepts only HTTP/2 and rejects clients that speak HTTP/1.1.',
    detection: 'Rejected: a handshake that offers HTTP/1.1. Accepted: a handshake that offers no protocol or h2.',
    remediation: 'Enable HTTP/1.1 in addition to HTTP/2 on the server; WebSocket requires it.',
    section,
  },
  'tls/name-refused': {
    surfaces: endpointSurfaces,
    symptom:
      'Every delivery fails during the TLS handshake, and the error mentions an unrecognized name or a handshake failure.',
    summary: 'The server has no certificate for the host name of the address.',
    detection: 'The server rejects the handshake with the alert for an unrecognized name.',
    remediation: 'Add the host name and a certificate for it to the server or to the proxy in front of it.',
    section,
  },
  'tls/handshake-fails': {
    surfaces: endpointSurfaces,
    symptom: 'Every delivery fails during the TLS handshake.',
    summary: 'The server aborts the TLS handshake.',
    detection:
      'The server answers the ClientHello with an alert or closes the connection instead of sending a certificate.',
    remediation:
      'Read the error log of the server or proxy that terminates TLS: it has no certificate, has no cipher in common with the client, or does not know the name.',
    section,
  },
} as const satisfies Record<`tls/${string}`, Cause>;
