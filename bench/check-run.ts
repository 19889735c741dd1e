import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import example from '../examples/svc-conform.config.json' with { type: 'json' };
import { freePort } from '../harness/wire/free-port.ts';
import type { Report } from '../specs/generated/types.ts';
import { startEndpoint } from './start-process.ts';

/** Milliseconds between two readings of the memory of a run. */
const sampleMs = 100;

const pathOf = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));

const secrets = {
  CRM_TOKEN: 'bench-Tk9Wm3Xq7Lr2Bv5Nc8Zd1Fh4',
  HOOK_SECRET: 'bench-Hs2Rv8Yk4Pd6Mx1Qj9Wn5Ct3',
  AGENT_SECRET: 'whsec_bench-Ag7Lf3Zb9Ts5Uw1Ke8Xo4',
  SVC_API_KEY: 'svc_sk_bench-Ky6Hn2Gv8Jr4Dm1Pq7',
};

export interface CheckRun {
  seconds: number;
  /** Peak memory of the process; NaN where /proc does not exist. */
  megabytes: number;
}

/** The example integrator in a separate process, and the `check` of the built program against it. */
export interface CheckedExample extends AsyncDisposable {
  /** Throws unless the verdict is `conformant`. */
  check: (...flags: string[]) => Promise<CheckRun>;
}

/** Its AI takes so many milliseconds for an answer in chat, and to speak one. */
export async function openExample({ chatMs = 0, speechMs = 0 } = {}): Promise<CheckedExample> {
  const directory = await mkdtemp(join(tmpdir(), 'svc-conform-bench-'));
  const service = { ...example.service, host: '127.0.0.1', port: await freePort() };
  Object.assign(process.env, secrets, { PORT: '0', SVC_BASE_URL: `http://127.0.0.1:${service.port}` });
  const endpoint = await startEndpoint('integrator.ts', String(chatMs), String(speechMs));
  const at = (url: string) => url.replace('127.0.0.1:8080', new URL(endpoint.url).host);
  const config = {
    ...example,
    crmWebhook: { ...example.crmWebhook, url: at(example.crmWebhook.url) },
    apiWebhooks: { ...example.apiWebhooks, url: at(example.apiWebhooks.url) },
    chat: { ...example.chat, url: at(example.chat.url) },
    phone: { ...example.phone, url: at(example.phone.url) },
    observe: { url: at(example.observe.url) },
    apiClient: { exercise: { command: `"${process.execPath}" "${pathOf('examples/integrator/sync.ts')}"` } },
    deepLinks: { file: pathOf('examples/links.txt') },
    service,
  };
  const file = join(directory, 'svc-conform.config.json');
  await writeFile(file, JSON.stringify(config));
  return {
    check: async (...flags) => {
      const out = join(directory, 'report');
      const args = [pathOf('bin/svc-conform.js'), 'check', '--config', file, '--out', out, ...flags];
      const from = performance.now();
      const child = spawn(process.execPath, args, { cwd: directory, stdio: 'ignore' });
      let megabytes = NaN;
      const sampling = setInterval(
        () => void peakOf(child.pid).then((peak) => (megabytes = peak ?? megabytes)),
        sampleMs,
      );
      await once(child, 'exit');
      clearInterval(sampling);
      const seconds = (performance.now() - from) / 1000;
      const { verdict } = JSON.parse(await readFile(join(out, 'report.json'), 'utf8')) as Report;
      if (verdict !== 'conformant') throw new Error(`expected the verdict conformant, received ${verdict}`);
      return { seconds, megabytes };
    },
    [Symbol.asyncDispose]: async () => {
      endpoint[Symbol.dispose]();
      await rm(directory, { recursive: true });
    },
  };
}

/** Peak megabytes of a running process. */
async function peakOf(pid = 0): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kilobytes = /VmHWM:\s*(\d+) kB/.exec(status)?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) / 1000;
}
