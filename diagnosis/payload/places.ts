import { parsePointer } from '../../specs/json-pointer.ts';
import { isJsonObject } from '../../specs/json-object.ts';

/** A copy with another value at a JSON Pointer; `undefined` removes the field. */
export function withValueAt<T>(value: T, pointer: string, put: unknown): T {
  const change = (inner: unknown, [step, ...rest]: readonly string[]): unknown => {
    if (step === undefined) return put;
    if (Array.isArray(inner)) {
      const items = [...(inner as unknown[])];
      const at = Number(step);
      if (rest.length === 0 && put === undefined) items.splice(at, 1);
      else items[Math.min(at, items.length)] = change(items[at], rest);
      return items;
    }
    const fields = isJsonObject(inner) ? inner : {};
    if (rest.length === 0 && put === undefined) {
      return Object.fromEntries(Object.entries(fields).filter(([name]) => name !== step));
    }
    return { ...fields, [step]: change(fields[step], rest) };
  };
  return change(value, parsePointer(pointer)) as T;
}

/** The pointer to the parent of a place, and its name there. */
export function parentOf(pointer: string): { parent: string; name: string } {
  const at = pointer.lastIndexOf('/');
  return { parent: pointer.slice(0, Math.max(0, at)), name: parsePointer(pointer).at(-1) ?? '' };
}

/** `data.history[3].role`, as a developer writes it. */
export function dotted(pointer: string): string {
  const text = parsePointer(pointer)
    .map((step) =>
      /^\d+$/.test(step)
        ? `[${step}]`
        : /^[A-Za-z_$][\w$]*$/.test(step)
          ? `.${step}`
          : `[${JSON.stringify(step.slice(0, 40))}]`,
    )
    .join('');
  return text.replace(/^\./, '');
}
