/**
 * Signs of data that strangers must not receive (interface: What the service does), by the words of a message. They
 * are guesses, so they only ever inform: a price list or a street number may look alike.
 */
const signs: readonly { what: string; found: (text: string) => boolean }[] = [
  {
    what: 'an amount of money',
    found: (text) => /(?:€|\$|£|\b(?:EUR|USD|CHF|GBP)\b)\s?\d|\d\s?(?:€|\$|£|(?:EUR|USD|CHF|GBP|Euro)\b)/i.test(text),
  },
  {
    what: 'a bank account number',
    found: (text) => /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,4})?\b/.test(text),
  },
  { what: 'a card number', found: (text) => (text.match(/\b\d(?:[ -]?\d){12,18}\b/g) ?? []).some(passesLuhn) },
  {
    what: 'health data',
    found: (text) =>
      /\b(?:diagnos|erkrank|krankheit|allergi|schwanger|therapie|medikament|diabet|disease|illness|pregnan|medication|prescription|disabilit|behinderung)/i.test(
        text,
      ),
  },
];

/** The sensitive data that a message seems to disclose to a stranger; `undefined` when there is none. */
export function sensitiveHint(text: string): string | undefined {
  return signs.find(({ found }) => found(text))?.what;
}

/** The check digit of payment cards (ISO/IEC 7812-1, annex B). */
function passesLuhn(number: string): boolean {
  const digits = [...number.replace(/\D/g, '')].reverse().map(Number);
  const sum = digits.reduce((total, digit, at) => {
    const value = at % 2 === 0 ? digit : digit * 2;
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}
