import { copyFile, writeFile } from 'node:fs/promises';
import { temporaryDirectory } from '../bin/run-command.ts';

/** A directory with a targets file of links, which are checked without any traffic; every second target is faulty. */
export async function linkFleet(count: number) {
  const directory = await temporaryDirectory();
  await copyFile(new URL('../../examples/links.txt', import.meta.url), directory.at('good.txt'));
  await writeFile(directory.at('faulty.txt'), 'svc://call?nummer=1\n');
  const targets = Array.from({ length: count }, (_, at) => {
    const kind = at % 2 === 0 ? 'good' : 'faulty';
    return { id: `${kind}-${at}`, config: { deepLinks: { file: `${kind}.txt` } } };
  });
  await writeFile(directory.at('targets.json'), JSON.stringify({ defaults: { budgetSeconds: 20 }, targets }));
  return directory;
}
