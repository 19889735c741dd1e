import { variants } from '../variants/every-variant.ts';
import { diagnosePhone } from './diagnose-phone.ts';
import { phoneEndpoints, type PhoneEndpoint } from './phone-endpoints.ts';

/**
 * Runs the diagnosis of calls against every endpoint with a cause, and against every correct but unusual one. `node
 * test/diagnosis/calls-proof.ts [--only NAME] [--focused] [--seen]`; `--focused` diagnoses as after a failed check
 */
const only = process.argv.includes('--only') ? process.argv[process.argv.indexOf('--only') + 1] : undefined;
const isFocused = process.argv.includes('--focused');
const showsSeen = process.argv.includes('--seen');
/** Endpoints that are diagnosed at the same time: most of the time is waiting. */
const atOnce = 8;

interface Figure {
  name: string;
  cause: string | undefined;
  verdict: 'right' | 'wrong' | 'none';
  reported: string;
  calls: number;
  seconds: number;
}

const right = variants.filter(({ surfaces }) => surfaces.includes('own-ai-phone'));
const tasks: (Pick<PhoneEndpoint, 'name' | 'build'> & Partial<PhoneEndpoint>)[] = [...phoneEndpoints, ...right];
const figures: Figure[] = [];
const chosen = tasks.filter(({ name }) => only === undefined || name.includes(only));

async function work(): Promise<void> {
  for (let task = chosen.shift(); task; task = chosen.shift()) {
    const { name, build, cause, onlySuspected, onlyAsked, requirement } = task;
    const failing = requirement !== undefined && (onlyAsked || isFocused) ? { requirement } : undefined;
    try {
      const { outcome, deliveries, seconds } = await diagnosePhone(name, build, { failing });
      const reported = onlySuspected ? outcome.suspects[0]?.id : outcome.found?.id;
      const isWrong = outcome.found !== undefined && outcome.found.id !== cause;
      const verdict = reported === cause && !isWrong ? 'right' : isWrong ? 'wrong' : 'none';
      const words = `${outcome.found ? 'found' : 'suspects'}: ${outcome.found?.id ?? outcome.suspects.map(({ id }) => id).join(' ')} ${outcome.found?.summary ?? ''}`;
      figures.push({ name, cause, verdict, reported: words, calls: deliveries, seconds });
      process.stdout.write(
        `${verdict.padEnd(6)} ${name.padEnd(46)} ${String(deliveries).padStart(3)} calls ${seconds.toFixed(1).padStart(5)} s  ${words}\n`,
      );
      if (showsSeen)
        for (const line of [...outcome.seen, ...outcome.passed.map((one) => `fine: ${one}`)])
          process.stdout.write(`         ${line}\n`);
    } catch (error) {
      figures.push({ name, cause, verdict: 'none', reported: String(error), calls: 0, seconds: 0 });
      process.stdout.write(`none   ${name} ${error instanceof Error ? (error.stack ?? '') : String(error)}\n`);
    }
  }
}

await Promise.all(Array.from({ length: atOnce }, work));

const faulty = figures.filter(({ cause }) => cause !== undefined);
const named = (list: readonly Figure[], verdict: Figure['verdict']) =>
  list.filter((figure) => figure.verdict === verdict).length;
const sorted = (list: readonly number[]) => [...list].sort((one, other) => one - other);
const calls = sorted(faulty.map((figure) => figure.calls));
const seconds = sorted(faulty.map((figure) => figure.seconds));
process.stdout.write(
  `${faulty.length} endpoints with a cause (${new Set(faulty.map(({ cause }) => cause)).size} causes): ${named(faulty, 'right')} named right, ${named(faulty, 'wrong')} wrong, ${named(faulty, 'none')} not; ` +
    `calls: median ${calls[Math.floor(calls.length / 2)]}, worst ${calls.at(-1)}; seconds: median ${seconds[Math.floor(seconds.length / 2)]?.toFixed(1)}, worst ${seconds.at(-1)?.toFixed(1)}\n` +
    `${figures.length - faulty.length} right endpoints: ${figures.filter(({ cause, verdict }) => cause === undefined && verdict === 'wrong').length} named a cause\n`,
);
