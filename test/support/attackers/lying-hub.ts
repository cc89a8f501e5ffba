import { encodeBase64 } from '../../../domain/kernel/base64.ts';
import type { JsonObject } from '../../../domain/kernel/canonical-json.ts';
import { sha256, toHex } from '../../../domain/kernel/digest.ts';
import { TOKENS } from '../../../config/tokens.ts';
import { Vault } from '../../../application/sealing/vault.ts';
import { PEER_PATHS } from '../../../domain/federation/request-signature.ts';
import type { StateTransitionMessage } from '../../../domain/federation/message.ts';
import {
  counterAttestationStatement,
  recordStatement,
} from '../../../domain/record/record-statement.ts';
import { sealEntry, signStatement, type ChainHead } from '../../../domain/vault/chain.ts';
import { readEntry } from '../../../domain/vault/open-entry.ts';
import { statement, withoutUndefined } from '../../../domain/vault/statement.ts';
import type { OpenRuntime, TestHub } from '../hubs/hub-pair.ts';
import { randomUUID } from 'node:crypto';
import type { Body } from '../service/world.ts';

/** One record of a hub whose operator signs what he likes: his keys are genuine, what he says is not. */
export class LyingHub {
  /** All entries that the other hub was sent so far. */
  readonly told: Uint8Array[] = [];
  private untold: Uint8Array[] = [];
  private head!: ChainHead;
  sequence = 0;

  private constructor(
    readonly runtime: OpenRuntime,
    readonly hub: TestHub,
    readonly victim: { readonly runtime: OpenRuntime; readonly hub: TestHub },
    readonly recordId: string,
    readonly first: StateTransitionMessage,
  ) {}

  /** @param recordId the liar's own id of the record. Goes on from what the liar's service said so far. */
  static async on(
    [runtime, hub]: readonly [OpenRuntime, TestHub],
    [other, otherHub]: readonly [OpenRuntime, TestHub],
    recordId: string,
    first?: StateTransitionMessage,
  ): Promise<LyingHub> {
    const sent = await runtime.part(TOKENS.federationReads).outgoingOf(recordId);
    const bodies = sent.map(
      ({ body }) => JSON.parse(Buffer.from(body).toString('utf8')) as StateTransitionMessage,
    );
    const liar = new LyingHub(
      runtime,
      hub,
      { runtime: other, hub: otherHub },
      recordId,
      (first ?? bodies[0])!,
    );
    for (const { entries, sequence } of bodies) {
      liar.told.push(...entries.map((text) => Buffer.from(text, 'base64')));
      liar.sequence = sequence;
    }
    if (liar.told.length > 0) liar.standOn(liar.told.at(-1)!);
    return liar;
  }

  /** The entry that the next one follows. */
  standOn(bytes: Uint8Array): void {
    const { header, predicate } = readEntry(bytes)!;
    this.head = {
      chainKey: header.chain!.chainKey,
      position: header.chain!.position,
      hash: sha256(bytes),
      at: String(predicate['at']),
    };
  }

  /** An entry that is to travel with the next message. */
  untell(bytes: Uint8Array): void {
    this.untold.push(bytes);
    this.standOn(bytes);
  }

  predicateAt(index: number): JsonObject {
    return readEntry(this.told.at(index)!)!.predicate;
  }

  /** What a record-state entry repeats, from the newest that was told. */
  repeated(): JsonObject {
    const {
      terms: _t,
      messageHash: _m,
      reason: _r,
      gate: _g,
      verdict: _v,
      cancelledBy: _c,
      coSignature: _s,
      onBehalfOf: _o,
      ...rest
    } = [...this.told, ...this.untold]
      .map((bytes) => readEntry(bytes)!.predicate)
      .findLast((predicate) => 'transition' in predicate)!;
    return rest;
  }

  /** Seals an entry on the liar's version of the chain; its own database never hears of it. */
  async seal(
    kind: 'record-state' | 'counter-attestation',
    predicate: JsonObject | Body,
  ): Promise<Uint8Array> {
    const vault = this.runtime.part(Vault);
    const at = String(predicate['at'] ?? new Date().toISOString());
    const whole = withoutUndefined({ ...predicate, at });
    const stated =
      kind === 'record-state'
        ? recordStatement(vault.hub.predicateBase, whole as never)
        : counterAttestationStatement(vault.hub.predicateBase, whole as never);
    const entry = await sealEntry(vault.seal, this.head.chainKey, this.head, stated, {
      entryType: whole['entryType'] as never,
      recordId: this.recordId,
      orgId: null,
      at,
      oidcIss: null,
      oidcSub: null,
    });
    this.standOn(entry.coseSign1);
    this.untold.push(entry.coseSign1);
    return entry.coseSign1;
  }

  /** A reference on a record that is proposed, which changes nothing of it: home may say so at any time. */
  refer(n: number, more: JsonObject = {}): Promise<Uint8Array> {
    return this.say('REFERENCE_ADDED', ['add-reference', 'PROPOSED', 'PROPOSED'], {
      actor: this.predicateAt(0)['actor'],
      reference: sealedReference({ uri: `https://files.example/${n}` }),
      ...more,
    });
  }

  /** An entry of the state of the record, with what every one repeats. */
  async say(
    entryType: string,
    [action, from, to]: readonly [string, string, string],
    more: JsonObject | Body,
  ): Promise<Uint8Array> {
    return this.seal('record-state', {
      ...this.repeated(),
      entryType,
      at: new Date().toISOString(),
      requestId: randomUUID(),
      transition: { action, from, to },
      ...more,
    });
  }

  /** The next message, about the newest entry. */
  async message(
    changes: JsonObject = {},
    content: StateTransitionMessage['content'] = { items: [] },
    more: JsonObject = {},
  ): Promise<JsonObject> {
    const vault = this.runtime.part(Vault);
    const last = this.untold.at(-1) ?? this.told.at(-1)!;
    const { predicate, header } = readEntry(last)!;
    const transition = predicate['transition'] as JsonObject;
    const projection = {
      ...(this.first.projection as unknown as JsonObject),
      at: String(predicate['at']),
      sequence: this.sequence + 1,
      action: transition?.['action'] ?? 'view',
      state: transition?.['to'] ?? 'ACTIVE',
      position: header.chain!.position,
      headHash: toHex(sha256(last)),
      ...changes,
    } as JsonObject;
    const signed = await signStatement(
      vault.seal,
      'projection',
      String(projection['recordId']),
      statement(
        vault.hub.predicateBase,
        'federation-projection',
        `record/${String(projection['recordId'])}`,
        String(projection['headHash']),
        projection,
      ),
      String(projection['at']),
    );
    const entries = this.untold;
    this.told.push(...entries);
    this.untold = [];
    this.sequence++;
    return {
      messageId: randomUUID(),
      toHubId: projection['toHubId']!,
      recordId: projection['recordId']!,
      originHubId: projection['originHubId']!,
      sequence: projection['sequence']!,
      state: projection['state']!,
      projection,
      statement: encodeBase64(signed),
      entries: entries.map((bytes) => encodeBase64(bytes)),
      content: content as unknown as JsonObject,
      ...more,
    };
  }

  /** A message that was sent before, with a new signature of the same projection. */
  async signedAnew(body: StateTransitionMessage): Promise<JsonObject> {
    const vault = this.runtime.part(Vault);
    const at = new Date().toISOString();
    const projection = { ...(body.projection as unknown as JsonObject), at };
    const { recordId, headHash } = body.projection;
    const signed = await signStatement(
      vault.seal,
      'projection',
      recordId,
      statement(
        vault.hub.predicateBase,
        'federation-projection',
        `record/${recordId}`,
        headHash,
        projection,
      ),
      at,
    );
    const said = body as unknown as JsonObject;
    return { ...said, messageId: randomUUID(), projection, statement: encodeBase64(signed) };
  }

  /** Over the network, under the liar's genuine hub key. */
  async send(body: JsonObject): Promise<Answer> {
    const peer = await this.runtime.part(TOKENS.peerReads).find(this.victim.hub.hubId);
    const path = 'signalId' in body ? PEER_PATHS.signals : PEER_PATHS.stateTransitions;
    const { status, body: bytes } = await this.runtime
      .part(TOKENS.peerTransport)
      .post(peer!, path, new TextEncoder().encode(JSON.stringify(body)));
    return { status, body: JSON.parse(Buffer.from(bytes).toString('utf8')) as Body };
  }
}

/** A reference as an entry names it. */
export const sealedReference = (changes: JsonObject = {}): JsonObject => ({
  id: randomUUID(),
  kind: 'document',
  uri: 'https://files.example/1',
  digest: null,
  label: null,
  ...changes,
});

export interface Answer {
  readonly status: number;
  readonly body: Body;
}
