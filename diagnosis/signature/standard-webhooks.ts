import { subject, type ContentReading } from './content-readings.ts';
import { encodingReadings } from './digest-readings.ts';
import type { HeaderReading } from './header-readings.ts';
import type { SignatureParts } from './signature-parts.ts';
import { keyReadings } from './key-readings.ts';
import type { Reading } from './reading.ts';

const ids = ['signature/standard-webhooks'] as const;
const content: ContentReading = { ids, weight: 0, parts: ({ id, t }) => [`${id}.${t}.`, subject] };
const write: HeaderReading['write'] = (_, v1) => `v1,${v1}`;

/** The schemes of the Svix and Standard Webhooks libraries, unchanged and with our header instead of theirs. */
export function standardWebhooks(secret: string): { parts: Partial<SignatureParts>; reading: Reading }[] {
  const key = keyReadings(secret).find((each) => each.ids[0] === 'signature/secret-base64-decoded');
  const encoding = encodingReadings.find((each) => each.ids[0] === 'signature/base64');
  if (!key || !encoding) return [];
  return [
    {
      parts: { key, content, encoding, header: { ids, weight: 0, otherName: true, write } },
      reading: { ids, weight: 9 },
    },
    {
      parts: { key, content, encoding, header: { ids, weight: 0, write } },
      reading: { ids, form: 'with X-Svc-Signature as the header', weight: 3 },
    },
  ];
}
