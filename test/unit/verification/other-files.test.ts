import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { bundleToJSON, toDSSEBundle, toMessageSignatureBundle } from '@sigstore/bundle';
import { beforeAll, describe, expect, it } from 'vitest';
import { preAuthEncoding, signBundle } from '../../../domain/vault/sigstore-bundle.ts';
import { trustOf, type Trust } from '../../../domain/verification/keys/trust.ts';
import { verifyFile } from '../../../domain/verification/verify-file.ts';
import { TestHub } from '../../support/attackers/make-export.ts';

/** A provenance statement as a build system signs it (SLSA v1), which is of no notary. */
const PROVENANCE = Buffer.from(
  JSON.stringify({
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name: 'pkg:npm/left-pad@1.3.0', digest: { sha512: 'ab'.repeat(64) } }],
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: { buildDefinition: { buildType: 'https://example.org/build/v1' } },
  }),
);
const TYPE = 'application/vnd.in-toto+json';

describe('a file that this verifier has no rules for is "cannot tell", never invalid', () => {
  let hub: TestHub;
  let trust: Trust;
  let builder: KeyObject;
  beforeAll(async () => {
    hub = await TestHub.start();
    trust = trustOf({ kind: 'keys', spki: [hub.spki] });
    builder = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  });
  const judged = (file: Uint8Array | string) => verifyFile(file, { trust });
  const foreign = async (file: Uint8Array | string): Promise<string> => {
    const report = await judged(file);
    expect(report).toMatchObject({ verdict: 'cannot_tell', exitCode: 2, failures: [] });
    return report.reasons.join();
  };
  const signature = (over: Uint8Array): Buffer => sign('sha256', over, builder);

  it('a Sigstore bundle of another project, in each of its forms', async () => {
    const dsse = {
      artifact: PROVENANCE,
      artifactType: TYPE,
      signature: signature(preAuthEncoding(TYPE, PROVENANCE)),
    };
    for (const bundle of [
      toDSSEBundle({ ...dsse, keyHint: 'SHA256:builder' }),
      toDSSEBundle({ ...dsse, certificate: Buffer.from('a certificate') }),
      toMessageSignatureBundle({
        digest: Buffer.alloc(32, 1),
        signature: signature(PROVENANCE),
        certificate: Buffer.from('a certificate'),
      }),
    ])
      expect(await foreign(JSON.stringify(bundleToJSON(bundle)))).toContain('another project');
  });

  it('but a bundle that names a trusted key, or holds a statement of ours, is judged', async () => {
    const [entry] = (await hub.export(await hub.notarize())).chain.entries;
    const payload = Buffer.from(JSON.stringify(entry!.statement));
    const bundle = await signBundle(hub.signer, payload);
    const edited = (part: object) => JSON.stringify({ ...bundle, ...part });
    for (const file of [
      edited({ mediaType: 'application/vnd.dev.sigstore.bundle.v0.2+json' }),
      edited({ verificationMaterial: { ...bundle.verificationMaterial, tlogEntries: [{}] } }),
      edited({
        dsseEnvelope: { ...bundle.dsseEnvelope, payload: PROVENANCE.toString('base64') },
      }),
    ])
      expect((await judged(file)).verdict).toBe('invalid');
  });

  it('a COSE statement of another project', async () => {
    for (const name of ['valid-es256', 'valid-eddsa'])
      expect(
        await foreign(Uint8Array.from(readFileSync(`test/vectors/scitt/${name}/statement.cose`))),
      ).toContain('another project');
  });

  it('an export in another form, as one document, a tree or lines', async () => {
    const exported = await hub.export(await hub.notarize());
    const { record, chain, ...rest } = exported;
    const next = { formatVersion: '2.0', service: { ...exported.service, version: '9.1.0' } };
    for (const file of [
      JSON.stringify({ ...exported, ...next, novelty: 1 }),
      JSON.stringify({ ...rest, ...next, records: [{ record, chain }], omitted: 0 }),
      `${JSON.stringify({ kind: 'header', ...next, record, chain })}\n{"kind":"novelty"}\n`,
    ]) {
      const reason = await foreign(file);
      expect(reason).toContain('the format 2.0');
      expect(reason).toContain('9.1.0');
    }
    expect((await judged(JSON.stringify({ ...exported, novelty: 1 }))).verdict).toBe('invalid');
    const { formatVersion: _left, ...without } = exported;
    expect((await judged(JSON.stringify(without))).verdict).toBe('invalid');
  });
});
