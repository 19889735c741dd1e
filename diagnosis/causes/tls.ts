import type { Cause } from '../cause.ts';

const all = ['own-ai-chat', 'own-ai-phone', 'crm-webhook', 'api-webhooks'] as const;
const section = 'Own-AI endpoints (the service calls the integrator)';

/** Causes about certificates and protocol versions. */
export const tlsCauses = {
  'tls/not-tls': {
    surfaces: all,
    symptom: 'Every delivery fails while the connection is secured; the error speaks of a wrong version number.',
    summary: 'The port does not speak TLS, and the address says https or wss.',
    detection: 'The port answers a TLS greeting with something that is not a TLS, or speaks plain HTTP.',
    remediation:
      'Let the server or a reverse proxy in front of it end TLS at this port, or enter the port that does (often 443).',
    section,
  },
  'tls/chain-incomplete': {
    surfaces: all,
    symptom: 'A browser shows the site without a warning, and deliveries fail: unable to verify the first certificate.',
    summary: 'The server sends its certificate without the intermediate certificate that ties it to a known authority.',
    detection:
      'The certificate was issued by a known authority, and the one between it and the root was not sent along.',
    remediation:
      'Configure the full chain: with nginx ssl_certificate takes fullchain.pem, not cert.pem; other servers have a field for intermediate certificates.',
    section,
  },
  'tls/self-signed': {
    surfaces: all,
    symptom: 'Every delivery fails while the connection is secured; a browser warns.',
    summary: 'The certificate is signed by itself, so nobody can trust it.',
    detection: 'The certificate that comes has itself as its issuer.',
    remediation: "Take a certificate from a public authority (Let's Encrypt costs nothing), or a tunnel that has one.",
    section,
  },
  'tls/unknown-authority': {
    surfaces: all,
    symptom: 'It works from machines of the company, and deliveries fail while the connection is secured.',
    summary: 'The certificate was issued by an authority that only your own machines know.',
    detection: 'The chain that comes ends at an authority that is not among the public ones.',
    remediation:
      'Use a certificate from a public authority for the address that the service calls. To check a test address with its own authority, set NODE_EXTRA_CA_CERTS to the file of the certificate of the authority.',
    section,
  },
  'tls/wrong-host': {
    surfaces: all,
    symptom: 'Every delivery fails while the connection is secured; the error speaks of a host that does not match.',
    summary: 'The certificate is for other host names than the one in the address.',
    detection: 'The certificate that comes for this name does not list it.',
    remediation:
      'Take a certificate that lists the host name of the address, or enter the name that the certificate has.',
    section,
  },
  'tls/expired': {
    surfaces: all,
    symptom: 'It worked until a certain day, and every delivery fails since.',
    summary: 'The certificate has expired.',
    detection: 'The end of its validity lies before now.',
    remediation: 'Renew the certificate, load it into the running server, and let the renewal run by itself.',
    section,
  },
  'tls/not-yet-valid': {
    surfaces: all,
    symptom: 'Every delivery fails since the certificate was changed.',
    summary: 'The certificate is not valid yet.',
    detection: 'The beginning of its validity lies after now.',
    remediation: 'Wait for its first day or take another one, and see whether the clock where it was made runs ahead.',
    section,
  },
  'tls/old-protocol': {
    surfaces: all,
    symptom: 'Every delivery fails while the connection is secured; old browsers still work.',
    summary: 'The server speaks only versions of TLS that clients have given up.',
    detection: 'It refuses TLS 1.2 and 1.3, and takes an older one.',
    remediation: 'Let the server offer TLS 1.2 and 1.3.',
    section,
  },
  'tls/client-certificate': {
    surfaces: all,
    symptom: 'Every delivery fails while the connection is secured, or is answered with 400 or 403 by the web server.',
    summary: 'The server requires a client certificate, and the service has none.',
    detection: 'The server ends the connection with the alert for a missing client certificate.',
    remediation:
      'Require no client certificate at this address; the signature or token proves where a delivery comes from.',
    section,
  },
  'tls/http2-only': {
    surfaces: all,
    symptom: 'Every delivery fails while the connection is secured, and a browser works.',
    summary: 'The server takes HTTP/2 only and refuses a client of HTTP/1.1.',
    detection: 'With HTTP/1.1 as the offered protocol the server refuses, and with none offered or h2 it goes on.',
    remediation: 'Let the server speak HTTP/1.1 beside HTTP/2; a WebSocket needs it.',
    section,
  },
  'tls/name-refused': {
    surfaces: all,
    symptom:
      'Every delivery fails while the connection is secured; the error speaks of an unrecognised name or a handshake failure.',
    summary: 'The server has no certificate for the host name of the address.',
    detection: 'It refuses with the alert for an unrecognised name.',
    remediation: 'Add the host name to the server or to the proxy in front of it, with a certificate for it.',
    section,
  },
  'tls/handshake-fails': {
    surfaces: all,
    symptom: 'Every delivery fails while the connection is secured.',
    summary: 'The server breaks off while the connection is being secured.',
    detection: 'The greeting is answered with a refusal or an end, and not with a certificate.',
    remediation:
      'Look into the error log of the server or proxy that ends TLS: it has no certificate or no cipher in common, or does not know the name.',
    section,
  },
} as const satisfies Record<`tls/${string}`, Cause>;
