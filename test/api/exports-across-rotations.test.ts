import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CheckpointRound } from '../../application/vault/checkpoint-round.ts';
import type { RunningService } from '../../config/service.ts';
import { verifyAuditExport } from '../../domain/verification/verify-audit-export.ts';
import { trustOf } from '../../domain/verification/trust.ts';
import { databases } from '../support/databases.ts';
import { VaultRig } from '../support/vault-rig.ts';
import { ok, type Body } from '../support/world.ts';

const REFERENCE = (n: number) => ({ kind: 'ticket', uri: `https://example.org/${n}` });

describe.each(databases())('audit exports across rotations on $name', (kind) => {
  const rig = new VaultRig(kind, { CHECKPOINT_INTERVAL: '1440' });
  /** Public keys, SPKI in base64, oldest first. */
  const pins: string[] = [];
  const exports: Record<string, Body> = {};

  const verdict = async (document: Body, ...trusted: string[]): Promise<string> => {
    const report = await verifyAuditExport(JSON.stringify(document), {
      trust: trusting(trusted),
    });
    return report.verdict === 'valid'
      ? 'valid'
      : `${report.verdict}: ${report.failures.map((failure) => failure.class).join(' ')}`;
  };

  beforeAll(async () => {
    await rig.prepare();
    await rig.run(async (service) => {
      const principal = rig.at(service, rig.world.principal.client);
      const note = () =>
        ok(principal.post('/v1/records', { type: 'note', criteria: { text: 'n' } }));
      const refer = ({ id }: Body, n: number) =>
        ok(principal.post(`/v1/records/${id}/references`, REFERENCE(n)));
      const exported = ({ id }: Body) => ok(principal.get(`/v1/records/${id}/audit-export`));
      const rotate = () =>
        ok(rig.at(service, rig.world.platform).post('/v1/admin/vault/signing-keys/rotate'));
      pins.push(await newestPin(service, rig));
      const before = await note();
      const across = await note();
      const twice = await note();
      await refer(twice, 1);
      exports['a file made before'] = await exported(before);
      await rotate();
      pins.push(await newestPin(service, rig));
      await refer(across, 2);
      await refer(twice, 2);
      await rotate();
      pins.push(await newestPin(service, rig));
      await refer(across, 3);
      const after = await note();
      exports['a record that ended before'] = await exported(before);
      exports['a record across'] = await exported(across);
      exports['a record with entries of two retired keys'] = await exported(twice);
      exports['a record after'] = await exported(after);
      await service.container.get(CheckpointRound).run();
      exports['with a round'] = await exported(across);
    });
  });
  afterAll(() => rig.end());

  it.each([
    'a record that ended before',
    'a record across',
    'a record with entries of two retired keys',
    'a record after',
    'with a round',
  ])('%s is valid under each pin, and under all of them', async (name) => {
    const document = exports[name]!;
    for (const pin of pins) expect(await verdict(document, pin)).toBe('valid');
    expect(await verdict(document, ...pins)).toBe('valid');
    expect(document['keyStatements']).toHaveLength(5);
  });

  it('shows one retirement for each retired key that signed, and the newest round', () => {
    const shown = (name: string) => exports[name]!['retirements'].map((row: Body) => row['keyId']);
    expect(shown('a record after')).toEqual([]);
    expect(shown('a record that ended before')).toHaveLength(1);
    expect(shown('a record with entries of two retired keys')).toHaveLength(2);
    expect(exports['a record after']!['log']).toBeNull();
    expect(exports['with a round']!['log']).toMatchObject({
      inclusion: { leafIndex: exports['with a round']!['checkpoint'].logIndex },
    });
  });

  it('a file made before a rotation is valid under the old pin, and "cannot tell" under a newer one alone', async () => {
    const file = exports['a file made before']!;
    expect(await verdict(file, pins[0]!)).toBe('valid');
    expect(await verdict(file, pins[1]!)).toBe('cannot_tell: ');
  });

  it.each<[string, (document: Body) => void, string]>([
    [
      'without the retirement',
      (document) => document['retirements'].pop(),
      'CHAIN_KEY_POLICY_VIOLATION',
    ],
    [
      'with another place in the log',
      (document) => document['retirements'][0].inclusion.leafIndex++,
      'CHAIN_KEY_POLICY_VIOLATION CHECKPOINT_ROOT_MISMATCH',
    ],
    [
      'with another size',
      (document) => document['retirements'][0].inclusion.treeSize++,
      'CHAIN_KEY_POLICY_VIOLATION CHECKPOINT_ROOT_MISMATCH',
    ],
    [
      'with another path',
      (document) => (document['retirements'][0].inclusion.path[0] = '00'.repeat(32)),
      'CHAIN_KEY_POLICY_VIOLATION CHECKPOINT_ROOT_MISMATCH',
    ],
    [
      'with the same retirement twice',
      (document) => document['retirements'].push(document['retirements'][0]),
      'CHAIN_KEY_POLICY_VIOLATION',
    ],
    [
      'with another root of the newest round',
      (document) => (document['log'].inclusion.path[0] = '00'.repeat(32)),
      'CHECKPOINT_ROOT_MISMATCH',
    ],
  ])('is refused %s', async (_what, change, classes) => {
    const document = structuredClone(exports['with a round']!);
    change(document);
    expect(await verdict(document, pins[2]!)).toMatch(new RegExp(`^invalid: ${classes}`));
  });
});

/** The newest key, as somebody would keep it who reads the listing now. */
const newestPin = async (service: RunningService, rig: VaultRig): Promise<string> =>
  (await ok(rig.at(service, rig.world.anonymous).get('/v1/verification-keys')))['data'][0]
    .publicKey;

const trusting = (pins: readonly string[]) =>
  trustOf({ kind: 'keys', spki: pins.map((pin) => new Uint8Array(Buffer.from(pin, 'base64'))) });
