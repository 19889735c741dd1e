import { refused, some } from './refused-signature.ts';

/** Causes about the body that is signed. */
export const signatureBodyCauses = {
  'signature/body-compact': refused('deliveries', {
    symptom: some,
    summary: 'The endpoint parses the body, writes it again without white space, and signs that.',
    remediation:
      'Sign the raw bytes of the body as they came, before any parser or filter: keep them aside when the body is read.',
  }),
  'signature/body-spaced': refused('deliveries', {
    symptom: some,
    summary: 'The endpoint parses the body, writes it again with a space after commas and colons, and signs that.',
    remediation:
      'Sign the raw bytes of the body as they came, before any parser or filter: keep them aside when the body is read.',
  }),
  'signature/body-indented': refused('deliveries', {
    symptom: some,
    summary: 'The endpoint parses the body, writes it again with indentation, and signs that.',
    remediation:
      'Sign the raw bytes of the body as they came, before any parser or filter: keep them aside when the body is read.',
  }),
  'signature/body-sorted': refused('deliveries', {
    symptom: some,
    summary: 'The endpoint sorts the fields of the body before it signs.',
    remediation:
      'Sign the raw bytes of the body as they came, before any parser or filter: keep them aside when the body is read.',
  }),
  'signature/escapes-undone': refused('deliveries', {
    symptom: some,
    summary: 'The endpoint undoes escapes in the body before it signs.',
    remediation:
      'Sign the raw bytes of the body as they came, before any parser or filter: keep them aside when the body is read.',
  }),
  'signature/non-ascii-escaped': refused('deliveries', {
    symptom: some,
    summary: 'The endpoint writes characters beyond ASCII as escapes before it signs.',
    remediation:
      'Sign the raw bytes of the body as they came, before any parser or filter: keep them aside when the body is read.',
  }),
  'signature/slashes-escaped': refused('deliveries', {
    symptom: some,
    summary: 'The endpoint writes slashes with a backslash before it signs.',
    remediation:
      'Sign the raw bytes of the body as they came, before any parser or filter: keep them aside when the body is read.',
  }),
  'signature/html-escaped': refused('deliveries', {
    symptom: some,
    summary: 'The endpoint writes <, > and & as escapes before it signs.',
    remediation:
      'Sign the raw bytes of the body as they came, before any parser or filter: keep them aside when the body is read.',
  }),
  'signature/numbers-rewritten': refused('deliveries', {
    symptom: some,
    summary: 'The endpoint writes the numbers of the body in another form before it signs.',
    remediation:
      'Sign the raw bytes of the body as they came, before any parser or filter: keep them aside when the body is read.',
  }),
  'signature/body-with-bom': refused('deliveries', {
    summary: 'The endpoint puts a byte order mark before the body that it signs.',
    remediation:
      'Sign the raw bytes of the body as they came, before any parser or filter: keep them aside when the body is read.',
  }),
  'signature/body-as-latin-1': refused('deliveries', {
    symptom: some,
    summary:
      'The endpoint takes the body for Latin-1 text, so every character beyond ASCII becomes another before it signs.',
    remediation:
      'Read the body as bytes and sign the bytes; where text is needed, decode it as UTF-8 and not as Latin-1.',
  }),
  'signature/body-as-ascii': refused('deliveries', {
    symptom: some,
    summary: 'The endpoint takes the body for ASCII text, so every character beyond ASCII is lost before it signs.',
    remediation: 'Read the body as bytes and sign the bytes; where text is needed, decode it as UTF-8.',
  }),
  'signature/body-trimmed': refused('deliveries', {
    symptom: some,
    summary: 'The endpoint trims white space from the body before it signs.',
    remediation:
      'Sign the raw bytes of the body as they came, before any parser or filter: keep them aside when the body is read.',
  }),
  'signature/newline-lost': refused('deliveries', {
    symptom: some,
    summary: 'The endpoint loses a line break at the end of the body before it signs.',
    remediation:
      'Sign the raw bytes of the body as they came, before any parser or filter: keep them aside when the body is read.',
  }),
  'signature/newline-added': refused('deliveries', {
    summary: 'The endpoint adds a line break to the body before it signs.',
    remediation:
      'Sign the raw bytes of the body as they came, before any parser or filter: keep them aside when the body is read.',
  }),
  'signature/line-ends-changed': refused('deliveries', {
    symptom: some,
    summary: 'The endpoint changes the line ends of the body before it signs.',
    remediation:
      'Sign the raw bytes of the body as they came, before any parser or filter: keep them aside when the body is read.',
  }),
  'signature/body-normalised': refused('deliveries', {
    symptom: some,
    summary: 'The endpoint brings the characters of the body into another Unicode form before it signs.',
    remediation:
      'Sign the raw bytes of the body as they came, before any parser or filter: keep them aside when the body is read.',
  }),
  'signature/body-empty': refused('deliveries', {
    summary: 'The endpoint signs an empty body: most often something has read the body before.',
    remediation: 'Keep the raw bytes when the body is read first, before any parser, and sign those.',
  }),
  'signature/body-quoted': refused('deliveries', {
    summary: 'The endpoint signs the body as a JSON string, with quotation marks around it and escapes in it.',
    remediation:
      'Sign the raw bytes of the body as they came, before any parser or filter: keep them aside when the body is read.',
  }),
  'signature/body-object-as-text': refused('deliveries', {
    summary: 'The endpoint signs what its language writes for an object or for bytes, and not the body.',
    remediation:
      'Keep the raw bytes when the body is read, before any parser, and sign those; do not put a parsed object or a bytes object into a text.',
  }),
  'signature/body-as-form': refused('deliveries', {
    summary: 'The endpoint reads the body as a form, or encodes it like one, before it signs.',
    remediation:
      'Sign the raw bytes of the body as they came, before any parser or filter: keep them aside when the body is read.',
  }),
} as const;
