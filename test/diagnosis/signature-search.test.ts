import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { describe, expect, it } from 'vitest';
import { Connection } from '../../diagnosis/connection.ts';
import type { ConnectionOptions } from '../../diagnosis/connection-options.ts';
import type { Failing, ProbeOutcome } from '../../diagnosis/outcome.ts';
import { diagnoseSignature } from '../../diagnosis/signature/diagnose-signature.ts';
import { recordingServer } from '../server-fixture.ts';

const secret = 'whsec_Zt8bQ0vXn2uYw4eRk6pLs1dHg3jCf5mA';

interface Reply {
  status: number;
  body?: string;
}

interface Request {
  t: string;
  body: string;
  isPing: boolean;
  isRight: boolean;
  headers: IncomingHttpHeaders;
}

interface Told extends ProbeOutcome {
  deliveries: number;
  /** Messages, other than pings, that were answered with a 2xx. */
  takenMessages: number;
}

const hex = (key: string, content: string) => createHmac('sha256', key).update(content).digest('hex');

/** The diagnosis of an endpoint with these answers. */
async function searched(
  reply: (request: Request) => Reply | Promise<Reply>,
  {
    surface = 'api-webhooks',
    failing,
    ...options
  }: Partial<ConnectionOptions> & { surface?: 'api-webhooks' | 'own-ai-chat'; failing?: Failing } = {},
): Promise<Told> {
  let takenMessages = 0;
  await using server = await recordingServer(async ({ headers, body }, response) => {
    const [, t = '', v1 = ''] = /^t=(\d+),v1=(.*)$/.exec(String(headers['x-svc-signature'] ?? '')) ?? [];
    const isPing = headers['x-svc-event'] === 'ping';
    const isFresh = Math.abs(Date.now() / 1000 - Number(t)) <= 300;
    const isRight = isFresh && v1 === hex(secret, `${t}.${body}`);
    const { status, body: text = '' } = await reply({ t, body, isPing, isRight, headers });
    if (status < 300 && !isPing) takenMessages++;
    response.writeHead(status).end(text);
  });
  const url = `http://${server.host}/svc`;
  const config = {
    skills: [],
    stimuli: {},
    service: { host: '127.0.0.1', port: 0 },
    ...(surface === 'own-ai-chat' ? { chat: { url, secret, timeoutSeconds: 10 } } : { apiWebhooks: { url, secret } }),
  };
  await using connection = await Connection.open(surface, config, { seed: 5, withinMs: 60_000, ...options });
  const outcome = await diagnoseSignature(connection, failing);
  return { ...outcome, deliveries: connection.deliveries, takenMessages };
}

const ids = ({ suspects }: ProbeOutcome) => suspects.map(({ id }) => id);

describe('an endpoint whose fault is not the signature', () => {
  it('is distinguished from one that checks differently, if a valid signature is refused in another way than a forged one', async () => {
    const outcome = await searched(({ isRight }) => ({ status: isRight ? 403 : 401 }));
    expect(outcome.found).toBeUndefined();
    expect(ids(outcome)).toEqual(['signature/refused-afterwards']);
    // Other probes check everything after the signature.
    expect(outcome.ends).toBeUndefined();
    expect(outcome.deliveries).toBeLessThanOrEqual(6);
  });

  it('is distinguished by the body of the answer if the status is the same', async () => {
    const outcome = await searched(({ isRight }) => ({
      status: 400,
      body: isRight ? 'unknown workspace' : 'signature does not match',
    }));
    expect(ids(outcome)).toEqual(['signature/refused-afterwards']);
  });

  it('is not suspected where answers differ from one delivery to the next for any signature', async () => {
    let sent = 0;
    const outcome = await searched(() => ({ status: sent++ % 2 === 0 ? 403 : 401 }), { mostQuestions: 10 });
    expect(ids(outcome)).not.toContain('signature/refused-afterwards');
  });

  it('is known to accept the signature of a message, too, if only pings are accepted', async () => {
    const outcome = await searched(({ isRight, isPing }) => ({ status: !isRight ? 401 : isPing ? 200 : 500 }), {
      surface: 'own-ai-chat',
    });
    expect(outcome.found).toBeUndefined();
    expect(outcome.suspects).toEqual([]);
    expect(outcome.passed).toEqual(['The endpoint distinguishes the valid signature from a forged one.']);
  });
});

describe('an endpoint that accepts a forged signature', () => {
  it('and refuses the valid one has an inverted check', async () => {
    const { found } = await searched(({ isRight }) => ({ status: isRight ? 401 : 200 }));
    expect(found?.id).toBe('signature/inverted');
  });

  it('is reported not to check, even if it fails on unusual bodies', async () => {
    const { found } = await searched(({ body }) => ({ status: body.startsWith('{') ? 200 : 400 }));
    expect(found?.id).toBe('signature/not-checked');
  });
});

describe('alternating instances behind one address', () => {
  it.for([0, 1])('of which one has another secret, get no cause from the refusals of one: %i', async (first) => {
    let turn = first;
    const { found } = await searched(({ isRight }) => ({ status: isRight && turn++ % 2 === 0 ? 200 : 401 }));
    expect(found).toBeUndefined();
  });

  it.for([0, 1, 2])('of which one does not check, get no cause from one answer: %i', async (first) => {
    let turn = first;
    const outcome = await searched(({ isRight }) => ({ status: isRight || turn++ % 3 === 0 ? 200 : 401 }));
    expect(outcome.found).toBeUndefined();
  });
});

describe('the search for a scheme', () => {
  it('suspects that no request reaches the verification if every answer is a 404', async () => {
    const outcome = await searched(() => ({ status: 404, body: 'not found' }));
    expect(outcome.found).toBeUndefined();
    expect(ids(outcome)).toEqual(['signature/unknown-scheme', 'signature/other-secret']);
    expect(outcome.suspects[0]?.summary).toContain('do not reach the code that verifies signatures');
    expect(outcome.deliveries).toBeLessThanOrEqual(75);
  });

  it('does not end early if a refusal is a 404: the scheme is found after many questions', async () => {
    const outcome = await searched(
      ({ t, body, headers }) => {
        const signed = hex(secret, `${t}.${body}\r\n`);
        return { status: headers['x-svc-signature'] === `t=${t},v1=${signed}` ? 200 : 404 };
      },
      { isThorough: true },
    );
    expect(outcome.found?.id).toBe('signature/newline-added');
  });

  it.for([0, 1, 2])(
    'does not report that signatures are distinguished if every third answer differs: %i',
    async (first) => {
      let sent = first;
      const outcome = await searched(() => ({ status: sent++ % 3 === 0 ? 500 : 401 }));
      expect(outcome.passed).toEqual([]);
    },
  );

  it('continues if a refusal is a 404 by choice, and something else is answered differently', async () => {
    const outcome = await searched(({ t, body, headers }) => ({
      status: headers['x-svc-signature'] === `t=${t},v1=${hex(secret.slice(6), `${t}.${body}`)}` ? 200 : 404,
    }));
    expect(outcome.found?.id).toBe('signature/secret-prefix-stripped');
  });

  it('ends after the maximum number of questions', async () => {
    const outcome = await searched(() => ({ status: 401 }), { mostQuestions: 30 });
    expect(ids(outcome)).toEqual(['signature/unknown-scheme', 'signature/other-secret']);
    expect(outcome.suspects[0]?.why).toContain('30 requests');
  });

  it('stops after a lockout, and does not count later questions', async () => {
    let asked = 0;
    const outcome = await searched(() => ({ status: ++asked > 8 ? 403 : 401 }));
    expect(ids(outcome)).toEqual(['signature/locks-out', 'signature/other-secret']);
    expect(outcome.deliveries).toBeLessThan(40);
    expect(outcome.seen.join('\n')).not.toContain('two fields');
  });

  it('leaves open whether the cause is the body or its content, for other probes to decide', async () => {
    const outcome = await searched(({ isRight, body }) => ({
      status: isRight && /^[\x20-\x7e]*$/.test(body) ? 200 : 400,
    }));
    expect(outcome.found).toBeUndefined();
    expect(outcome.suspects[0]?.summary).toContain('or it refuses the content of the other bodies');
    expect(outcome.ends).toBeUndefined();
  });

  it('keeps its results when the time is over', async () => {
    const slow = async () => {
      await new Promise((wake) => setTimeout(wake, 40));
      return { status: 401 };
    };
    const outcome = await searched(slow, { withinMs: 2500 });
    expect(outcome.ends).toBe(true);
    expect(ids(outcome)).toEqual(['signature/unknown-scheme', 'signature/other-secret']);
    expect(outcome.suspects[0]?.why).toContain('in time');
    expect(outcome.seen.length).toBeGreaterThan(2);
  });

  it('checks the time first if a refusal mentions it', async () => {
    const seconds = 20 * 60;
    const outcome = await searched(({ t, body, headers }) => {
      if (Math.abs(Date.now() / 1000 + seconds - Number(t)) > 300) return { status: 401, body: 'timestamp expired' };
      const isRight = headers['x-svc-signature'] === `t=${t},v1=${hex(secret, `${t}.${body}`)}`;
      return { status: isRight ? 200 : 401 };
    });
    expect(outcome.found?.id).toMatch(/^signature\/(?:clock-off|time-zone)$/);
    expect(outcome.deliveries).toBeLessThanOrEqual(40);
  });

  it('finds the header that is read among those of other services', async () => {
    const outcome = await searched(({ headers }) => {
      const [, t = '', v1 = ''] = /^t=(\d+),v1=(.*)$/.exec(String(headers['x-request-signature'] ?? '')) ?? [];
      return { status: t !== '' && v1 !== '' ? 200 : 401 };
    });
    expect(outcome.found?.id).toBe('signature/other-header-name');
    expect(outcome.found?.summary).toContain('X-Request-Signature');
  });

  describe('in an endpoint that prefers another header to X-Svc-Signature', () => {
    const read = ({ headers, body }: Request, key: string) => {
      const sent = String(headers['x-signature'] ?? headers['x-svc-signature'] ?? '');
      const [, t = '', v1 = ''] = /^t=(\d+),v1=(.*)$/.exec(sent) ?? [];
      return { status: v1 === hex(key, `${t}.${body}`) ? 200 : 401 };
    };

    it('names one mistake, not that another header is read', async () => {
      const { found, suspects } = await searched((request) => read(request, secret.slice(6)));
      expect(found?.id).toBe('signature/secret-prefix-stripped');
      expect(found?.summary).not.toContain('header');
      expect(suspects).toEqual([]);
    });
  });

  it('names no header where none of them is accepted alone', async () => {
    const outcome = await searched(({ headers }) => ({
      status: headers['x-signature'] !== undefined && headers['x-callback-signature'] !== undefined ? 200 : 401,
    }));
    expect(outcome.found).toBeUndefined();
  });
});

describe('an endpoint that writes the fields of the body in an order that nothing reveals', () => {
  const reversed = (body: string) => JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(body)).reverse()));

  it.for(['api-webhooks', 'own-ai-chat'] as const)('is recognised by two fields: %s', async (surface) => {
    const reply = ({ t, body, headers }: Request) => ({
      status: headers['x-svc-signature'] === `t=${t},v1=${hex(secret, `${t}.${reversed(body)}`)}` ? 200 : 401,
    });
    const { found, deliveries } = await searched(reply, { surface });
    expect(found?.id).toBe('signature/fields-reordered');
    expect(deliveries).toBeLessThan(60);
  });

  it('is not suspected where a body with two fields is refused whatever its signature', async () => {
    const reply = ({ body }: Request) => ({ status: Object.keys(JSON.parse(body) as object).length > 2 ? 401 : 400 });
    expect((await searched(reply, { mostQuestions: 26 })).found).toBeUndefined();
  });

  it('is not suspected where the valid signature of two fields is accepted as well', async () => {
    const { found } = await searched(
      ({ isRight, body }) => {
        const fields = Object.keys(JSON.parse(body) as object);
        return { status: fields.length > 2 ? 401 : isRight || fields[0] === 'type' ? 200 : 401 };
      },
      { mostQuestions: 26 },
    );
    expect(found?.id).not.toBe('signature/fields-reordered');
  });
});

it('finds out that percent signs are decoded before the digest', async () => {
  const { found } = await searched(({ t, body, headers }) => ({
    status: headers['x-svc-signature'] === `t=${t},v1=${hex(secret, `${t}.${decodeURIComponent(body)}`)}` ? 200 : 401,
  }));
  expect(found?.id).toBe('signature/body-as-form');
});

describe('a right endpoint', () => {
  it('is asked with pings if it checks them, so that hardly any message is accepted', async () => {
    const outcome = await searched(({ isRight }) => ({ status: isRight ? 200 : 401 }), { surface: 'own-ai-chat' });
    expect(outcome.found).toBeUndefined();
    expect(outcome.passed.length).toBeGreaterThan(1);
    expect(outcome.takenMessages).toBeLessThanOrEqual(2);
  });

  it('that locks clients out after invalid signatures, and says so, is only suspected of it', async () => {
    let wrong = 0;
    const outcome = await searched(({ isRight }) => {
      if (!isRight) wrong++;
      return wrong > 4 ? { status: 403, body: 'Blocked.' } : { status: isRight ? 200 : 401 };
    });
    expect(outcome.found).toBeUndefined();
    expect(ids(outcome)).toEqual(['signature/locks-out']);
  });

  it('that answers an invalid signature with a 2xx is not reported as accepting it', async () => {
    const silent = await searched(() => ({ status: 200 }));
    expect(silent.found).toEqual({ id: 'signature/not-checked' });
    const talking = await searched(() => ({ status: 200, body: '{"text":"Hello.","action":"none"}' }), {
      surface: 'own-ai-chat',
    });
    expect(talking.found?.summary).toContain('anyone who knows the URL');
  });
});
