import fc from 'fast-check';
import { AWKWARD_STRINGS } from '../generators/text-edges.ts';
import { formatKinds } from '../generators/format-kinds.ts';

// What an experienced user of fast-check would write for message.received, with the variety of `fromSchema`: edges of
// every field in one value of five, short and long strings in all scripts, few and many turns, optional fields in any
// combination.

const letters = [...'abcdefghijklmnopqrstuvwxyz'];
const others = [
  ...'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 .,-äöüßéñçøłžĞşПриветمرحباשלום日本語한국"\'\\/<>&%${}[]()#@!?\n\r\t\u200b\u0301😀🚀',
];

const withEdges = <T>(edges: readonly T[], usual: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight: 1, arbitrary: fc.constantFrom(...edges) }, { weight: 4, arbitrary: usual });

/** Free text: usually short, half of it in plain letters. */
function text(minLength: number, maxLength: number): fc.Arbitrary<string> {
  const longest = 'The quick brown fox jumps over the lazy dog. '.repeat(100).slice(0, maxLength);
  const of = (units: readonly string[], most: number) =>
    fc.string({ unit: fc.constantFrom(...units), minLength, maxLength: Math.min(maxLength, most), size: 'max' });
  const usual = fc.oneof(
    ...[letters, [...letters, ...others]].flatMap((units) => [
      { weight: 9, arbitrary: of(units, minLength + 2) },
      { weight: 6, arbitrary: of(units, minLength + 4) },
      { weight: 4, arbitrary: of(units, minLength + 9) },
      { weight: 1, arbitrary: of(units, minLength + 60) },
    ]),
  );
  const short = ['a'.repeat(minLength), ...Object.values(AWKWARD_STRINGS)].filter((each) => each.length <= maxLength);
  return fc.oneof({ weight: 1, arbitrary: fc.constant(longest) }, { weight: 300, arbitrary: withEdges(short, usual) });
}

const id = withEdges(
  [1, 2, 255, 65_536, 2 ** 31, Number.MAX_SAFE_INTEGER],
  fc.oneof(
    fc.nat(1000).map((n) => n + 1),
    fc.maxSafeNat().map((n) => Math.max(1, n)),
  ),
);

const two = (max: number, min = 0) => fc.integer({ min, max }).map((n) => String(n).padStart(2, '0'));
const moment = withEdges(
  formatKinds['svc-utc-timestamp']?.edges ?? [],
  fc
    .tuple(fc.integer({ min: 1990, max: 2060 }), two(12, 1), two(28, 1), two(23), two(59), two(59))
    .map(([year, month, day, hour, minute, second]) => `${year}-${month}-${day}T${hour}:${minute}:${second}`),
);

const list = <T>(item: fc.Arbitrary<T>, maxLength: number): fc.Arbitrary<T[]> =>
  fc.oneof(
    { weight: 9, arbitrary: fc.array(item, { maxLength: 2, size: 'max' }) },
    { weight: 6, arbitrary: fc.array(item, { maxLength: Math.min(4, maxLength), size: 'max' }) },
    { weight: 4, arbitrary: fc.array(item, { maxLength: Math.min(9, maxLength), size: 'max' }) },
    { weight: 1, arbitrary: fc.array(item, { minLength: maxLength, maxLength, size: 'max' }) },
  );

const skill = fc.record(
  {
    id,
    key: text(1, 200),
    name: text(1, 200),
    description: text(0, 200),
    kind: fc.constantFrom('forward', 'alert'),
    announcement: fc.option(text(0, 200), { freq: 3 }),
  },
  { requiredKeys: ['id', 'key', 'name', 'kind', 'announcement'] },
);

const label = fc.stringMatching(/^[a-z0-9]{1,20}$/);
const contact = fc.record(
  {
    id,
    name: text(1, 200),
    phone: fc.stringMatching(/^\+[1-9][0-9]{6,14}$/),
    email: fc
      .tuple(
        label,
        fc.constantFrom('', '.b', '+tag'),
        fc.constantFrom('', 'mail.', 'a1.'),
        fc.constantFrom('com', 'org', 'net'),
      )
      .map(([name, more, sub, top]) => `${name}${more}@${sub}example.${top}`),
  },
  { requiredKeys: ['id'] },
);

const segment = fc.stringMatching(/^[A-Za-z0-9._~-]{1,80}$/);
const host = fc.oneof(
  fc.constant('[::1]'),
  fc.tuple(fc.integer({ min: 100, max: 199 }), fc.nat(199), fc.nat(199), fc.nat(199)).map((parts) => parts.join('.')),
  fc
    .array(fc.stringMatching(/^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/), { minLength: 1, maxLength: 5 })
    .map((parts) => parts.join('.')),
);
const replyUrl = fc
  .tuple(
    fc.constantFrom('http', 'https'),
    host,
    fc.option(fc.integer({ min: 10, max: 65_535 }), { nil: undefined }),
    fc.array(segment, { minLength: 1, maxLength: 8 }),
  )
  .map(([scheme, name, port, path]) => `${scheme}://${name}${port === undefined ? '' : `:${port}`}/${path.join('/')}`);

const conversation = {
  projectId: id,
  channel: fc.constantFrom('whatsapp', 'webchat', 'telegram', 'chat'),
  contact,
  message: fc.record({ id, text: text(1, 4000), receivedAt: moment }),
  history: list(
    fc.record({ role: fc.constantFrom('customer', 'agent', 'team', 'system'), text: text(1, 4000), at: moment }),
    30,
  ),
  replyUrl,
};

/** Events `message.received`, written with fast-check alone. */
export const messageReceivedByHand: fc.Arbitrary<unknown> = fc.record({
  id: fc.stringMatching(/^evt_[A-Za-z0-9]{8,40}$/),
  type: fc.constant('message.received'),
  createdAt: moment,
  protocol: fc.constant('2026-10-11'),
  workspaceId: id,
  agentId: id,
  data: fc.oneof(
    fc.record({ ...conversation, skills: list(skill, 10), autoReply: fc.constant({ state: 'on' }) }),
    fc.record({
      ...conversation,
      skills: fc.constant([]),
      autoReply: fc.record({ state: fc.constant('paused'), pausedUntil: moment }),
    }),
    fc.record({ ...conversation, skills: fc.constant([]), autoReply: fc.constant({ state: 'off' }) }),
  ),
});
