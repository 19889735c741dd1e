/**
 * The links of a correct integrator: every form with both addresses, and values with every character that must be
 * encoded. Written from the interface document alone.
 */
export const correctLinks: readonly string[] = [
  'https://app.example.com/open/project?id=1001',
  'https://app.example.com/open/project?crmId=2026%2F0815',
  'https://app.example.com/open/project?crmId=A%2BB%20100%25%20%26%20%23%7B7%7D',
  'https://app.example.com/open/project?crmContactId=K%2F77%20M%C3%BCller%20%22a%2Bb%22%20%26%20Co%20%23%25',
  'https://app.example.com/open/dial?number=%2B4930901820',
  'svc://open/project?id=1001',
  'svc://open/project?crmId=Stra%C3%9Fe%20%7C%20%F0%9F%8C%B1',
  'svc://open/project?crmContactId=K-77',
  'svc://open/dial?number=%2B49%C2%A030%20%2F%20901820',
].map((link) => link.replace('%23%7B7%7D', '%23%7B7%7D'));

/** The correct links followed by others, as the lines of a file. */
export function listing(...added: readonly string[]): string[] {
  return [...correctLinks, ...added];
}
