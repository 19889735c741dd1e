import { describe, expect, it } from 'vitest';
import { isAllowedAddress } from '../../service/is-allowed-address.ts';

describe('an address that the service may be configured to call', () => {
  it.each([
    'https://integrator.example/chat?tenant=7',
    'https://integrator.example:8443',
    'HTTPS://Integrator.Example/',
    'https://93.184.216.34/chat',
    'https://[2606:4700::1111]/',
    'https://172.32.0.1/',
    'https://198.20.0.1/',
    'https://192.0.3.1/',
    'https://[2003::1]/',
    'https://localhost/',
    'http://localhost:3000/chat',
    'http://ai.localhost/chat',
    'http://127.0.0.1:8080/#part',
    'http://127.9.9.9/',
    'http://[::1]:8080/chat',
    'http://localhost.:3000/chat',
    'http://ai.localhost./chat',
    'https://integrator.example./chat',
    // Other notations of 127.0.0.1.
    'http://2130706433/',
  ])('may be %s', (address) => {
    expect(isAllowedAddress(address, 'https')).toBe(true);
    expect(isAllowedAddress(address.replace(/^http/i, 'ws').replace('#part', ''), 'wss')).toBe(true);
  });

  it.each([
    '',
    'chat',
    '/chat',
    '//integrator.example/chat',
    'https://',
    'http://integrator.example/chat',
    'http://localhost.integrator.example/',
    'http://127.0.0.1.integrator.example/',
    'ftp://integrator.example/',
    'javascript:alert(1)',
    'https://user@integrator.example/',
    'https://user:word@integrator.example/',
    ' https://integrator.example/',
    'https://integrator.example/a b',
    'https://integrator.example/\nX: y',
    'https://0.0.0.0/',
    'https://10.0.0.1/',
    'https://100.64.1.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://172.16.0.1/',
    'https://192.168.1.1/',
    'https://224.0.0.1/',
    'https://255.255.255.255/',
    'https://[::]/',
    'https://[fc00::1]/',
    'https://[fe80::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:93.184.216.34]/',
    'https://[100::1]/',
    'https://[2001::1]/',
    'https://[2001:db8::1]/',
    'https://[2002:a00:1::]/',
    'https://192.0.0.1/',
    'https://192.0.2.1/',
    'https://198.18.0.1/',
    'https://198.19.255.255/',
    'https://198.51.100.1/',
    'https://203.0.113.1/',
    'https://240.0.0.1/',
    'https://10.0.0.1./',
    'http://integrator.example./',
    'https://0x0a000001/',
  ])('is not %j', (address) => {
    expect(isAllowedAddress(address, 'https')).toBe(false);
    expect(isAllowedAddress(address.replace(/^http/, 'ws'), 'wss')).toBe(false);
  });

  it('has the scheme of its purpose', () => {
    expect(isAllowedAddress('wss://integrator.example/', 'https')).toBe(false);
    expect(isAllowedAddress('https://integrator.example/', 'wss')).toBe(false);
    expect(isAllowedAddress('ws://localhost/', 'https')).toBe(false);
    expect(isAllowedAddress('wss://integrator.example/#part', 'wss')).toBe(false);
    expect(isAllowedAddress('https://integrator.example/#part', 'https')).toBe(true);
  });
});
