import { refused, some } from './refused-signature.ts';

/** Causes of rejected signatures: the body that is signed. */
export const signatureBodyCauses = {
  'signature/body-compact': refused('deliveries', {
    symptom: some,
    summary: 'The endpoint computes the signature over the parsed and re-serialized body, without white space.',
    remediation:
      'Compute the signature over the raw bytes of the body as received, before any parser or filter: store them when the body is read.',
  }),
  'signature/body-spaced': refused('deliveries', {
    symptom: some,
    summary:
      'The endpoint computes the signature over the parsed and re-serialized body, with a space after commas and colons.',
    remediation:
      'Compute the signature over the raw bytes of the body as received, before any parser or filter: store them when the body is read.',
  }),
  'signature/body-indented': refused('deliveries', {
    symptom: some,
    summary: 'The endpoint computes the signature over the parsed and re-serialized body, with indentation.',
    remediation:
      'Compute the signature over the raw bytes of the body as received, before any parser or filter: store them when the body is read.',
  }),
  'signature/body-sorted': refused('deliveries', {
    symptom: some,
    summary: 'The endpoint sorts the fields of the body before it computes the signature.',
    remediation:
      'Compute the signature over the raw bytes of the body as received, before any parser or filter: store them when the body is read.',
  }),
  'signature/escapes-undone': refused('deliveries', {
    symptom: some,
    summary: 'The endpoint decodes escapes in the body before it computes the signature.',
    remediation:
      'Compute the signature over the raw bytes of the body as received, before any parser or filter: store them when the body is read.',
  }),
  'signature/non-ascii-escaped': refused('deliveries', {
    symptom: some,
    summary: 'The endpoint escapes non-ASCII characters in the body before it computes the signature.',
    remediation:
      'Compute the signature over the raw bytes of the body as received, before any parser or filter: store them when the body is read.',
  }),
  'signature/slashes-escaped': refused('deliveries', {
    symptom: some,
    summary: 'The endpoint escapes slashes in the body with a backslash before it computes the signature.',
    remediation:
      'Compute the signature over the raw bytes of the body as received, before any parser or filter: store them when the body is read.',
  }),
  'signature/html-escaped': refused('deliveries', {
    symptom: some,
    summary: 'The endpoint escapes <, > and & in the body before it computes the signature.',
    remediation:
      'Compute the signature over the raw bytes of the body as received, before any parser or filter: store them when the body is read.',
  }),
  'signature/numbers-rewritten': refused('deliveries', {
    symptom: some,
    summary: 'The endpoint writes the numbers of the body in another form before it computes the signature.',
    remediation:
      'Compute the signature over the raw bytes of the body as received, before any parser or filter: store them when the body is read.',
  }),
  'signature/body-with-bom': refused('deliveries', {
    summary: 'The endpoint adds a byte order mark to the body before it computes the signature.',
    remediation:
      'Compute the signature over the raw bytes of the body as received, before any parser or filter: store them when the body is read.',
  }),
  'signature/body-as-latin-1': refused('deliveries', {
    symptom: some,
    summary:
      'The endpoint decodes the body as Latin-1, which changes every non-ASCII character before it computes the signature.',
    remediation:
      'Read the body as bytes and compute the signature over them; where a string is needed, decode the body as UTF-8, not as Latin-1.',
  }),
  'signature/body-as-ascii': refused('deliveries', {
    symptom: some,
    summary:
      'The endpoint decodes the body as ASCII, which loses every non-ASCII character before it computes the signature.',
    remediation:
      'Read the body as bytes and compute the signature over them; where a string is needed, decode the body as UTF-8.',
  }),
  'signature/body-trimmed': refused('deliveries', {
    symptom: some,
    summary: 'The endpoint trims white space from the body before it computes the signature.',
    remediation:
      'Compute the signature over the raw bytes of the body as received, before any parser or filter: store them when the body is read.',
  }),
  'signature/newline-lost': refused('deliveries', {
    symptom: some,
    summary: 'The endpoint drops a line break at the end of the body before it computes the signature.',
    remediation:
      'Compute the signature over the raw bytes of the body as received, before any parser or filter: store them when the body is read.',
  }),
  'signature/newline-added': refused('deliveries', {
    summary: 'The endpoint adds a line break to the body before it computes the signature.',
    remediation:
      'Compute the signature over the raw bytes of the body as received, before any parser or filter: store them when the body is read.',
  }),
  'signature/line-ends-changed': refused('deliveries', {
    symptom: some,
    summary: 'The endpoint changes the line breaks of the body before it computes the signature.',
    remediation:
      'Compute the signature over the raw bytes of the body as received, before any parser or filter: store them when the body is read.',
  }),
  'signature/body-normalised': refused('deliveries', {
    symptom: some,
    summary: 'The endpoint converts the body to another Unicode normalization form before it computes the signature.',
    remediation:
      'Compute the signature over the raw bytes of the body as received, before any parser or filter: store them when the body is read.',
  }),
  'signature/body-empty': refused('deliveries', {
    summary:
      'The endpoint computes the signature over an empty body, usually because other code has already read the body.',
    remediation:
      'Store the raw bytes at the first read of the body, before any parser, and compute the signature over them.',
  }),
  'signature/body-quoted': refused('deliveries', {
    summary: 'The endpoint computes the signature over the body as a JSON string, in quotation marks and with escapes.',
    remediation:
      'Compute the signature over the raw bytes of the body as received, before any parser or filter: store them when the body is read.',
  }),
  'signature/body-object-as-text': refused('deliveries', {
    summary:
      'The endpoint computes the signature over the string that its language prints for an object or for bytes, instead of the body.',
    remediation:
      'Store the raw bytes when the body is read, before any parser, and compute the signature over them; do not convert a parsed object or a bytes object to a string.',
  }),
  'signature/body-as-form': refused('deliveries', {
    summary: 'The endpoint decodes or encodes the body as a form before it computes the signature.',
    remediation:
      'Compute the signature over the raw bytes of the body as received, before any parser or filter: store them when the body is read.',
  }),
} as const;
