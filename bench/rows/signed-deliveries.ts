import { signatureHeader } from '../../specs/signing.ts';
import { appointmentTraffic } from '../../load/appointment-traffic.ts';
import { LoadSession } from '../../load/load-session.ts';
import { resolvedConfig, secret } from '../run-settings.ts';
import { openPool } from '../open-pool.ts';
import type { Baseline, MissingBaseline, Row } from '../row.ts';
import { startEndpoint } from '../start-process.ts';
import { installTool } from '../tool.ts';

const concurrent = 50;
const deliveries = 5_000;

interface Signed {
  url: string;
  body: string;
  headers: Record<string, string>;
}

export const rows: readonly Row[] = [
  {
    name: 'signed-deliveries',
    what: `signed deliveries with judged answers, ${concurrent} concurrent`,
    unit: 'deliveries/s',
    better: 'more',
    run: async (compare) => {
      using endpoint = await startEndpoint('http-endpoint.ts');
      const { url } = endpoint;
      await using session = await LoadSession.open(resolvedConfig({ apiWebhooks: { url, secret } }), 1);
      const body = JSON.stringify(session.sample.apiWebhookEvent());
      const headers = {
        'content-type': 'application/json',
        'x-svc-signature': signatureHeader({ secret, t: Math.floor(Date.now() / 1000), body }),
      };
      await compare(
        () => judged(session),
        [
          { name: 'undici pool', goal: { ratio: 0.7 }, measure: () => pooled({ url, body, headers }) },
          await autocannon({ url, body, headers }),
        ],
      );
    },
  },
];

/** Sends deliveries from concurrent loops; resolves to their number per second. */
async function perSecond(send: () => Promise<void>): Promise<number> {
  let left = deliveries;
  const loop = async () => {
    while (left-- > 0) await send();
  };
  const from = performance.now();
  await Promise.all(Array.from({ length: concurrent }, loop));
  return deliveries / ((performance.now() - from) / 1000);
}

/** The deliveries of `svc-conform load`. */
async function judged(session: LoadSession): Promise<number> {
  const traffic = appointmentTraffic(session);
  return await perSecond(async () => {
    const { judge } = await traffic.send({ isTimed: false, load: concurrent });
    const [violation] = judge();
    if (violation) throw new Error(`${violation.requirement}: received ${violation.finding.received}`);
  });
}

/** One body, signed once. */
async function pooled({ url, body, headers }: Signed): Promise<number> {
  await using pool = openPool(url, { connections: concurrent });
  return await perSecond(async () => {
    const answer = await pool.request({ path: '/', method: 'POST', headers, body });
    await answer.body.arrayBuffer();
    if (answer.statusCode !== 200) throw new Error(`expected 200, received ${answer.statusCode}`);
  });
}

async function autocannon(options: Signed): Promise<Baseline | MissingBaseline> {
  const goal = { ratio: 0.5 };
  const tool = await installTool('autocannon');
  if ('skipped' in tool) return { name: 'autocannon', goal, ...tool };
  const { tool: run } = (await import(tool.entry)) as {
    tool: (options: object) => Promise<{ '2xx': number; non2xx: number; duration: number }>;
  };
  return {
    name: tool.title,
    goal,
    measure: async () => {
      // It measures whole seconds.
      const {
        '2xx': answered,
        non2xx,
        duration,
      } = await run({ ...options, method: 'POST', connections: concurrent, duration: 2 });
      if (non2xx > 0) throw new Error(`expected answers 200, received ${non2xx} others`);
      return answered / duration;
    },
  };
}
