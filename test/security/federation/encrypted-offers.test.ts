import { beforeAll, describe, expect, it } from 'vitest';
import { hashJson } from '../../../domain/kernel/digest.ts';
import type { JsonObject } from '../../../domain/kernel/canonical-json.ts';
import { recipientsOf } from '../../../domain/record/jwe.ts';
import { publish, SEALED_JOB } from '../../support/stories/encrypted-world.ts';
import { ForgedOffers } from '../../support/attackers/forged-bytes.ts';
import { useLyingPair } from '../../support/attackers/lying-pair.ts';
import { decryptionKey, encryptTo, type DecryptionKey } from '../../support/vectors/jwe.ts';
import { ok } from '../../support/service/world.ts';

type Edit = (jwe: JsonObject) => JsonObject;
const base64url = (value: unknown): string =>
  Buffer.from(JSON.stringify(value)).toString('base64url');
const recipients = (jwe: JsonObject): readonly JsonObject[] =>
  jwe['recipients'] as readonly JsonObject[];
const withHeaders =
  (more: JsonObject): Edit =>
  (jwe) => ({
    ...jwe,
    recipients: recipients(jwe).map((one) => ({
      ...one,
      header: { ...(one['header'] as JsonObject), ...more },
    })),
  });

/** Content that no local record of an encrypted type may have. */
const MALFORMED: readonly (readonly [string, Edit])[] = [
  ['cleartext', () => ({ goal: 'in the clear' })],
  ['a member in the clear', (jwe) => ({ ...jwe, goal: 'in the clear' })],
  [
    'the flattened form',
    ({ recipients: all, ...jwe }) => ({ ...jwe, ...(all as readonly JsonObject[])[0]! }),
  ],
  ['no tag', ({ tag: _, ...jwe }) => jwe],
  ['an empty ciphertext', (jwe) => ({ ...jwe, ciphertext: '' })],
  ['a ciphertext that is not base64url', (jwe) => ({ ...jwe, ciphertext: 'not base64url!' })],
  ['a protected header that is not JSON', (jwe) => ({ ...jwe, protected: 'AAAA' })],
  ['an unknown enc', (jwe) => ({ ...jwe, protected: base64url({ enc: 'A1GCM' }) })],
  ['no enc', (jwe) => ({ ...jwe, protected: base64url({ typ: 'JOSE' }) })],
  ['an IV of another length', (jwe) => ({ ...jwe, iv: 'AAAA' })],
  ['no recipient', (jwe) => ({ ...jwe, recipients: [] })],
  [
    'one recipient twice',
    (jwe) => ({ ...jwe, recipients: [...recipients(jwe), recipients(jwe)[0]!] }),
  ],
  [
    'an encrypted key of another length',
    (jwe) => ({
      ...jwe,
      recipients: recipients(jwe).map((one) => ({ ...one, encrypted_key: 'AAAA' })),
    }),
  ],
  ['an alg that is not supported', withHeaders({ alg: 'RSA1_5' })],
  ['an unknown header parameter', withHeaders({ note: 'in the clear' })],
];

describe('an offer of an encrypted record', () => {
  const hubs = useLyingPair();
  let offers: ForgedOffers;
  let readers: readonly DecryptionKey[];
  /** Both parties can read this content, at both hubs. */
  let good: JsonObject;
  beforeAll(async () => {
    const { home, far } = hubs().pair;
    readers = await Promise.all((['X25519', 'P-256', 'X25519'] as const).map(decryptionKey));
    await publish(home.world.admin, home.world.principal.id, readers[0]!);
    await publish(far.world.admin, far.world.performer.id, readers[1]!);
    await publish(far.world.admin, far.world.principal.id, readers[2]!);
    for (const { world } of [home, far]) await ok(world.admin.post('/v1/schemas', SEALED_JOB));
    good = await encryptTo(readers, { goal: 'hush' });
    offers = await ForgedOffers.by(hubs().home, hubs().far, hubs().pair, {
      type: 'sealed-job',
      criteria: good,
    });
  });

  /** Home offers these criteria, and seals their hash and recipients as it does for any others. */
  const offered = async (
    criteria: JsonObject,
    sealed: readonly string[] = recipientsOf(criteria),
  ) => {
    const hash = hashJson(criteria);
    const { content } = offers.body as { readonly content: { readonly manifest: JsonObject } };
    return offers.liar.send(
      await offers.message(
        (predicate) => ({
          ...predicate,
          criteriaHash: hash,
          encryption: { recipients: [...sealed] },
        }),
        { manifest: content.manifest, items: [{ kind: 'criteria', hash, value: criteria }] },
      ),
    );
  };
  /** The same criteria in a local record of the other hub. */
  const local = (criteria: JsonObject) =>
    hubs().pair.far.world.principal.client.post('/v1/records', {
      type: 'sealed-job',
      criteria,
      performerAgentId: hubs().pair.far.world.performer.id,
    });

  it('control: is accepted if a local record is accepted', async () => {
    const { status, body } = await offered(good);
    expect([status, body['detail']]).toEqual([200, undefined]);
    expect((await local(good)).status).toBe(201);
  });

  it.each(MALFORMED)('is refused with %s, as a local record is', async (_name, edit) => {
    const criteria = edit(good);
    const atHome = await local(criteria);
    expect([400, 422]).toContain(atHome.status);
    const { status, body } = await offered(
      criteria,
      readers.map(({ kid }) => kid),
    );
    expect(status).toBe(422);
    // The refusal has a reason, and the refusing hub signs it.
    expect(['CONTENT_REFUSED', 'RECIPIENTS_WRONG', 'BROKEN']).toContain(body['reason']);
    expect(body['attestation']).toBeTypeOf('string');
    expect(body['detail']).toMatch(/^The offer is not taken: ./);
  });

  it('is refused if no party of the receiving hub can read its content', async () => {
    const { status, body } = await offered(await encryptTo([readers[0]!], { goal: 'hush' }));
    expect([status, body['reason']]).toEqual([422, 'RECIPIENTS_WRONG']);
  });

  it('is refused if its entry names other recipients than its content', async () => {
    const sealed = readers.map(({ kid }) => kid);
    const stranger = (await decryptionKey('X25519')).kid;
    for (const other of [[sealed[1]!], [...sealed, stranger], sealed.toReversed()]) {
      const { status, body } = await offered(good, other);
      expect([status, body['reason']]).toEqual([422, 'CONTENT_REFUSED']);
      expect(body['detail']).toContain('recipients');
    }
  });
});
