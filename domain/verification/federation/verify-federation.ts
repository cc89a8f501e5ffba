import type { JsonObject } from '../../kernel/canonical-json.ts';
import { sha256Hex } from '../../kernel/digest.ts';
import { fingerprintOf } from '../../vault/cose-key.ts';
import { readEntry } from '../../vault/open-entry.ts';
import { SignatureChecks } from '../../vault/signatures.ts';
import type { ChainRow } from '../entry/chain-entry.ts';
import type { KeyStatementRow } from '../keys/key-material.ts';
import { Findings } from '../report/report.ts';
import { verifyChain } from '../chain/verify-chain.ts';
import { checkApplied } from './peer-applied-steps.ts';
import { MessageReader } from './peer-message-reader.ts';
import { missingOf } from './peer-told-entries.ts';
import type { OwnSide } from './own-side.ts';
import { equivocationsOf, equivocationText, twofoldAnswers } from './peer-equivocations.ts';
import { peerKeys } from './peer-keys.ts';
import type { ReadFederation, ReadMessage } from '../read/read-federation.ts';
import type { FederatedSide, SideMessage } from './federated-side.ts';
import { SigningHub } from '../platform/signing-hub.ts';

/**
 * Verifies what two hubs signed for each other of a record, as one of them keeps it: each message and each answer under the
 * keys of the hub whose name it bears, the entries that the peer sent as a chain, and that this hub's own chain says the
 * same. What the peer's chain says beyond shows where its own file is there too.
 */
export const verifyFederation = async (
  read: ReadFederation,
  own: OwnSide,
  findings: Findings,
): Promise<FederatedSide> => {
  const check = new FederationCheck(read, own, findings);
  return check.run();
};

class FederationCheck {
  private readonly signatures = new SignatureChecks();
  private readonly ours: SigningHub;
  private peer: SigningHub | null = null;
  private readonly place: { readonly chainKey: string; readonly position: null };
  /** Of the peer's chain, as it was sent. */
  private witnessed: readonly ChainRow[] = [];
  /** The record of the peer: as the file names it, or, where no answer of the peer did before, as its own chain does. */
  private peerRecordId: string | null;

  constructor(
    private readonly read: ReadFederation,
    private readonly own: OwnSide,
    private readonly findings: Findings,
  ) {
    const { chainKey, hub, ring } = own;
    this.place = { chainKey, position: null };
    this.peerRecordId = read.peerRecordId;
    this.ours = new SigningHub(hub, ring, chainKey, this.signatures, findings);
  }

  async run(): Promise<FederatedSide> {
    const { read, own, findings, place } = this;
    const { role, peerHubId, recordId } = own.federated.claim;
    if (read.role !== role || read.peerHubId !== peerHubId)
      this.fail('role and peerHubId are not those that the chain seals');
    if (recordId !== null && read.peerRecordId !== recordId)
      this.fail('peerRecordId is not the record of the home that the chain seals');
    const keys = read.keyStatements.length > 0 ? await peerKeys(read, place, findings) : null;
    if (keys?.hub) {
      this.peer = new SigningHub(keys.hub, keys.ring, own.chainKey, this.signatures, findings);
      if (!own.isHeldAgainstPeer)
        findings.note(
          `the keys of the peer are those that ${read.vaultRoot} leads to, which is the word of this hub alone: compare that root with the peer's, or give its file as well`,
        );
    } else if (read.keyStatements.length === 0 && read.statements.some(isOfPeer))
      findings.cannotTell(
        'peerSide',
        'cannot tell: the file holds no key statement of the peer, so nothing shows what the peer signed',
      );
    const reader = new MessageReader({
      own,
      peerHubId: read.peerHubId,
      peerRecordId: read.peerRecordId,
      ours: this.ours,
      peer: this.peer,
      lastApplied: read.statements.findLastIndex(isApplied),
      homeId: recordId ?? own.chainKey,
      fail: (detail) => this.fail(detail),
      doubt: (what) => this.doubt(what),
      note: (text) => findings.note(text),
    });
    const heard = read.statements.flatMap((one, index) => reader.message(one, index) ?? []);
    this.witnessed = reader.witnessed;
    this.peerRecordId ??= chainOf(this.witnessed);
    const messages = await this.withoutUnproven(heard, reader.refused);
    this.checkAnswers(messages);
    this.tellMissing(messages);
    if (this.peer) checkApplied(own, messages, this.witnessed, (detail) => this.fail(detail));
    this.tellRetired(messages);
    const equivocations = this.peer
      ? equivocationsOf(own.entries, messages, (detail) => this.fail(detail))
      : [];
    await this.checkWitnessed();
    await this.signatures.settled();
    const proof = { hubId: read.peerHubId, root: read.vaultRoot, isBroken: findings.hasFailed };
    for (const one of equivocations) findings.note(equivocationText(one, proof));
    const [root] = own.ring.values();
    return {
      hubId: own.hub.hubId,
      chainKey: own.chainKey,
      claim: own.federated.claim,
      peerRecordId: this.peerRecordId,
      root: root?.verifying ? fingerprintOf(root.verifying.key) : null,
      peerRoot: read.vaultRoot,
      keys: own.keyStatements.map(hashOf),
      peerKeys: read.keyStatements.map(hashOf),
      completeAsOf: own.completeAsOf,
      losses: own.losses,
      entries: own.entries,
      messages,
    };
  }

  private fail(detail: string): void {
    this.findings.fail(
      'payloadBinding',
      'chain',
      'CHAIN_PAYLOAD_BINDING_MISMATCH',
      this.place,
      `federation: ${detail}`,
    );
  }

  /** Each answer is about the message that it stands beside, and each that this chain seals is here. */
  private checkAnswers(messages: readonly SideMessage[]): void {
    const hashes = hashesBySequence(messages);
    for (const text of twofoldAnswers(messages, this.witnessed, this.read.peerHubId))
      this.findings.note(text);
    for (const { direction, sequence, attestation } of messages)
      if (attestation && !hashes.get(`${direction} ${sequence}`)?.has(attestation.statementHash))
        this.fail(`the answer to statement ${sequence} (${direction}) names other bytes`);
    const attested = this.own.entries.filter(
      ({ entryType }) => entryType === 'PEER_STATEMENT_ATTESTED',
    );
    if (!this.peer) return;
    for (const { predicate, position } of attested) {
      const known = hashes.get(`in ${String(predicate['sequence'])}`);
      if (!known?.has(String(predicate['statementHash'])))
        this.fail(`the statement that is attested at position ${position} is not in the file`);
    }
    const refused = new Set(
      messages.flatMap(({ direction, attestation }) =>
        direction === 'out' && attestation?.outcome === 'refused'
          ? [attestation.statementHash]
          : [],
      ),
    );
    const sent = new Set(
      messages.flatMap(({ direction, hash }) => (direction === 'out' ? [hash] : [])),
    );
    const isMirror = this.own.federated.claim.role === 'mirror';
    // What the file lacks of the statements is told as such.
    const isWhole = missingOf(this.own, messages) === null;
    for (const { entryType, predicate, position } of this.own.entries) {
      const { statementHash } = (predicate['peer'] ?? {}) as JsonObject;
      if (statementHash === undefined || (!isWhole && !sent.has(String(statementHash)))) continue;
      if (isMirror && !sent.has(String(statementHash)))
        this.fail(`the step that the entry at position ${position} names was not sent`);
      if (entryType === 'STEP_REFUSED' && !refused.has(String(statementHash)))
        this.fail(`the refusal at position ${position} is not one that the peer attested`);
    }
  }

  private tellRetired(messages: readonly SideMessage[]): void {
    const good = new Set(
      messages.flatMap(({ direction, sequence, isDoubtful }) =>
        isDoubtful ? [] : [`${direction} ${sequence}`],
      ),
    );
    for (const { direction, sequence } of messages)
      if (!good.has(`${direction} ${sequence}`))
        this.doubt(`statement ${sequence} ${direction === 'out' ? 'to' : 'of'} the peer`);
  }

  private doubt(what: string): void {
    this.findings.cannotTell(
      'keyWindows',
      `cannot tell: ${what} is signed by a key that was retired as compromised; whoever has it may have signed this`,
      'compromised_key',
    );
  }

  private tellMissing(messages: readonly SideMessage[]): void {
    const missing = missingOf(this.own, messages);
    if (missing !== null)
      this.findings.cannotTell(
        'peerSide',
        `cannot tell: what the hubs said to each other is not whole in this file, ${missing}; fetch it again`,
      );
  }

  /**
   * Entries that came last and were refused need not be a chain: why they were refused is the peer's affair, and no defect
   * of this file. Where they are none, they show nothing of the peer either.
   */
  private async withoutUnproven(
    messages: readonly SideMessage[],
    refused: readonly ChainRow[],
  ): Promise<readonly SideMessage[]> {
    const { peer, peerRecordId } = this;
    if (!peer || refused.length === 0) return messages;
    const findings = new Findings();
    if (peerRecordId !== null) {
      const signatures = new SignatureChecks();
      const cover = new Map([...peer.ring.keys()].map((kid) => [kid, { position: Infinity }]));
      await verifyChain(
        [...this.witnessed, ...refused],
        { chainKey: peerRecordId, chainKind: 'record', area: 'chain', hub: peer.hub },
        {
          ring: peer.ring,
          signatures,
          findings,
          manifest: this.own.manifest,
          isPart: true,
          cover,
        },
      );
      await signatures.settled();
    }
    const [worst] = findings.take().found;
    if (peerRecordId !== null && !worst) return messages;
    this.findings.note(
      `entries that the peer sent with a statement that was refused here do not verify: ${worst?.failure.detail ?? 'they are of no record that is known here'}; the peer sent them so`,
    );
    const unproven = new Set(refused.map(({ hash }) => hash));
    return messages.map((message) =>
      message.direction === 'in' && message.entries.some(({ hash }) => unproven.has(hash))
        ? { ...message, entries: [] }
        : message,
    );
  }

  private async checkWitnessed(): Promise<void> {
    const { peer, peerRecordId, witnessed, findings, own, signatures } = this;
    if (!peer || witnessed.length === 0) return;
    if (peerRecordId === null) return this.fail('entries of the peer came without a record of it');
    const retired = [...peer.ring.values()].filter(({ retiredAt }) => retiredAt !== null);
    const { keyIds } = await verifyChain(
      witnessed,
      { chainKey: peerRecordId, chainKind: 'record', area: 'chain', hub: peer.hub },
      {
        ring: peer.ring,
        signatures,
        findings,
        manifest: own.manifest,
        isPart: true,
        cover: new Map(retired.map(({ keyId }) => [keyId, { position: Infinity }])),
      },
    );
    if (own.isHeldAgainstPeer) return;
    for (const { keyId, retirement } of retired)
      if (keyIds.includes(keyId)) {
        if (retirement?.reason === 'compromised') this.doubt('an entry of the peer');
        else
          findings.note(`entries of the peer are signed by the key ${keyId}, retired on schedule`);
      }
  }
}

/** Whether it holds anything that the peer signed. */
const isOfPeer = ({ direction, attestation }: ReadMessage): boolean =>
  direction === 'in' || attestation !== null;

/** By this hub, as its answer says; the answer is verified where the message is read. */
const isApplied = ({ direction, attestation }: ReadMessage): boolean =>
  direction === 'in' &&
  attestation !== null &&
  readEntry(attestation)?.predicate['outcome'] === 'applied';

/** The chain that the first of them names; the others are held against it. */
const chainOf = ([first]: readonly ChainRow[]): string | null =>
  (first && readEntry(first.coseSign1)?.header.chain?.chainKey) ?? null;

const hashOf = ({ coseSign1 }: KeyStatementRow): string => sha256Hex(coseSign1);

export const hashesBySequence = (
  messages: readonly SideMessage[],
): ReadonlyMap<string, ReadonlySet<string>> => {
  const hashes = new Map<string, Set<string>>();
  for (const { direction, sequence, hash } of messages) {
    const name = `${direction} ${sequence}`;
    hashes.set(name, (hashes.get(name) ?? new Set()).add(hash));
  }
  return hashes;
};
