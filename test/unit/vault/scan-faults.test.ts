import { expect, it } from 'vitest';
import { ScanFaults } from '../../../application/vault/scan/scan-faults.ts';
import {
  MAX_FAULTS,
  MAX_FAULTS_OF_CHAIN,
  REASON_OF,
  SCAN_REASONS,
} from '../../../application/ports/scan-result.ts';
import { PLATFORM_CHAIN, schemaChain } from '../../../domain/vault/chain-key.ts';

const chainOf = (n: number): string => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;

it('every reason is that of a class of failure', () => {
  expect([...new Set(Object.values(REASON_OF))].sort()).toEqual([...SCAN_REASONS].sort());
});

it('lists so many faults at most, a few of each chain, and counts the others', () => {
  const faults = new ScanFaults();
  for (let n = 1; n <= 100; n++) {
    const chain = faults.ofChain(chainOf(n));
    for (let fault = 0; fault < 30; fault++) chain.drift(`fault ${fault}`);
    chain.close();
  }
  const { brokenRecords, omitted, broken, healthy } = faults.result;
  expect(brokenRecords).toHaveLength(MAX_FAULTS);
  expect(omitted).toBe(100 * 30 - MAX_FAULTS);
  expect(brokenRecords.filter(({ chainKey }) => chainKey === chainOf(1))).toHaveLength(
    MAX_FAULTS_OF_CHAIN,
  );
  expect({ broken, healthy }).toEqual({ broken: 100, healthy: 0 });
});

it('counts a chain once, whatever is found after it was counted', () => {
  const faults = new ScanFaults();
  const [platform, schema] = [
    faults.ofChain(PLATFORM_CHAIN),
    faults.ofChain(schemaChain(chainOf(1))),
  ];
  platform.close();
  schema.close();
  expect(faults.result).toMatchObject({ healthy: 2, broken: 0 });
  platform.drift('agents: a row');
  platform.drift('agents: another row');
  platform.close();
  faults.gone(chainOf(2), 'CHAIN_POSITION_GAP', 'the record has no chain');
  faults.gone(chainOf(2), 'CHECKPOINT_CHAIN_MISSING', 'the log has a checkpoint of it');
  expect(faults.result).toMatchObject({ healthy: 1, broken: 2, signatureErrors: 0, omitted: 0 });
  expect(
    faults.result.brokenRecords.map(({ recordId, chainKey, reason }) => [
      recordId,
      chainKey,
      reason,
    ]),
  ).toEqual([
    [null, PLATFORM_CHAIN, 'payload_drift'],
    [null, PLATFORM_CHAIN, 'payload_drift'],
    [chainOf(2), chainOf(2), 'position_gap'],
    [chainOf(2), chainOf(2), 'position_gap'],
  ]);
});

it('counts entries without a valid signature once each', () => {
  const faults = new ScanFaults();
  const chain = faults.ofChain(chainOf(1));
  const place = { chainKey: chainOf(1), position: 3 };
  chain.fail('signatures', 'chain', 'CHAIN_SIGNATURE_INVALID', place, 'one');
  chain.fail('signatures', 'chain', 'CHAIN_ALG_MISMATCH', place, 'two');
  chain.fail(
    'signatures',
    'chain',
    'CHAIN_UNSUPPORTED_ALGORITHM',
    { ...place, position: 4 },
    'three',
  );
  chain.close();
  expect(faults.result).toMatchObject({ broken: 1, signatureErrors: 2 });
  expect(faults.result.brokenRecords[2]).toMatchObject({
    position: 4,
    reason: 'unsupported_algorithm',
    class: 'CHAIN_UNSUPPORTED_ALGORITHM',
  });
});
