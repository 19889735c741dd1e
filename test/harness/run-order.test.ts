import { describe, expect, it } from 'vitest';
import { admitsClient, inStages, suiteGroup } from '../../harness/checks/run-order.ts';
import { suiteFiles } from '../../harness/checks/suite-files.ts';
import type { ResolvedConfig } from '../../harness/config/settings.ts';
import { surfaces } from '../../specs/surfaces.ts';
import { configOf } from './settings-for-tests.ts';

const suite = (name: string) => `suites/${name}.suite.ts`;

const at = (port: number) => `127.0.0.1:${port}`;
const configAt = ([crm = 0, hooks = 0, chat = 0, phone = 0]: number[]) =>
  configOf({
    crm: `http://${at(crm)}/crm`,
    hooks: `http://${at(hooks)}/hooks`,
    chat: `http://${at(chat)}/chat`,
    phone: `ws://${at(phone)}/phone`,
  });
const apart = configAt([1, 2, 3, 4]);
const together = configAt([1, 1, 1, 1]);

/** The names of the suites, each after its phase. */
const named = (files: readonly string[], config: ResolvedConfig) =>
  inStages(files, config).map((stage) =>
    stage.map((sequence) => sequence.map(({ phase, files: suites }) => [phase, ...suites])),
  );

describe('the stages of a run', () => {
  it('let each surface pass to its generated events by itself', () => {
    const files = [
      'own-ai-chat/later-reply',
      'own-ai-chat/messages',
      'own-ai-chat/any-event',
      'own-ai-phone/beginnings',
      'own-ai-phone/sentences',
      'own-ai-phone/any-call',
      'own-ai-phone/upgrades',
      'own-ai-phone/frames',
    ].map(suite);
    expect(named(files, apart)).toEqual([
      [[['forged deliveries', suite('own-ai-phone/upgrades')]]],
      [
        [
          ['behaviour', suite('own-ai-chat/later-reply'), suite('own-ai-chat/messages')],
          ['generated events', suite('own-ai-chat/any-event')],
        ],
        [
          ['behaviour', suite('own-ai-phone/beginnings'), suite('own-ai-phone/sentences')],
          ['generated events', suite('own-ai-phone/any-call')],
        ],
      ],
      [[['whole run', suite('own-ai-phone/frames')]]],
    ]);
  });

  it('let no generated event come among the plain checks of a surface that the same process may serve', () => {
    const files = [
      'crm-webhook/any-event',
      'own-ai-phone/any-call',
      'own-ai-phone/beginnings',
      'own-ai-phone/sentences',
    ];
    expect(named(files.map(suite), together)).toEqual([
      [
        [
          ['behaviour', suite('own-ai-phone/beginnings'), suite('own-ai-phone/sentences')],
          ['generated events', suite('own-ai-phone/any-call'), suite('crm-webhook/any-event')],
        ],
      ],
    ]);
  });

  it('let calls begin first, except where their effects are watched for, since late ones show some time after a call', () => {
    const files = ['crm-webhook/effects', 'crm-webhook/payloads', 'own-ai-phone/effects', 'own-ai-phone/sentences'];
    expect(named(files.map(suite), together)).toEqual([
      [[['effects', suite('crm-webhook/effects'), suite('own-ai-phone/effects')]]],
      [[['behaviour', suite('own-ai-phone/sentences'), suite('crm-webhook/payloads')]]],
    ]);
  });

  it('let no generated event wait for the calls that take longest', () => {
    expect(suiteGroup(`/${suite('own-ai-phone/late-refusals')}`)).toBe('last');
  });

  it('count the names of this machine with one port as one place', () => {
    const names = configOf({
      chat: 'http://localhost:1/chat',
      crm: 'http://[::1]:1/crm',
      phone: 'ws://127.0.0.1:1/phone',
    });
    const others = configOf({
      chat: 'http://localhost:1/chat',
      crm: 'http://[::1]:2/crm',
      phone: 'ws://127.0.0.2:1/phone',
    });
    const files = ['crm-webhook/any-event', 'own-ai-chat/any-event', 'own-ai-phone/any-call'].map(suite);
    expect(named(files, names)[0]).toHaveLength(1);
    expect(named(files, others)[0]).toHaveLength(3);
  });

  it('do not let the client start while a check may measure times', () => {
    for (const stage of inStages(suiteFiles(surfaces), apart)) {
      const files = stage.flatMap((sequence) => sequence.flatMap((one) => one.files));
      expect(new Set(files.map((file) => admitsClient(suiteGroup(`/${file}`)))).size).toBe(1);
    }
  });

  it('contain every suite once', () => {
    const files = suiteFiles(surfaces);
    const inThem = inStages(files, apart).flatMap((stage) =>
      stage.flatMap((sequence) => sequence.flatMap((one) => one.files)),
    );
    expect(inThem.toSorted()).toEqual(files);
  });
});
