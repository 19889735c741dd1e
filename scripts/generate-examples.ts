import { format } from 'prettier';
import { everyExample } from '../generators/readable-example.ts';

/** The text of specs/generated/examples.json. */
export async function generateExamples(): Promise<string> {
  return await format(JSON.stringify(everyExample()), { parser: 'json', printWidth: 120 });
}
