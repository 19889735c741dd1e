import { createHmac } from 'node:crypto';
import { request } from 'node:http';

export interface Answer {
  status: number;
  type: string;
  body: string;
  ms: number;
}

/** One POST request with these headers, in order, repeated as often as given. */
export function deliver(
  url: string,
  body: string | Buffer,
  headers: readonly [string, string][] = [],
): Promise<Answer> {
  const begun = performance.now();
  return new Promise((resolve, reject) => {
    const bytes = Buffer.from(body);
    const raw = [
      ['Host', new URL(url).host],
      ['Content-Type', 'application/json'],
      ['Content-Length', String(bytes.length)],
      ...headers,
    ];
    const sent = request(url, { method: 'POST', headers: raw.flat(), agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          type: response.headers['content-type'] ?? '',
          body: Buffer.concat(chunks).toString('utf8'),
          ms: performance.now() - begun,
        }),
      );
    });
    sent.on('error', reject);
    sent.end(bytes);
  });
}

const nowSeconds = () => Math.floor(Date.now() / 1000);

/** The signature header of the interface over these bytes, with a time offset in seconds. */
export function signature(secret: string, payload: string | Buffer, { off = 0 } = {}): string {
  const t = nowSeconds() + off;
  const v1 = createHmac('sha256', secret).update(`${t}.`).update(payload).digest('hex');
  return `t=${t},v1=${v1}`;
}

/** Invalid headers, forged, too old or damaged; none of them may be accepted. */
export function wrongSignatures(secret: string, payload: string | Buffer): Record<string, string[]> {
  const right = signature(secret, payload);
  const [t = '', v1 = ''] = right.split(',');
  return {
    'no header': [],
    'an empty header': [''],
    rubbish: ['===,,, t=t=v1=,'],
    'bytes that are no ASCII': [`${right}\u00ff\u00fe`],
    'the hex alone': [v1.slice(3)],
    'letters that are not hex': [`${t},v1=${'g'.repeat(64)}`],
    'hex that ends otherwise': [right.replace(/.$/, (last) => (last === '0' ? '1' : '0'))],
    'hex that begins otherwise': [right.replace(/v1=./, (first) => (first === 'v1=0' ? 'v1=1' : 'v1=0'))],
    'the beginning of the hex': [`${t},${v1.slice(0, -2)}`],
    'more than the hex': [`${t},${v1}00`],
    'no hex': [`${t},v1=`],
    'no time': [v1],
    'a time that is not a number': [right.replace(/t=\d+/, 't=abc')],
    'a time without end': [right.replace(/t=\d+/, `t=${'9'.repeat(40)}`)],
    'a negative time': [right.replace('t=', 't=-')],
    'another time than was signed': [right.replace(/t=\d+/, `t=${nowSeconds() - 1}`)],
    'two headers that are not right': [`${t},v1=${'0'.repeat(64)}`, `${t},v1=${'1'.repeat(64)}`],
    'too old': [signature(secret, payload, { off: -310 })],
    'from the future': [signature(secret, payload, { off: 310 })],
    'another secret': [signature('whsec_another', payload)],
    'the empty secret': [signature('', payload)],
    'the secret without its prefix': [signature(secret.replace('whsec_', ''), payload)],
    'another payload': [signature(secret, `${payload.toString()} `)],
  };
}
