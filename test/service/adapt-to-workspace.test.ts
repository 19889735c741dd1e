import { describe, expect, it } from 'vitest';
import { adaptToWorkspace } from '../../service/adapt-to-workspace.ts';

const inbox = {
  workspace: { id: 7, timeZone: 'Europe/Berlin' },
  contacts: { numberOf: (_: number, phone: string) => phone },
};
const skill = (id: number, key: string) => ({ id, key, name: key, kind: 'alert' });

describe('the skills of an event', () => {
  it.each([
    ['different keys and ids', [skill(1, 'a'), skill(2, 'b')], [1, 2]],
    ['one key twice', [skill(1, 'a'), skill(2, 'a'), skill(3, 'b')], [1, 3]],
    ['one id twice', [skill(1, 'a'), skill(1, 'b')], [1]],
    ['a key that is the id of another', [skill(2, 'a'), skill(1, '2')], [2]],
    ['a key that is its own id', [skill(2, '2'), skill(3, '3')], [2, 3]],
  ])('are distinct by key and id: %s', (_, skills, expected) => {
    const ids = (list: unknown) => (list as { id: number }[]).map(({ id }) => id);
    const message = adaptToWorkspace(inbox, { data: { contact: { id: 1 }, skills } });
    expect(ids(message.data.skills)).toEqual(expected);
    expect(ids(adaptToWorkspace(inbox, { callId: 'call_1', skills }).skills)).toEqual(expected);
  });

  it('are unchanged if they are not objects', () => {
    expect(adaptToWorkspace(inbox, { skills: 'none' })).toEqual({ skills: 'none' });
    expect(adaptToWorkspace(inbox, { skills: ['a', 'a'] })).toEqual({ skills: ['a', 'a'] });
  });
});
