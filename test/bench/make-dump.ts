/**
 * `npx tsx test/bench/make-dump.ts FOLDER ENTRIES`: a dump of that many entries, all of them signed, as a service would
 * take it that notarized, and saw work delivered and accepted. It prints the SHA-256 of the key to trust.
 */
import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';
import { createWriteStream, mkdirSync, type WriteStream } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { hashWithRuntime } from '../../adapters/system/runtime-sha256.ts';
import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import { hashJson } from '../../domain/kernel/digest.ts';
import { GrowingTree, leafHash } from '../../domain/transparency/rfc9162-tree.ts';
import type { ChainEntry } from '../../domain/vault/chain.ts';
import { sealCheckpoint, type TreeHead } from '../../domain/vault/checkpoint.ts';
import { fingerprintOf, keyIdOf, publicKeyFromSpki } from '../../domain/vault/cose-key.ts';
import type { Signer } from '../../domain/vault/signer.port.ts';
import {
  auditVaultRow,
  checkpointRow,
  DUMP_FILES,
  nameOfDumpFile,
} from '../../domain/verification/dump/rows/dump-rows.ts';
import { dumpOf } from '../support/attackers/signed-dump.ts';
import { BASE, TestHub, type TestChain } from '../support/attackers/make-export.ts';

/** @returns the fingerprint of the key that signed it. */
export const makeDump = async (folder: string, entries: number): Promise<string> => {
  hashWithRuntime();
  mkdirSync(folder, { recursive: true });
  const hub = await TestHub.start({ signer: fastSigner() });
  const texts = await dumpOf(hub, []);
  const files = Object.fromEntries(
    DUMP_FILES.map((file) => [file, createWriteStream(join(folder, nameOfDumpFile(file)))]),
  ) as Record<(typeof DUMP_FILES)[number], WriteStream>;
  for (const file of ['vault_signing_keys', 'vault_key_statements'] as const)
    files[file].write(texts[file]);
  const line = async (file: keyof typeof files, row: JsonObject): Promise<void> => {
    if (!files[file].write(`${JSON.stringify(row)}\n`)) await once(files[file], 'drain');
  };
  const tree = new GrowingTree(0, []);
  const cover = async (last: ChainEntry, treeHead?: TreeHead): Promise<void> => {
    const leaf = await sealCheckpoint(hub.seal, BASE, last, {
      id: hub.id(),
      logIndex: tree.size,
      at: hub.now(),
      ...(treeHead ? { tree: treeHead } : {}),
    });
    tree.append(leafHash(leaf.coseSign1));
    await line('vault_checkpoints', checkpointRow(leaf));
  };
  for (const entry of hub.platform) await line('audit_vault', auditVaultRow(entry));
  for (let made = hub.platform.length, turn = 0; made < entries; turn++) {
    const chain = turn % 4 === 0 ? await hub.notarize({ text: `note ${turn}` }) : await job(hub);
    for (const entry of chain.entries) await line('audit_vault', auditVaultRow(entry));
    await cover(chain.entries.at(-1)!);
    made += chain.entries.length;
  }
  await cover(hub.platform.at(-1)!, { size: tree.size, root: tree.root });
  for (const file of Object.values(files)) await new Promise<void>((done) => file.end(done));
  return fingerprintOf(publicKeyFromSpki(hub.spki));
};

/** Proposed, accepted, delivered, accepted again, with the signal that follows. */
const job = async (hub: TestHub): Promise<TestChain> => {
  const chain = hub.chain();
  const completion = { completionId: hub.id(), evidenceHash: hashJson({ of: chain.chainKey }) };
  await hub.append(chain, 'RECORD_PROPOSED', { action: 'create', from: null, to: 'PROPOSED' });
  await hub.append(chain, 'PROPOSAL_ACCEPTED', {
    action: 'accept',
    from: 'PROPOSED',
    to: 'ACTIVE',
  });
  await hub.append(
    chain,
    'COMPLETION_SUBMITTED',
    { action: 'submit-completion', from: 'ACTIVE', to: 'ACTIVE' },
    completion,
  );
  await hub.append(
    chain,
    'VERDICT_RENDERED',
    { action: 'render-verdict', from: 'ACTIVE', to: 'FULFILLED' },
    { ...completion, verdict: 'accept' },
  );
  await hub.signal(chain, 'SETTLE');
  return chain;
};

/** Without a turn of the event loop for each signature. */
const fastSigner = (): Signer => {
  const pair = generateKeyPairSync('ed25519', {
    publicKeyEncoding: { format: 'der', type: 'spki' },
    privateKeyEncoding: { format: 'der', type: 'pkcs8' },
  });
  const key = createPrivateKey({ key: pair.privateKey, format: 'der', type: 'pkcs8' });
  const publicKey = new Uint8Array(pair.publicKey);
  return {
    keyId: keyIdOf(publicKeyFromSpki(publicKey)),
    algorithm: 'Ed25519',
    publicKey,
    sign: (bytes) => Promise.resolve(new Uint8Array(sign(null, bytes, key))),
  };
};

if (import.meta.filename === process.argv[1])
  process.stdout.write(`${await makeDump(process.argv[2]!, Number(process.argv[3]))}\n`);
