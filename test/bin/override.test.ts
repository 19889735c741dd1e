import { describe, expect, it } from 'vitest';
import { overrideAt, readOverride, withOverrides, formatPath } from '../../simulate/send/override.ts';

const event = {
  id: 'evt_1',
  data: { contact: { id: 1, name: 'A' }, skills: [{ key: 'sales' }], history: [], metadata: {}, appointment: null },
};
const set = (text: string) => readOverride(text, '--set');
const setJson = (text: string) => readOverride(text, '--set-json');

describe('a field that is set', () => {
  it.each([
    ['a string', set('data.contact.name=Erika = B'), ['data', 'contact', 'name'], 'Erika = B'],
    ['an empty text', set('id='), ['id'], ''],
    ['JSON', setJson('data.skills=[]'), ['data', 'skills'], []],
    ['null', setJson('data.contact=null'), ['data', 'contact'], null],
    ['of an item', set('data.skills[0].key=x'), ['data', 'skills', 0, 'key'], 'x'],
    ['the item after the last', setJson('data.skills[1]={"key":"y"}'), ['data', 'skills', 1], { key: 'y' }],
    ['with a dot in its name', set(String.raw`data.metadata.a\.b=1`), ['data', 'metadata', 'a.b'], '1'],
  ])('%s', (_, override, path, value) => {
    expect(override.path).toEqual(path);
    const changed = withOverrides(event, [override]).value;
    expect(path.reduce<ReturnType<typeof JSON.parse>>((inner, step) => inner[step], changed)).toEqual(value);
    // Nothing else has changed, and the given event is unchanged.
    expect(event.data.contact.name).toBe('A');
    expect(Object.keys(changed as object)).toEqual(['id', 'data']);
  });

  it('is set one after the other, so that the last one counts', () => {
    const overrides = [setJson('data.contact={"id":2}'), set('data.contact.name=B'), set('id=x'), set('id=y')];
    expect(withOverrides(event, overrides).value).toMatchObject({ id: 'y', data: { contact: { id: 2, name: 'B' } } });
  });

  it('that does not exist is added, and reported with similar names', () => {
    const { value, added } = withOverrides(event, [set('data.contct.name=B'), set('data.contct.id=1'), set('new.a=1')]);
    expect(value).toMatchObject({ data: { contct: { name: 'B', id: '1' } }, new: { a: '1' } });
    expect(added).toEqual([
      { path: 'data.contct', hint: ' Did you mean contact?' },
      { path: 'new', hint: '' },
    ]);
    expect(withOverrides(event, [set('data.contact.name=B')]).added).toEqual([]);
  });

  it('of any name is only a field', () => {
    const { value } = withOverrides(event, [set('__proto__.polluted=1'), set('constructor.prototype.polluted=1')]);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    expect(JSON.stringify(value)).toMatch(
      /"__proto__":\{"polluted":"1"\},"constructor":\{"prototype":\{"polluted":"1"\}\}\}$/,
    );
  });
});

describe('what cannot be set is explained', () => {
  it.each([
    ['data', /^--set data: expected a path, = and a value, such as --set data\.contact\.name=Erika\.$/],
    ['=x', /expected a path, = and a value/],
    ['.a=1', /expected names separated by dots, such as data\.skills\[0\]\.key, received \.a\.$/],
    ['a..b=1', /received a\.\.b\.$/],
    ['a.=1', /received a\.\.$/],
    ['a[x]=1', /received a\[x\]\.$/],
    ['[0]=1', /received \[0\]\.$/],
  ])('%s', (text, message) => {
    expect(() => set(text)).toThrow(message);
  });

  it('a value that is not JSON', () => {
    expect(() => setJson('data.contact={')).toThrow(
      /^--set-json data\.contact=\{: the value after = is not JSON: .* Use --set for a string\.$/,
    );
  });

  it('a value that is nested too deep, without repeating it', () => {
    const deep = `${'['.repeat(60_000)}${']'.repeat(60_000)}`;
    expect(() => setJson(`data=${deep}`)).toThrow(
      /^--set-json data: the value after = is JSON nested more than 200 levels deep\.$/,
    );
  });

  it.each([
    ['data.contact.name.first=x', "data.contact.name is a string and has no fields. Set the whole value: --set-json 'data.contact.name=…'."],
    ['data.appointment.id=x', "data.appointment is null and has no fields. Set the whole value: --set-json 'data.appointment=…'."],
    ['data.skills.key=x', 'data.skills is a list: give an index, such as data.skills[0].'],
    ['data[0]=x', 'data is an object: give a field.'],
    ['data.skills[2]=x', 'data.skills has 1 item; to add one, use data.skills[1].'],
    ['data.history[1]=x', 'data.history has 0 items; to add one, use data.history[0].'],
  ])('%s', (text, message) => {
    expect(() => withOverrides(event, [set(text)])).toThrow(`--set ${text}: ${message}`);
  }); // prettier-ignore
});

it('a set value is found by its path, also inside a larger set value', () => {
  const overrides = [setJson('data={"contact":{"name":"B","phone":null}}'), set('data.contact.name=C')];
  expect(overrideAt(overrides, 'data.contact.name')).toBe('C');
  expect(overrideAt(overrides, 'data.contact.phone')).toBe(null);
  expect(overrideAt(overrides, 'data.contact.email')).toBeUndefined();
  expect(overrideAt(overrides, 'callbackUrl')).toBeUndefined();
  expect(formatPath(['a', 0, 'b.c', 'd'])).toBe(String.raw`a[0].b\.c.d`);
});
