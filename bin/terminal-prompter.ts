import { PromptCancelled, type Prompter } from '../run/init/prompter.ts';

/** Asks on the terminal. */
export const terminalPrompter: Prompter = {
  async several(message, choices) {
    const { multiselect } = await import('@clack/prompts');
    return answered(await multiselect({ message, options: choices.map(asOption), required: true })) as never;
  },
  async one(message, choices, initial) {
    const { select } = await import('@clack/prompts');
    return answered(await select({ message, options: choices.map(asOption), initialValue: initial })) as never;
  },
  async text(message, { initial, example, check } = {}) {
    const { text } = await import('@clack/prompts');
    const answer = await text({
      message,
      ...(initial !== undefined && { initialValue: initial }),
      ...(example !== undefined && { placeholder: example }),
      validate: (value) => check?.(value ?? ''),
    });
    // Undefined if nothing was typed.
    return answered<string | symbol | undefined>(answer) ?? '';
  },
};

/** The library answers a cancelled question with a symbol. */
function answered<Answer>(answer: Answer): Exclude<Answer, symbol> {
  if (typeof answer === 'symbol') throw new PromptCancelled();
  return answer as Exclude<Answer, symbol>;
}

function asOption({ value, label, hint }: { value: string; label: string; hint?: string }) {
  return { value, label, ...(hint !== undefined && { hint }) };
}
