import { refusedSignature, rejectsSomeDeliveries } from './refused-signature.ts';

/** Causes of rejected signatures: the body that is signed. */
export const signatureBodyCauses = {
  'signature/body-compact': refusedSignature('deliveries', {
    symptom: rejectsSomeDeliveries,
    summary: 'The endpoint computes the signature over the parsed and re-serialised body, without white space.',
    remediation:
      'Compute the signature over the raw bytes of the body as received, before any parser or filter: store them when the body is read.',
  }),
  'signature/body-spaced': refusedSignature('deliveries', {
    symptom: rejectsSomeDeliveries,
    summary:
      'The endpoint computes the signature over the parsed and re-serialised body, with a space after commas and colons.',
    remediation:
      'Compute the signature over the raw bytes of the body as received, before any parser or filter: store them when the body is read.',
  }),
  'signature/body-indented': refusedSignature('deliveries', {
    symptom: rejectsSomeDeliveries,
    summary: 'The endpoint computes the signature over the parsed and re-serialised body, with indentation.',
    remediation:
      'Compute the signature over the raw bytes of the body as received, before any parser or filter: store them when the body is read.',
  }),
  'signature/body-sorted': refusedSignature('deliveries', {
    symptom: rejectsSomeDeliveries,
    summary: 'The endpoint sorts the fields of the body before it computes the signature.',
    remediation:
      'Compute the signature over the raw bytes of the body as received, before any parser or filter: store them when the body is read.',
  }),
  'signature/fields-reordered': refusedSignature('deliveries', {
    symptom: rejectsSomeDeliveries,
    summary:
      'The endpoint reads the body into a typed model and computes the signature over what the model writes: fields in another order, unknown ones often dropped.',
    remediation:
      'Compute the signature over the raw bytes of the body as received, before any parser or filter: store them when the body is read.',
  }),
  'signature/body-base64': refusedSignature('deliveries', {
    summary: 'The endpoint computes the signature over the base64 of the body.',
    remediation:
      'Decode the body if your platform passes it in base64 (isBase64Encoded on AWS), and compute the signature over the decoded bytes.',
  }),
  'signature/one-field-signed': refusedSignature('deliveries', {
    summary: 'The endpoint computes the signature over one field of the body.',
    remediation:
      'Compute the signature over the raw bytes of the body as received, before any parser or filter: store them when the body is read.',
  }),
  'signature/escapes-undone': refusedSignature('deliveries', {
    symptom: rejectsSomeDeliveries,
    summary: 'The endpoint decodes escapes in the body before it computes the signature.',
    remediation:
      'Compute the signature over the raw bytes of the body as received, before any parser or filter: store them when the body is read.',
  }),
  'signature/non-ascii-escaped': refusedSignature('deliveries', {
    symptom: rejectsSomeDeliveries,
    summary: 'The endpoint escapes non-ASCII characters in the body before it computes the signature.',
    remediation:
      'Compute the signature over the raw bytes of the body as received, before any parser or filter: store them when the body is read.',
  }),
  'signature/slashes-escaped': refusedSignature('deliveries', {
    symptom: rejectsSomeDeliveries,
    summary: 'The endpoint escapes slashes in the body with a backslash before it computes the signature.',
    remediation:
      'Compute the signature over the raw bytes of the body as received, before any parser or filter: store them when the body is read.',
  }),
  'signature/html-escaped': refusedSignature('deliveries', {
    symptom: rejectsSomeDeliveries,
    summary: 'The endpoint escapes <, > and & in the body before it computes the signature.',
    remediation:
      'Compute the signature over the raw bytes of the body as received, before any parser or filter: store them when the body is read.',
  }),
  'signature/numbers-rewritten': refusedSignature('deliveries', {
    symptom: rejectsSomeDeliveries,
    summary: 'The endpoint writes the numbers of the body in another form before it computes the signature.',
    remediation:
      'Compute the signature over the raw bytes of the body as received, before any parser or filter: store them when the body is read.',
  }),
  'signature/body-with-bom': refusedSignature('deliveries', {
    summary: 'The endpoint adds a byte order mark to the body before it computes the signature.',
    remediation:
      'Compute the signature over the raw bytes of the body as received, before any parser or filter: store them when the body is read.',
  }),
  'signature/body-as-latin-1': refusedSignature('deliveries', {
    symptom: rejectsSomeDeliveries,
    summary:
      'The endpoint decodes the body as Latin-1, which changes every non-ASCII character before it computes the signature.',
    remediation:
      'Read the body as bytes and compute the signature over them; where a string is needed, decode the body as UTF-8, not as Latin-1.',
  }),
  'signature/body-as-ascii': refusedSignature('deliveries', {
    symptom: rejectsSomeDeliveries,
    summary:
      'The endpoint decodes the body as ASCII, which loses every non-ASCII character before it computes the signature.',
    remediation:
      'Read the body as bytes and compute the signature over them; where a string is needed, decode the body as UTF-8.',
  }),
  'signature/body-trimmed': refusedSignature('deliveries', {
    symptom: rejectsSomeDeliveries,
    summary: 'The endpoint trims white space from the body before it computes the signature.',
    remediation:
      'Compute the signature over the raw bytes of the body as received, before any parser or filter: store them when the body is read.',
  }),
  'signature/newline-lost': refusedSignature('deliveries', {
    symptom: rejectsSomeDeliveries,
    summary: 'The endpoint drops a line break at the end of the body before it computes the signature.',
    remediation:
      'Compute the signature over the raw bytes of the body as received, before any parser or filter: store them when the body is read.',
  }),
  'signature/newline-added': refusedSignature('deliveries', {
    summary: 'The endpoint adds a line break to the body before it computes the signature.',
    remediation:
      'Compute the signature over the raw bytes of the body as received, before any parser or filter: store them when the body is read.',
  }),
  'signature/line-ends-changed': refusedSignature('deliveries', {
    symptom: rejectsSomeDeliveries,
    summary: 'The endpoint changes the line breaks of the body before it computes the signature.',
    remediation:
      'Compute the signature over the raw bytes of the body as received, before any parser or filter: store them when the body is read.',
  }),
  'signature/body-normalised': refusedSignature('deliveries', {
    symptom: rejectsSomeDeliveries,
    summary: 'The endpoint converts the body to another Unicode normalisation form before it computes the signature.',
    remediation:
      'Compute the signature over the raw bytes of the body as received, before any parser or filter: store them when the body is read.',
  }),
  'signature/body-empty': refusedSignature('deliveries', {
    summary:
      'The endpoint computes the signature over an empty body, usually because other code has already read the body.',
    remediation:
      'Store the raw bytes at the first read of the body, before any parser, and compute the signature over them.',
  }),
  'signature/body-quoted': refusedSignature('deliveries', {
    summary: 'The endpoint computes the signature over the body as a JSON string, in quotation marks and with escapes.',
    remediation:
      'Compute the signature over the raw bytes of the body as received, before any parser or filter: store them when the body is read.',
  }),
  'signature/body-object-as-text': refusedSignature('deliveries', {
    summary:
      'The endpoint computes the signature over the string that its language prints for an object or for bytes, instead of the body.',
    remediation:
      'Store the raw bytes when the body is read, before any parser, and compute the signature over them; do not convert a parsed object or a bytes object to a string.',
  }),
  'signature/body-as-form': refusedSignature('deliveries', {
    summary: 'The endpoint decodes or encodes the body as a form before it computes the signature.',
    remediation:
      'Compute the signature over the raw bytes of the body as received, before any parser or filter: store them when the body is read.',
  }),
} as const;
