import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const moduleOf = (name: string) => JSON.stringify(fileURLToPath(new URL(`../../${name}.ts`, import.meta.url)));

/** Runs a script that has the module's functions; sends each signal after the line that asks for it. */
async function run(script: string): Promise<{ code: number | null; signal: string | null; lines: string[] }> {
  const preface = `import { beforeEnd, endProcess, waitDuringShutdown } from ${moduleOf('run/execute/end-on-signals')};
    import { decideExitCode, guardExitCode } from ${moduleOf('bin/exit-codes')};
    import { setTimeout as delay } from 'node:timers/promises';
    setInterval(() => undefined, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', `${preface}\n${script}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n');
    rest = parts.pop() ?? '';
    for (const line of parts) {
      lines.push(line);
      if (line.startsWith('send ')) child.kill(line.slice('send '.length) as NodeJS.Signals);
    }
  });
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  return { code, signal, lines };
}

describe('a process with work to do before it ends', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ])('does its work on %s, the latest first and each to its end, then exits with %i', async (signal, code) => {
    const ended = await run(`
      beforeEnd(() => console.log('first'));
      beforeEnd(() => { throw new Error('of no consequence'); });
      beforeEnd(async () => { await delay(20); console.log('second'); });
      console.log('send ${signal}');
    `);
    expect(ended).toEqual({ code, signal: null, lines: [`send ${signal}`, 'second', 'first'] });
  });

  it('is not ended by other listeners before its work is done', async () => {
    const ended = await run(`
      process.once('SIGINT', () => setTimeout(() => process.exit(1), 1));
      beforeEnd(async () => { await delay(100); console.log('done'); });
      console.log('send SIGINT');
    `);
    expect(ended).toMatchObject({ code: 130, lines: ['send SIGINT', 'done'] });
  });

  it('ends with the exit code of the signal, whatever code is set meanwhile', async () => {
    const ended = await run(`
      guardExitCode();
      beforeEnd(async () => { await delay(20); decideExitCode(1); });
      console.log('send SIGINT');
    `);
    expect(ended).toMatchObject({ code: 130 });
  });

  it('ends at once at the second signal', async () => {
    const ended = await run(`
      beforeEnd(async () => { console.log('send SIGTERM'); await new Promise(() => undefined); });
      console.log('send SIGINT');
    `);
    expect(ended).toMatchObject({ code: 143, lines: ['send SIGINT', 'send SIGTERM'] });
  });

  it('skips work that was disposed of, and is ended by a signal when no work is left', async () => {
    const partly = await run(`
      beforeEnd(() => console.log('kept'));
      beforeEnd(() => console.log('given up'))[Symbol.dispose]();
      console.log('send SIGINT');
    `);
    expect(partly).toMatchObject({ code: 130, lines: ['send SIGINT', 'kept'] });
    const nothing = await run(`
      { using _end = beforeEnd(() => console.log('given up')); }
      console.log('send SIGINT');
    `);
    expect(nothing).toEqual({ code: null, signal: 'SIGINT', lines: ['send SIGINT'] });
  });

  it('returns no result of interrupted work', async () => {
    const ended = await run(`
      await waitDuringShutdown();
      console.log('continues');
      beforeEnd(() => delay(50));
      void endProcess(3);
      await waitDuringShutdown();
      console.log('continues regardless');
    `);
    expect(ended).toEqual({ code: 3, signal: null, lines: ['continues'] });
  });
});
