import { describe, expect, it } from 'vitest';
import { AllowedRanges } from '../../adapters/egress/allowed-ranges.ts';

// Contract of application/egress/address-rules.port.ts
describe('the rules of addresses', () => {
  const rules = new AllowedRanges(['10.1.0.0/16', '::1/128']);
  const isForbidden = (url: string): boolean => rules.isForbidden(new URL(url).hostname);

  it.each([
    'https://10.0.0.1/',
    'https://127.0.0.1/',
    'https://169.254.169.254/latest',
    'https://192.168.1.1:8443/',
    'https://[fd00::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://0x7f.1/',
  ])('%s is forbidden', (url) => expect(isForbidden(url)).toBe(true));

  it.each([
    'https://10.1.2.3/',
    'https://[::1]:8443/',
    'https://1.1.1.1/',
    'https://[2606:4700::1111]/',
    'https://receiver.example/',
    'https://localhost/',
  ])('%s is not', (url) => expect(isForbidden(url)).toBe(false));
});
