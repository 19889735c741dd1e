import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { addRunOptions } from '../../bin/run-options.ts';
import { assertShardable, type RunOptions } from '../../run/run-input.ts';
import { HarnessFault } from '../../harness/checks/faults.ts';

function optionsOf(...words: string[]): RunOptions {
  const command = new Command('check').exitOverride().configureOutput({ writeErr: () => undefined });
  return addRunOptions(command).parse(words, { from: 'user' }).opts<RunOptions>();
}

describe('the flags of a run', () => {
  it.each([
    ['--baseline', 'expected a file or directory, received nothing'],
    ['--events', 'expected a file or directory, received nothing'],
    ['--format', 'expected the name of a format, received nothing'],
  ])('%s with an empty value is rejected', (flag, sentence) => {
    for (const nothing of ['', ' ']) expect(() => optionsOf(flag, nothing)).toThrow(sentence);
  });

  it('accept their values', () => {
    const words = ['--baseline', 'main.json', '--events', '-', '--format', 'html,', '--fail-on', 'should'];
    expect(optionsOf(...words)).toMatchObject({
      baseline: 'main.json',
      events: '-',
      format: ['html'],
      failOn: 'should',
    });
  });
});

describe('a shard', () => {
  const shard = ['--shard', '2/4', '--seed', '7'];

  it('is of the whole, or of surfaces', () => {
    for (const words of [shard, [...shard, '--surface', 'own-ai-chat'], ['--only', 'own-ai-chat/answers-ping'], []])
      expect(() => assertShardable(optionsOf(...words))).not.toThrow();
  });

  it('is none of some checks: shards without any could not be merged', () => {
    const asserting = () => assertShardable(optionsOf(...shard, '--only', 'own-ai-chat/answers-ping'));
    expect(asserting).toThrow(HarnessFault);
    expect(asserting).toThrow('--shard divides complete suites, and --only selects single checks');
  });

  it('has a seed', () => {
    expect(() => assertShardable(optionsOf('--shard', '2/4'))).toThrow('--shard needs --seed, the same for all shards');
  });
});
