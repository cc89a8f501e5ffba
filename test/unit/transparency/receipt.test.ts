import { describe, expect, it } from 'vitest';
import {
  readReceipt,
  signReceipt,
  verifyConsistency,
  verifyInclusion,
} from '../../../domain/transparency/receipt.ts';
import {
  consistencyPath,
  foldPeaks,
  GrowingTree,
  inclusionPath,
  leafHash,
  type NodeId,
} from '../../../domain/transparency/rfc9162-tree.ts';
import { publicKeyFromSpki } from '../../../domain/vault/cose-key.ts';
import { VerifyingKeys } from '../../../domain/vault/signatures.ts';
import { checkConsistency, checkInclusion } from '../../support/vectors/independent-receipts.ts';
import { webCryptoSigner } from '../../support/attackers/make-export.ts';

const HUB = '0190a000-0000-7000-8000-000000000001';
const LOG = 'scitt:0190a000-0000-7000-8000-000000000002';
const inputOf = (index: number): Uint8Array => new TextEncoder().encode(`leaf ${index}`);

/** A tree with its nodes at hand. */
const treeOf = (size: number) => {
  const tree = new GrowingTree(0, []);
  const nodes = new Map<string, Uint8Array>();
  const roots: Uint8Array[] = [tree.root];
  for (let index = 0; index < size; index++) {
    for (const { level, index: at, hash } of tree.append(leafHash(inputOf(index))))
      nodes.set(`${level}/${at}`, hash);
    roots.push(tree.root);
  }
  const pathOf = (parts: readonly (readonly NodeId[])[]): readonly Uint8Array[] =>
    parts.map((ids) => foldPeaks(ids.map(({ level, index }) => nodes.get(`${level}/${index}`)!)));
  return { roots, pathOf };
};

describe.each(['Ed25519', 'ES256'] as const)('a receipt (RFC 9942) signed with %s', (algorithm) => {
  it('shows each leaf of trees of any size to a verifier that is not ours, and to ours', async () => {
    const signer = await webCryptoSigner(algorithm);
    const key = new VerifyingKeys().of(publicKeyFromSpki(signer.publicKey));
    for (const size of [1, 2, 3, 7, 8, 13]) {
      const { roots, pathOf } = treeOf(size);
      for (let leafIndex = 0; leafIndex < size; leafIndex++) {
        const receipt = await signReceipt(
          { hubId: HUB, signer },
          LOG,
          {
            kind: 'inclusion',
            treeSize: size,
            leafIndex,
            path: pathOf(inclusionPath(leafIndex, size)),
          },
          roots[size]!,
        );
        const seen = checkInclusion(receipt, inputOf(leafIndex), signer.publicKey);
        expect(seen).toEqual({
          kid: signer.keyId,
          iss: `urn:service:${HUB}`,
          sub: LOG,
          size,
          leafIndex,
          root: Buffer.from(roots[size]!).toString('hex'),
        });
        expect(await verifyInclusion(receipt, inputOf(leafIndex), key)).toBe('valid');
        expect(await verifyInclusion(receipt, inputOf(leafIndex + 1), key)).toBe('invalid');
      }
    }
  });

  it('shows that a log grew from an older root, to both', async () => {
    const signer = await webCryptoSigner(algorithm);
    const key = new VerifyingKeys().of(publicKeyFromSpki(signer.publicKey));
    const { roots, pathOf } = treeOf(13);
    for (let from = 1; from <= 13; from++) {
      const proof = {
        kind: 'consistency',
        from,
        to: 13,
        path: pathOf(consistencyPath(from, 13)),
      } as const;
      const receipt = await signReceipt({ hubId: HUB, signer }, LOG, proof, roots[13]!);
      checkConsistency(receipt, roots[from]!, roots[13]!, signer.publicKey);
      expect(await verifyConsistency(receipt, roots[from]!, roots[13]!, key)).toBe('valid');
      expect(await verifyConsistency(receipt, roots[from - 1]!, roots[13]!, key)).toBe('invalid');
    }
  });

  it('is refused with any byte changed', async () => {
    const signer = await webCryptoSigner(algorithm);
    const key = new VerifyingKeys().of(publicKeyFromSpki(signer.publicKey));
    const { roots, pathOf } = treeOf(5);
    const proof = {
      kind: 'inclusion',
      treeSize: 5,
      leafIndex: 2,
      path: pathOf(inclusionPath(2, 5)),
    } as const;
    const receipt = await signReceipt({ hubId: HUB, signer }, LOG, proof, roots[5]!);
    for (let at = 0; at < receipt.length; at++) {
      const changed = receipt.slice();
      changed[at]! ^= 1;
      expect(await verifyInclusion(changed, inputOf(2), key), `byte ${at}`).not.toBe('valid');
    }
    expect(readReceipt(receipt).proof).toEqual(proof);
  });
});
