import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { OptionalModule } from '../../specs/optional-packages.ts';
import {
  lostResult,
  mostAttempts,
  mostFailures,
  type Certified,
  type Claim,
  type ClaimKey,
  type LedgerEntry,
  type NotCertified,
  type ReleasedState,
  type SentTraffic,
} from '../ledger.ts';
import { keptSeconds, reportsKeptSeconds, type ReportFiles, type SharedLedger } from './fleet-store.ts';

/** A client of ioredis. */
export type RedisClient = InstanceType<OptionalModule<'ioredis'>['Redis']>;

const prefix = 'svc-conform:ledger';

/** Part of the scripts that finish a target. */
const finish = `
redis.call('SADD', KEYS[2], ARGV[2])
redis.call('EXPIRE', KEYS[2], ARGV[3])
redis.call('SADD', KEYS[3], ARGV[4])`;

/** Scripts run as one step. Each has the entry of a claim as its first key; leases follow the clock of Redis. */
const claimScript = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local state = redis.call('HGET', KEYS[1], 'state')
if state == 'complete' or state == 'failed' then return 'finished' end
if state == 'claimed' then
  if tonumber(redis.call('HGET', KEYS[1], 'lease')) > now then return 'claimed' end
  if tonumber(redis.call('HGET', KEYS[1], 'attempt')) >= tonumber(ARGV[5]) then
    redis.call('HSET', KEYS[1], 'state', 'failed', 'result', ARGV[6])
    ${finish}
    return 'finished'
  end
end
-- A Redis that lost data counts from 1 again: the time keeps its tokens above those of before.
local token = math.max(redis.call('INCR', KEYS[4]), time[1] * 1000000 + time[2])
redis.call('SET', KEYS[4], string.format('%.0f', token))
local attempt = redis.call('HINCRBY', KEYS[1], 'attempt', 1)
redis.call('HSET', KEYS[1], 'state', 'claimed', 'token', string.format('%.0f', token), 'lease', now + ARGV[1])
redis.call('EXPIRE', KEYS[1], ARGV[3])
return { token, attempt, redis.call('HGET', KEYS[1], 'messages') or '0', redis.call('HGET', KEYS[1], 'calls') or '0' }`;

/** Ends the script if the claim is no longer valid; the token is the first argument. */
const ifValid = (otherwise: string) => `
if redis.call('HGET', KEYS[1], 'state') ~= 'claimed' or redis.call('HGET', KEYS[1], 'token') ~= ARGV[1] then
  return ${otherwise}
end`;

const renewScript = `${ifValid('0')}
local time = redis.call('TIME')
local lease = time[1] * 1000 + math.floor(time[2] / 1000) + ARGV[4]
redis.call('HSET', KEYS[1], 'messages', ARGV[2], 'calls', ARGV[3], 'lease', lease)
return 1`;

/** Redis may have executed the same script before: its answer was lost with the connection. */
const completeScript = `
if redis.call('HGET', KEYS[1], 'state') == 'complete' and redis.call('HGET', KEYS[1], 'token') == ARGV[1] then return 1 end
${ifValid('0')}
redis.call('HSET', KEYS[1], 'state', 'complete', 'result', ARGV[5])
${finish}
redis.call('HSET', KEYS[4], unpack(ARGV, 7))
redis.call('EXPIRE', KEYS[4], ARGV[6])
return 1`;

const releaseScript = `${ifValid("'superseded'")}
redis.call('HSET', KEYS[1], 'messages', ARGV[5], 'calls', ARGV[6], 'state', 'open')
if ARGV[7] == '' then return 'open' end
if redis.call('HINCRBY', KEYS[1], 'failures', 1) < tonumber(ARGV[8]) then return 'open' end
redis.call('HSET', KEYS[1], 'state', 'failed', 'result', ARGV[7])
${finish}
return 'failed'`;

/** The ledger of several machines in Redis. */
export class RedisLedger implements SharedLedger {
  readonly #redis: RedisClient;
  readonly #leaseMs: number;

  constructor(redis: RedisClient, leaseMs: number) {
    this.#redis = redis;
    this.#leaseMs = leaseMs;
  }

  async claim(target: string, night: string): Promise<Claim | 'finished' | 'claimed'> {
    const keys = [...finishKeys({ target, night }), `${prefix}:token`];
    const given = [this.#leaseMs, target, keptSeconds, night, mostAttempts, JSON.stringify(lostResult)];
    const answer = await this.#redis.eval(claimScript, keys.length, ...keys, ...given);
    if (answer === 'finished' || answer === 'claimed') return answer;
    const [token = 0, attempt = 0, messages = 0, calls = 0] = (answer as (string | number)[]).map(Number);
    return { target, night, token, attempt, sent: { messages, calls } };
  }

  async renew(claim: ClaimKey, { messages, calls }: SentTraffic): Promise<boolean> {
    const given = [claim.token, messages, calls, this.#leaseMs];
    return (await this.#redis.eval(renewScript, 1, entryKey(claim), ...given)) === 1;
  }

  async complete(claim: ClaimKey, result: Certified, report: ReportFiles): Promise<boolean> {
    const packed = await Promise.all([...report].map(async ([name, bytes]) => [name, await pack(bytes)]));
    const keys = [...finishKeys(claim), reportKey(claim)];
    const given = [...finishValues(claim), JSON.stringify(result), reportsKeptSeconds, ...packed.flat()];
    return (await this.#redis.eval(completeScript, keys.length, ...keys, ...given)) === 1;
  }

  async release(claim: ClaimKey, { messages, calls }: SentTraffic, failure?: string): Promise<ReleasedState> {
    const result: NotCertified | undefined = failure === undefined ? undefined : { state: 'failed', reason: failure };
    const keys = finishKeys(claim);
    const given = [...finishValues(claim), messages, calls, result ? JSON.stringify(result) : '', mostFailures];
    return (await this.#redis.eval(releaseScript, keys.length, ...keys, ...given)) as ReleasedState;
  }

  finished(night: string): Promise<string[]> {
    return this.#redis.smembers(finishedKey(night));
  }

  async entries(night: string): Promise<LedgerEntry[]> {
    const targets = await this.finished(night);
    return await Promise.all(
      targets.map(async (target) => {
        const [attempt, token, result] = await this.#redis.hmget(
          entryKey({ target, night }),
          'attempt',
          'token',
          'result',
        );
        return {
          target,
          night,
          attempt: Number(attempt),
          token: Number(token),
          result: JSON.parse(result ?? 'null') as Certified | NotCertified,
          leaseUntil: undefined,
        };
      }),
    );
  }

  nights(): Promise<string[]> {
    return this.#redis.smembers(nightsKey);
  }

  async report(target: string, night: string): Promise<ReportFiles> {
    const files = await this.#redis.hgetallBuffer(reportKey({ target, night }));
    const unpacked = Object.entries(files).map(async ([name, bytes]) => [name, await unpack(bytes)] as const);
    return new Map(await Promise.all(unpacked));
  }
}

type EntryKey = Omit<ClaimKey, 'token'>;
const nightsKey = `${prefix}:nights`;
const entryKey = ({ target, night }: EntryKey) => `${prefix}:${night}:entry:${target}`;
const reportKey = ({ target, night }: EntryKey) => `${prefix}:${night}:report:${target}`;
const finishedKey = (night: string) => `${prefix}:${night}:finished`;
const finishKeys = (claim: EntryKey) => [entryKey(claim), finishedKey(claim.night), nightsKey];
const finishValues = ({ token, target, night }: ClaimKey) => [token, target, keptSeconds, night];

const pack = promisify(gzip) as (bytes: Buffer) => Promise<Buffer>;
const unpack = promisify(gunzip) as (bytes: Buffer) => Promise<Buffer>;
