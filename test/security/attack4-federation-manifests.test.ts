import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import { manifestDigest, type Manifest } from '../../domain/record-type/manifest.ts';
import { readEntry } from '../../domain/vault/open-entry.ts';
import { databases } from '../support/databases.ts';
import { verifiedExport } from '../support/forged-bytes.ts';
import { useForgedOffers } from '../support/offers-on.ts';
import type { Body } from '../support/world.ts';

type Edit = (manifest: JsonObject) => JsonObject;

const having =
  (more: JsonObject): Edit =>
  (manifest) => ({ ...manifest, ...more });
const without =
  (name: string): Edit =>
  (manifest) =>
    Object.fromEntries(Object.entries(manifest).filter(([member]) => member !== name));
const gate = (id: string, more: JsonObject = {}): JsonObject => ({
  id,
  description: '',
  expression: 'true',
  severity: 'block',
  ...more,
});

/** The manifest of an offer passes the bounds of registration (protocols.md 5); each of these fails at registration. */
describe.each(databases())('the manifest of an offer, on $name', { timeout: 60_000 }, (kind) => {
  const hubs = useForgedOffers(kind);

  const offered = async (edit: Edit) => {
    const { content } = hubs().offers.liar.first;
    const manifest = edit(content.manifest!);
    const { type, publisher, version } = manifest as unknown as Manifest;
    const digest = manifestDigest(manifest as unknown as Manifest);
    const message = await hubs().offers.message(
      (predicate) => {
        const schema = predicate['schema'] as JsonObject;
        return {
          ...predicate,
          schema: { ...schema, type, publisher, version, manifestDigest: digest },
        };
      },
      { manifest, items: content.items as never },
    );
    const { status, body } = await hubs().offers.liar.send(message);
    return { status, body, homeId: message.recordId };
  };

  it('control: is taken as home registered it', async () => {
    expect((await offered((manifest) => manifest)).status).toBe(200);
  });

  it('control: is taken at the bounds of registration', async () => {
    const edit = having({
      type: 'a'.repeat(96),
      publisher: 'b'.repeat(64),
      version: Number.MAX_SAFE_INTEGER,
      title: 't'.repeat(256),
      description: 'd\n'.repeat(2_048),
      gates: Array.from({ length: 64 }, (_, n) => gate(`${n}`.padStart(64, 'g'))),
      maxRevisions: 1_000,
      maxDisputes: 100,
      verdictWindowSeconds: 3_155_760_000,
    });
    expect((await offered(edit)).status).toBe(200);
  });

  // A name or a number without end was a 500 on MySQL, again at each repetition; taken and shown on SQLite.
  it.each<[string, Edit]>([
    ['a type of 300 letters', having({ type: '\u202e'.padEnd(300, 'x') })],
    ['a type of no letters', having({ type: '' })],
    ['a reserved name of a type', having({ type: 'export' })],
    ['a publisher of 300 letters', having({ publisher: '\u202e'.padEnd(300, 'x') })],
    ['a reserved publisher', having({ publisher: 'service' })],
    ['revisions beyond 2^63', having({ maxRevisions: 1e21 })],
    // Was taken on both: its digest was another one when it was read again, and nothing was signed on the record any more (409).
    ['revisions of 2^60', having({ maxRevisions: 2 ** 60 })],
    ['disputes beyond 2^63', having({ maxDisputes: 1e21 })],
    ['no criteriaSchema, which was a 500 on both', without('criteriaSchema')],
    ['no title', without('title')],
    ['a title that turns its direction', having({ title: '\u202etxt.exe' })],
    ['a member that no manifest has', having({ more: 1 })],
    ['the org of a registration', having({ orgId: '0190b6f2-5a6e-7c3d-8e4f-000000000001' })],
    ['a window that is no whole number', having({ verdictWindowSeconds: 0.5 })],
    ['a description of 200,000 letters', having({ description: 'x'.repeat(200_000) })],
    ['two gates of one id', having({ gates: [gate('g'), gate('g')] })],
    ['a gate with the id of the cascade rule', having({ gates: [gate('cascade')] })],
    ['a gate of 5,000 letters', having({ gates: [gate('g', { expression: ' '.repeat(5_000) })] })],
    ['a gate with an id of 300 letters', having({ gates: [gate('g'.repeat(300))] })],
    ['65 gates', having({ gates: Array.from({ length: 65 }, (_, n) => gate(`g${n}`)) })],
  ])('is refused under seal with %s', async (_, edit) => {
    const { status, body } = await offered(edit);
    expect(status).toBe(422);
    const attestation = readEntry(Buffer.from(String(body['attestation']), 'base64'));
    expect(attestation?.predicate).toMatchObject({ outcome: 'refused', code: 'MANIFEST_REFUSED' });
  });

  // SQLite: the performer's hub took it, and its own file was INVALID for ever.
  it('does not spoil the file of the performer', async () => {
    const { homeId } = await offered(having({ maxRevisions: 1e21 }));
    const { client } = hubs().pair.far.world.performer;
    const { body } = await client.get('/v1/records?limit=200');
    const mirror = ((body['data'] ?? []) as Body[]).find(
      ({ federation }) => federation?.recordId === homeId,
    );
    if (!mirror) return;
    const { failures } = await verifiedExport(client, String(mirror['id']), hubs().pair.far);
    expect(failures).toEqual([]);
  });

  // 64 gates are the most at registration. One offer of 1,000 held the event loop for seconds, and cost its peer one call.
  it('does not stop the event loop', async () => {
    const expression = (n: number): string =>
      `evidence.score > ${n}${' && evidence.score > 1'.repeat(90)}`;
    const gates = Array.from({ length: 1_000 }, (_, n) =>
      gate(`g${n}`, { expression: expression(n) }),
    );
    let longest = 0;
    let last = performance.now();
    const beat = setInterval(() => {
      const now = performance.now();
      longest = Math.max(longest, now - last);
      last = now;
    }, 5);
    try {
      await offered(having({ gates }));
      await new Promise((resolve) => setTimeout(resolve, 20));
    } finally {
      clearInterval(beat);
    }
    expect(longest).toBeLessThan(500);
  });
});
