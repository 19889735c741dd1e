import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { digestOf } from '../../fleet/certified.ts';
import { publishReport, recoverWork, workPlace } from '../../fleet/fleet-files.ts';
import { leaseMs } from '../../fleet/ledger.ts';
import { openLedger } from '../../fleet/sqlite-ledger.ts';
import { temporaryDirectory } from '../bin/run-command.ts';
import { certified } from './sample-fleet.ts';

it('the work of a killed fleet is published if it was completed, and removed if nothing needs it', async () => {
  await using directory = await temporaryDirectory();
  using ledger = await openLedger(directory.at('ledger.sqlite'));
  const out = directory.path;
  for (const target of ['completed', 'changed', 'claimed', 'over']) {
    const claim = ledger.claim(target, '2026-10-12', target === 'over' ? 0 : leaseMs);
    if (!claim) throw new Error('expected a claim');
    const place = workPlace(out, claim);
    await mkdir(place, { recursive: true });
    await writeFile(join(place, 'report.json'), target);
    if (target === 'completed' || target === 'changed') {
      ledger.complete(claim, certified({ digest: digestOf('completed') }));
    }
  }
  await recoverWork(out, ledger, leaseMs + 1);
  expect(await readFile(directory.at('targets/completed/report.json'), 'utf8')).toBe('completed');
  expect(await readdir(directory.at('targets'))).toEqual(['completed']);
  expect((await readdir(directory.at('work'))).map((name) => name.split('.')[0])).toEqual(['claimed']);
});

it('the report of a completed claim is published once, by whichever process comes first', async () => {
  await using directory = await temporaryDirectory();
  using ledger = await openLedger(directory.at('ledger.sqlite'));
  using other = await openLedger(directory.at('ledger.sqlite'));
  const out = directory.path;
  const claim = ledger.claim('shop', '2026-10-12', 0);
  if (!claim) throw new Error('expected a claim');
  await mkdir(workPlace(out, claim), { recursive: true });
  await writeFile(join(workPlace(out, claim), 'report.json'), 'completed');
  ledger.complete(claim, certified({ digest: digestOf('completed') }));
  const recovering = recoverWork(out, other, 1);
  publishReport(out, ledger, claim);
  await recovering;
  publishReport(out, ledger, claim);
  expect(await readFile(directory.at('targets/shop/report.json'), 'utf8')).toBe('completed');
  expect(ledger.exclusively(() => 7)).toBe(7);
});
