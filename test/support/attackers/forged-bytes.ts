import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { Vault } from '../../../application/sealing/vault.ts';
import { TOKENS } from '../../../config/tokens.ts';
import { encodeBase64 } from '../../../domain/kernel/base64.ts';
import type { JsonObject } from '../../../domain/kernel/canonical-json.ts';
import { toHex } from '../../../domain/kernel/digest.ts';
import { recordStatement } from '../../../domain/record/record-statement.ts';
import { sealEntry, signStatement, type ChainHead } from '../../../domain/vault/chain.ts';
import { statement, type Statement } from '../../../domain/vault/statement.ts';
import type { VerificationReport } from '../../../domain/verification/report/report.ts';
import { trustOf, type Trust } from '../../../domain/verification/keys/trust.ts';
import { verifyFile } from '../../../domain/verification/verify-file.ts';
import { FederatedStory } from '../hubs/federated-story.ts';
import type { HubPair, OpenRuntime, TestHub } from '../hubs/hub-pair.ts';
import { LyingHub } from './lying-hub.ts';
import type { Body, Client } from '../service/world.ts';

/** The file of a record, and how an auditor holds it who pins the root of its hub. */
export const pinnedExport = async (
  { url, key }: Client,
  id: string,
  { identity }: TestHub,
): Promise<{ readonly input: string; readonly options: { readonly trust: Trust } }> => {
  const answer = await fetch(`${url}/v1/records/${id}/audit-export?evidence=true`, {
    headers: { authorization: `Bearer ${String(key)}` },
  });
  const sha256Hex = String(identity['vaultRoot']);
  return {
    input: await answer.text(),
    options: { trust: trustOf({ kind: 'fingerprint', sha256Hex }) },
  };
};

/** What he finds in it. */
export const verifiedExport = async (
  ...asked: Parameters<typeof pinnedExport>
): Promise<VerificationReport> => {
  const { input, options } = await pinnedExport(...asked);
  return verifyFile(input, options);
};

/** An entry of any statement, by the genuine key of a hub, on a chain that its database never has. */
export const sealedBy = async (
  runtime: OpenRuntime,
  stated: Statement,
  chainKey: string,
  head: ChainHead | null = null,
): Promise<Uint8Array> => {
  const { seal } = runtime.part(Vault);
  const { at, entryType } = stated.predicate as { at: string; entryType: never };
  const row = { entryType, recordId: null, orgId: null, at, oidcIss: null, oidcSub: null };
  return (await sealEntry(seal, chainKey, head, stated, row)).coseSign1;
};

/** Offers of a hub that never made such a record, each with an id of its own. */
export class ForgedOffers {
  private constructor(
    private readonly runtime: OpenRuntime,
    readonly liar: LyingHub,
    readonly body: JsonObject,
  ) {}

  /** After a genuine offer, which is not delivered before the door is open again. */
  static async by(
    home: readonly [OpenRuntime, TestHub],
    far: readonly [OpenRuntime, TestHub],
    pair: HubPair,
    extra: Body = {},
  ): Promise<ForgedOffers> {
    const story = new FederatedStory(pair);
    pair.far.door.isShut = true;
    try {
      await story.propose(extra);
      const [offer] = await home[0].part(TOKENS.federationReads).outgoingOf(story.homeId);
      const liar = await LyingHub.on(home, far, story.homeId);
      const body = JSON.parse(Buffer.from(offer!.body).toString('utf8')) as JsonObject;
      return new ForgedOffers(home[0], liar, body);
    } finally {
      pair.far.door.isShut = false;
    }
  }

  async message(edit: (predicate: JsonObject) => JsonObject, content?: JsonObject) {
    const { seal, hub } = this.runtime.part(Vault);
    const recordId = randomUUID();
    const terms = this.liar.predicateAt(0)['terms'] as JsonObject;
    const predicate = edit({
      ...this.liar.predicateAt(0),
      recordId,
      terms: { ...terms, rootRecordId: recordId },
    });
    const at = String(predicate['at']);
    const stated = recordStatement(hub.predicateBase, predicate as never);
    const row = { recordId: null, orgId: null, at, oidcIss: null, oidcSub: null };
    const entry = await sealEntry(seal, recordId, null, stated, {
      ...row,
      entryType: 'RECORD_PROPOSED',
    });
    const headHash = toHex(entry.hash);
    const projection: JsonObject = {
      ...(this.body['projection'] as JsonObject),
      recordId,
      headHash,
      position: 1,
    };
    const name = `record/${recordId}`;
    const told = statement(hub.predicateBase, 'federation-projection', name, headHash, projection);
    const signed = await signStatement(seal, 'projection', recordId, told, at);
    return {
      ...this.body,
      messageId: randomUUID(),
      recordId,
      projection,
      statement: encodeBase64(signed),
      entries: [encodeBase64(entry.coseSign1)],
      ...(content ? { content } : {}),
    } satisfies JsonObject;
  }
}

/** Another connection to the database of a hub, for who may write it. */
export const databaseIn = (folder: string): InstanceType<typeof DatabaseSync> => {
  const data = join(folder, 'data');
  const file = readdirSync(data).find((name) => /\.(db|sqlite3?)$/.test(name))!;
  const database = new DatabaseSync(join(data, file));
  database.exec('PRAGMA foreign_keys = OFF; PRAGMA busy_timeout = 5000');
  return database;
};

export const idBytes = (id: string): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex');
