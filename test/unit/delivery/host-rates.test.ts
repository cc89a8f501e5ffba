import { describe, expect, it } from 'vitest';
import { HostRates } from '../../../application/delivery/host-rates.ts';

const URL = 'https://receiver.example/hook';

describe('the attempts of an org to one host', () => {
  it('are as many a second as the setting says, after a burst of one second', async () => {
    const rates = new HostRates(20);
    const began = performance.now();
    for (let n = 0; n < 40; n++) expect(await rates.turn('org', URL)).toBe(true);
    const took = performance.now() - began;
    expect(took).toBeGreaterThan(850);
    expect(took).toBeLessThan(1_600);
    await rates.turn('another org', URL);
    expect(performance.now() - began).toBeLessThan(took + 50);
  });

  it('are asked in a long wait whether they still want to go, and go no more where they do not', async () => {
    const rates = new HostRates(0.25);
    await rates.turn('org', URL);
    let asked = 0;
    const began = performance.now();
    expect(await rates.turn('org', URL, () => Promise.resolve(++asked < 2))).toBe(false);
    expect(asked).toBe(2);
    expect(performance.now() - began).toBeLessThan(3_000);
  });
});
