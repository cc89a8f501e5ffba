import { describe, expect, it } from 'vitest';
import { encodeBase64Url } from '../../../domain/kernel/base64.ts';
import type { VerificationReport } from '../../../domain/verification/report/report.ts';
import { trustOf } from '../../../domain/verification/keys/trust.ts';
import { verifyFile } from '../../../domain/verification/verify-file.ts';
import type { Signer } from '../../../domain/vault/signer.port.ts';
import {
  CRITERIA,
  rawKey,
  text,
  useCoSignedChains,
  type Asked,
  type Signed,
} from '../../support/clients/co-signed-chain.ts';
import { webCryptoSigner } from '../../support/attackers/make-export.ts';
import { verifySignedDump } from '../../support/attackers/signed-dump.ts';

const CREATED = { action: 'create', from: null, to: 'ACTIVE' } as const;

describe('an operator who uses a co-signature on another chain', () => {
  const rig = useCoSignedChains();

  const body = (): string =>
    text({
      type: 'invoice-approval',
      criteria: CRITERIA,
      performerAgentId: rig.hub.performer,
      autoActivate: true,
    });
  const empty = (): Signed => ({ chain: rig.hub.chain(CRITERIA), requests: new Map() });

  const created = async (signer: Signer = rig.agent): Promise<Signed> => {
    const signed = empty();
    await rig.append(
      signed,
      'RECORD_CREATED',
      CREATED,
      { actor: rig.actor('principal') },
      { path: '/v1/records', body: body() },
      (asked: Asked) => rig.coSign(asked, signer),
    );
    return signed;
  };

  /** Two records from the one that the agent asked for. */
  const twice = async (requestId?: string): Promise<readonly [Signed, Signed]> => {
    const both = [empty(), empty()] as const;
    const coSignature = await rig.coSign({
      path: '/v1/records',
      body: body(),
      at: rig.hub.now(),
    });
    for (const { chain, requests } of both) {
      await rig.hub.append(chain, 'RECORD_CREATED', CREATED, {
        coSignature,
        actor: rig.actor('principal'),
        ...(requestId === undefined ? {} : { requestId }),
      });
      requests.set(1, Buffer.from(body()).toString('base64'));
    }
    return both;
  };

  const inDump = (...signed: readonly Signed[]): Promise<VerificationReport> =>
    verifySignedDump(
      rig.hub,
      signed.map(({ chain }) => chain),
    );

  const inTree = async (...signed: readonly Signed[]): Promise<VerificationReport> => {
    const records: object[] = [];
    let frame = {};
    for (const one of signed) {
      const {
        record,
        manifest,
        parties,
        chain,
        retirements,
        acknowledgements,
        checkpoint,
        checkpoints,
        log,
        federation,
        ...rest
      } = await rig.exported(one);
      records.push({
        record,
        manifest,
        parties,
        chain,
        retirements,
        acknowledgements,
        checkpoint,
        checkpoints,
        log,
        federation,
      });
      frame = rest;
    }
    return verifyFile(JSON.stringify({ ...frame, omitted: 0, records }), {
      trust: trustOf({ kind: 'keys', spki: [rig.hub.spki] }),
    });
  };

  const invalidFor = (detail: RegExp) => ({
    verdict: 'invalid',
    failures: [
      { class: 'CHAIN_PAYLOAD_BINDING_MISMATCH', detail: expect.stringMatching(detail) as string },
    ],
  });

  it('finds nothing where each stands once', async () => {
    const { publicKey } = rig.agent;
    expect(publicKey.length).toBeGreaterThan(0);
    const both = [await created(), await created()] as const;
    expect(await inDump(...both)).toMatchObject({ verdict: 'valid', failures: [] });
    expect(await inTree(...both)).toMatchObject({ verdict: 'valid', failures: [] });
  });

  it('finds one under two records, in a dump and in a tree', async () => {
    const both = await twice();
    const found = invalidFor(/belongs to another request/);
    expect((await inDump(...both)).failures[0]).toMatchObject(found.failures[0]!);
    expect((await inTree(...both)).failures[0]).toMatchObject(found.failures[0]!);
  });

  it('finds it where the operator gives both records one request', async () => {
    const both = await twice(rig.hub.id());
    const found = invalidFor(/created another record/);
    expect(await inDump(...both)).toMatchObject(found);
    expect(await inTree(...both)).toMatchObject(found);
  });

  it('finds a certificate that has another key on another chain', async () => {
    const both = [await created(), await created(await webCryptoSigner('Ed25519'))] as const;
    const found = invalidFor(/bound to another key/);
    expect(await inDump(...both)).toMatchObject(found);
    expect(await inTree(...both)).toMatchObject(found);
  });

  it('finds a key that is not the one of the CERT_ISSUED in the dump', async () => {
    const issued = (signer: Signer) =>
      rig.hub.platformEntry('CERT_ISSUED', {
        ...rig.issued('principal'),
        publicKeyJwk: { kty: 'OKP', crv: 'Ed25519', x: encodeBase64Url(rawKey(signer)) },
      });
    await issued(await webCryptoSigner('Ed25519'));
    const { failures } = await inDump(await created());
    expect(failures).toContainEqual(
      expect.objectContaining({ detail: expect.stringMatching(/bound to another key/) as unknown }),
    );
  });
});
