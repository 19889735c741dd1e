import { createHmac } from 'node:crypto';
import type { CauseEntry } from '../../model/cause-entries.ts';
import { html } from './markup.ts';
import type { Markup } from './markup.ts';

/** A secret for the example alone. */
const secret = 'whsec_throw_away_secret_for_this_example';
const t = '1791712800';
/** White space and a non-ASCII letter, so that a signature over another serialisation or encoding differs. */
const body = '{ "id": "evt_1", "text": "Grüße" }';
const callId = 'call-1';

/** A signed message with a throw-away secret, to check an implementation; `undefined` unless a signature is the subject. */
export function signatureVector(entry: CauseEntry): Markup | undefined {
  if (!isAboutSignature(entry)) return undefined;
  const isCall = entry.surface === 'own-ai-phone';
  const payload = isCall ? callId : body;
  const v1 = createHmac('sha256', secret).update(`${t}.${payload}`).digest('hex');
  const row = (name: string, value: string) =>
    html`<div>
      <dt>${name}</dt>
      <dd class="command"><code>${value}</code></dd>
    </div>`;
  return html`<details class="samples">
    <summary>Test vector for the signature</summary>
    <p class="quiet">
      HMAC-SHA256 over t, a full stop and the ${isCall ? 'call id' : `raw body (${Buffer.byteLength(body)} bytes)`}. Set
      the clock of the test to t.
    </p>
    <dl class="advice-list">
      ${row('Secret', secret)} ${row(isCall ? 'Call id' : 'Raw body', payload)} ${row('Signature', `t=${t},v1=${v1}`)}
    </dl>
  </details>`;
}

const signedRequirement = /\/(?:accepts|refuses)-[a-z0-9-]*(?:signature|timestamp|body|secret|wire-form)/;

function isAboutSignature({ cause, lead, surface }: CauseEntry): boolean {
  if (surface === 'crm-webhook') return false;
  return cause ? cause.id.startsWith('signature/') : signedRequirement.test(lead.finding.requirement.id);
}
