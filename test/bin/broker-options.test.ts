import { describe, expect, it } from 'vitest';
import { withBroker, type BrokerOptions } from '../../bin/broker-options.ts';
import { configOf } from '../harness/settings-for-tests.ts';

const known = { url: 'https://broker.example.com', publish: true, token: 'brk_known', providerVersion: 'v1' };
const config = configOf({}, { pact: { broker: known, providerStates: { url: 'http://127.0.0.1/states' } } });

function brokerOf(options: BrokerOptions, from = config) {
  return withBroker(from, options, { BROKER_TOKEN: 'brk_flag' }).pact?.broker;
}

describe('the broker of a run', () => {
  it('is that of the config without flags', () => {
    expect(withBroker(config, {}, {})).toBe(config);
  });

  it('is changed by flags, which keep all other values', () => {
    expect(brokerOf({ providerVersion: 'v2', providerBranch: 'main' })).toEqual({
      ...known,
      providerVersion: 'v2',
      providerBranch: 'main',
    });
    expect(withBroker(config, { providerVersion: 'v2' }, {}).pact?.providerStates).toEqual(config.pact?.providerStates);
  });

  it('gets its own token, and not that of another broker', () => {
    expect(brokerOf({ brokerUrl: 'https://other.example.com' })?.token).toBeUndefined();
    expect(brokerOf({ brokerUrl: 'https://other.example.com', brokerToken: 'env:BROKER_TOKEN' })?.token).toBe(
      'brk_flag',
    );
    expect(brokerOf({ brokerToken: 'env:BROKER_TOKEN' })).toEqual({ ...known, token: 'brk_flag' });
  });

  it.each<[BrokerOptions, string]>([
    [{ publish: true }, 'The broker flags need an address'],
    [{ brokerUrl: 'https://broker.example.com', publish: true }, '--publish needs --provider-version'],
    [{ brokerUrl: 'http://broker.example.com' }, 'pact.broker.url'],
    [{ brokerUrl: 'https://broker.example.com', brokerToken: 'brk_1' }, '--broker-token: expected env:NAME'],
    [{ brokerUrl: 'https://broker.example.com', brokerToken: 'env:NOT_SET' }, 'NOT_SET is not set'],
  ])('is refused for %j', (options, why) => {
    expect(() => brokerOf(options, configOf({}))).toThrow(why);
  });
});
