import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fromHex, sha256, toHex } from '../../domain/kernel/digest.ts';
import { readReceipt, verifyInclusion } from '../../domain/transparency/receipt.ts';
import { leafHash, rootFrom } from '../../domain/transparency/rfc9162-tree.ts';
import { readStatement, StatementError } from '../../domain/transparency/scitt-statement.ts';
import { publicKeyFromSpki } from '../../domain/vault/cose-key.ts';
import { verifySignature, VerifyingKeys } from '../../domain/vault/signatures.ts';

/** Published by the scitt-cose project (NOTICE and LICENSE beside them). The input of a leaf is the digest of the statement there. */
const DIRECTORY = join(import.meta.dirname, 'scitt');
const RFC9162 = [
  'valid-es256',
  'valid-eddsa',
  'fail-bad-statement-sig',
  'fail-tampered-path',
  'fail-unsupported-vds',
] as const;

const bytesOf = (vector: string, name: string): Uint8Array =>
  new Uint8Array(readFileSync(join(DIRECTORY, vector, name)));
const expected = (vector: string) =>
  JSON.parse(readFileSync(join(DIRECTORY, vector, 'expected.json'), 'utf8'));
const keys = new VerifyingKeys();
const keyOf = (vector: string, name: string) =>
  keys.of(
    publicKeyFromSpki(
      new Uint8Array(
        Buffer.from(
          readFileSync(join(DIRECTORY, vector, name), 'utf8').replace(/-----[^-]+-----|\s/g, ''),
          'base64',
        ),
      ),
    ),
  );

describe.each(RFC9162)('the published vector %s', (vector) => {
  const told = expected(vector);

  it('has the statement that we read, with the verdict of its signature that is published', async () => {
    const statement = readStatement(bytesOf(vector, 'statement.cose'));
    expect(statement).toMatchObject({
      alg: told.protected_header.statement.alg_code,
      iss: told.protected_header.statement.issuer,
      sub: told.protected_header.statement.subject,
    });
    const key = keyOf(vector, 'issuer-key.pub');
    const result = await verifySignature(key, statement.signature, statement.signed, 'any');
    expect(result === 'valid').toBe(told.statement_signature_valid);
  });

  it('has the receipt that we read, with the verdict that is published', async () => {
    const input = sha256(bytesOf(vector, 'statement.cose'));
    expect(toHex(input)).toBe(told.leaf_entry);
    const bytes = bytesOf(vector, 'receipt.cose');
    expect(readReceipt(bytes)).toMatchObject(
      told.protected_header.receipt.vds === 1 ? { vds: 1 } : { vds: 2, proof: null },
    );
    const result = await verifyInclusion(bytes, input, keyOf(vector, 'log-key.pub'), 'any');
    expect(result === 'valid').toBe(told.receipt_valid);
    if (told.failure_code === 'UNSUPPORTED_VDS') expect(result).toBe('unsupported');
  });

  it('leads through our tree to the root that is published', () => {
    const path = told.inclusion_path.map((hash: string) => fromHex(hash));
    const root = rootFrom(
      leafHash(fromHex(told.leaf_entry)),
      told.leaf_index,
      told.tree_size,
      path,
    );
    if (told.reconstructed_root) expect(toHex(root!)).toBe(told.reconstructed_root);
    else expect(told.receipt_valid).toBe(false);
  });
});

describe('the published vectors', () => {
  it('include signatures with a high s, which ours never have', async () => {
    const refused: string[] = [];
    for (const vector of ['valid-es256'] as const) {
      const receipt = bytesOf(vector, 'receipt.cose');
      const input = sha256(bytesOf(vector, 'statement.cose'));
      const key = keyOf(vector, 'log-key.pub');
      if ((await verifyInclusion(receipt, input, key)) !== 'valid') refused.push('receipt');
      const { signature, signed } = readStatement(bytesOf(vector, 'statement.cose'));
      const issuer = keyOf(vector, 'issuer-key.pub');
      if ((await verifySignature(issuer, signature, signed)) !== 'valid') refused.push('statement');
    }
    expect(refused.length).toBeGreaterThan(0);
  });

  it('of another data structure (CCF) are unsupported and not called wrong, and a statement without sub is refused', async () => {
    const receipt = bytesOf('valid-ccf-vds2', 'receipt.cose');
    const key = keyOf('valid-ccf-vds2', 'issuer-key.pub');
    expect(await verifyInclusion(receipt, new Uint8Array(32), key, 'any')).toBe('unsupported');
    expect(() => readStatement(bytesOf('valid-ccf-vds2', 'statement.cose'))).toThrow(
      StatementError,
    );
  });
});
