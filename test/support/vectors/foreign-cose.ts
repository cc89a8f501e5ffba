import { createPublicKey, type KeyObject } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { decodeBase64Strict } from '../../../domain/kernel/base64.ts';
import { trustOf } from '../../../domain/verification/keys/trust.ts';
import { verifyAuditExport } from '../../../domain/verification/formats/verify-audit-export.ts';
import { TestHub } from '../attackers/make-export.ts';

/** Checks that a COSE library of another author verifies what we seal. Only one such library may run in a process. */
export const verifiesWhatWeSeal = (
  library: string,
  verify: (bytes: Uint8Array, key: KeyObject) => Promise<boolean>,
): void =>
  describe.each([
    { algorithm: 'Ed25519', canonicalization: 'jcs' },
    { algorithm: 'Ed25519', canonicalization: 'cde' },
    { algorithm: 'ES256', canonicalization: 'jcs' },
    { algorithm: 'ES256', canonicalization: 'cde' },
  ] as const)(
    `${library}, a COSE library that is not ours ($algorithm, $canonicalization)`,
    (options) => {
      const isValid = (bytes: Uint8Array, key: KeyObject): Promise<boolean> =>
        verify(bytes, key).catch(() => false);

      it('verifies every entry, key statement and checkpoint that we seal, and refuses a changed byte of each', async () => {
        const hub = await TestHub.start(options);
        const document = await hub.export(await hub.gate());
        const key = createPublicKey({ key: Buffer.from(hub.spki), format: 'der', type: 'spki' });
        const sealed = [
          ...document.chain.entries,
          ...document.keyStatements,
          ...document.checkpoints,
        ].map(({ coseSign1 }) => decodeBase64Strict(coseSign1)!);
        expect(sealed).toHaveLength(6);
        for (const bytes of sealed) {
          expect(await isValid(bytes, key)).toBe(true);
          const changed = bytes.slice();
          changed[changed.length - 80]! ^= 1; // the end of the payload
          expect(await isValid(changed, key)).toBe(false);
        }
      });

      it('does not disturb our own reading when it shares our process', async () => {
        const hub = await TestHub.start(options);
        const report = await verifyAuditExport(JSON.stringify(await hub.export(await hub.gate())), {
          trust: trustOf({ kind: 'keys', spki: [hub.spki] }),
        });
        expect(report.verdict).toBe('valid');
      });
    },
  );
