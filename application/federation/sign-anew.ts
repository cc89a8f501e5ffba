import type { OutgoingMessage } from '../../domain/federation/federation-store.port.ts';
import { decodeBase64Strict, encodeBase64 } from '../../domain/kernel/base64.ts';
import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import { hashJson, sha256Hex } from '../../domain/kernel/digest.ts';
import { nextAt, signStatement } from '../../domain/vault/chain.ts';
import { parseStatement } from '../../domain/vault/parsed-statement.ts';
import { statement } from '../../domain/vault/statement.ts';
import { payloadDrift } from '../sealing/head-check.ts';
import type { UnitOfWork } from '../ports/unit-of-work.port.ts';
import type { Vault } from '../sealing/vault.ts';
import type { LaneHead } from '../sharing/outgoing.port.ts';

/** Lanes that begin within so many ms rest on one look at the keys. */
const FRESH_MS = 100;

/**
 * A message keeps its statement as it was signed, however often it is sent. Where the key of the statement was retired as
 * compromised no peer takes it any more, so it is signed anew by the active key: the same payload but for `at`. The former
 * statement is kept, because the peer may have attested it already.
 */
export class SignAnew {
  private refreshedAt = -Infinity;

  constructor(
    private readonly vault: Vault,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** The message as it is to be sent. What the peer answered already stays as it is. */
  async fresh(message: LaneHead): Promise<LaneHead> {
    if (!this.isOfStolenKey(message.body)) return message;
    return this.unitOfWork.transaction(async (stores) => {
      await stores.records.lock(message.recordId);
      const kept = await stores.federation.outgoing(message.recordId, message.sequence);
      if (!kept) throw payloadDrift(message.recordId, 'a message to its peer');
      // Another node may have been here first.
      if (kept.answer !== null || !this.isOfStolenKey(kept.body)) return { ...kept };
      const anew = await this.signed(kept);
      await stores.federation.signedAnew(anew);
      return { ...anew };
    });
  }

  /** Another process may have retired the key; one that signs nothing learns of it here. */
  async refresh(): Promise<void> {
    const now = performance.now();
    if (now - this.refreshedAt < FRESH_MS) return;
    await this.vault.refreshIfRotated();
    this.refreshedAt = now;
  }

  private isOfStolenKey(body: Uint8Array): boolean {
    if (this.vault.retirements.size === 0) return false;
    const { kid } = parseStatement(statementIn(bodyOf(body))).header;
    return this.vault.retirements.get(kid)?.reason === 'compromised';
  }

  private async signed(message: OutgoingMessage): Promise<OutgoingMessage> {
    const body = bodyOf(message.body);
    const former = statementIn(body);
    const { header, statement: said } = parseStatement(former);
    if (!said) throw payloadDrift(message.recordId, 'the statement of a message');
    const { seal, hub } = this.vault;
    const at = nextAt(this.clock.now(), null, seal);
    const predicate = { ...said.predicate, at };
    const isSignal = message.route === 'signals';
    const anew = await signStatement(
      seal,
      'projection',
      header.sub,
      statement(
        hub.predicateBase,
        isSignal ? 'settlement-signal' : 'federation-projection',
        said.subjectName,
        isSignal ? hashJson(predicate) : said.subjectDigest,
        predicate,
      ),
      at,
    );
    const members = {
      ...body,
      statement: encodeBase64(anew),
      ...(isSignal ? {} : { projection: predicate }),
    };
    return {
      ...message,
      body: new TextEncoder().encode(JSON.stringify(members)),
      statementHash: sha256Hex(anew),
      former: [...message.former, former],
    };
  }
}

/** The row is under a MAC: this hub wrote it. */
const bodyOf = (body: Uint8Array): JsonObject =>
  JSON.parse(new TextDecoder().decode(body)) as JsonObject;

const statementIn = (body: JsonObject): Uint8Array => {
  const bytes = decodeBase64Strict(String(body['statement']));
  if (!bytes) throw new TypeError('a message without a statement');
  return bytes;
};
