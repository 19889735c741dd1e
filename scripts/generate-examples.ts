import { format } from 'prettier';
import { everyExample } from '../generators/readable-examples.ts';

/** The text of specs/generated/examples.json. */
export async function generateExamples(): Promise<string> {
  return await format(JSON.stringify(everyExample()), { parser: 'json', printWidth: 120 });
}
