import { fingerprintOf } from '../../vault/cose-key.ts';
import { VerifyingKeys } from '../../vault/signatures.ts';
import { Findings, NO_SUBJECT } from '../report/report.ts';
import { trustOf } from '../keys/trust.ts';
import { verifyKeyStatements, type KeyOutcome } from '../platform/verify-keys.ts';
import type { ReadFederation } from '../read/read-federation.ts';

/**
 * The keys of a peer, by its own key statements from the root that was registered for it. They stand apart from those of the
 * hub: none of either signs for the other.
 *
 * @returns null where there are none, or they do not begin with that root; the fault is reported.
 */
export const peerKeys = async (
  { keyStatements, vaultRoot, peerHubId }: ReadFederation,
  place: { readonly chainKey: string; readonly position: null },
  findings: Findings,
): Promise<KeyOutcome | null> => {
  const apart = new Findings();
  const outcome = await verifyKeyStatements(keyStatements, {
    trust: trustOf({ kind: 'fingerprint', sha256Hex: vaultRoot }),
    embedded: false,
    keys: new VerifyingKeys(),
    findings: apart,
  });
  const { failures } = apart.report(NO_SUBJECT, 'none');
  for (const { class: failureClass, detail } of failures)
    findings.fail(
      'keySuccession',
      'chain',
      failureClass,
      place,
      `a key statement of the peer: ${detail}`,
    );
  if (failures.length > 0) return null;
  const [root] = outcome.ring.values();
  // A key that came later could vouch for an invented one before it.
  if (!root?.verifying || fingerprintOf(root.verifying.key) !== vaultRoot) {
    findings.fail(
      'keySuccession',
      'chain',
      'CHAIN_KEY_POLICY_VIOLATION',
      place,
      `the key statements of the peer do not begin with the registered vault root sha256:${vaultRoot}`,
    );
    return null;
  }
  if (outcome.hub?.hubId === peerHubId) return outcome;
  findings.fail(
    'payloadBinding',
    'chain',
    'CHAIN_PAYLOAD_BINDING_MISMATCH',
    place,
    'the key statements of the peer are those of another hub',
  );
  return null;
};
