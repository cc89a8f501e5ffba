import type { AgentReads } from '../../domain/identity/identity-store.port.ts';
import { peerActor, SYSTEM_ACTOR } from '../../domain/identity/caller.ts';
import type { OrgReads } from '../../domain/identity/identity-store.port.ts';
import type { RecordReads } from '../../domain/record/record-store.port.ts';
import { mirroredEventData } from '../../domain/federation/mirrored-event.ts';
import { mirrorOpened, sealedOf } from '../../domain/federation/mirrored-record.ts';
import { offerFault, typeOfOffer } from '../../domain/federation/offer.ts';
import type { PeerAnswer } from '../../domain/federation/message.ts';
import { stateOf, type PeerEntry } from '../../domain/federation/peer-chain.ts';
import { encodeBase64 } from '../../domain/kernel/base64.ts';
import { canonicalDocument } from '../../domain/kernel/canonical-document.ts';
import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import type { IdSource, Uuid } from '../../domain/kernel/ids.ts';
import { examineManifest } from '../../domain/record-type/examine-manifest.ts';
import type { GateEvaluator } from '../../domain/record-type/gate-evaluator.port.ts';
import type { RecordType } from '../../domain/record-type/manifest.ts';
import type { SchemaValidators } from '../../domain/record-type/schema-validator.port.ts';
import { recipientsOf } from '../../domain/record/jwe.ts';
import { creationTo } from '../../domain/record/lifecycle-queries.ts';
import {
  counterAttestationStatement,
  type RecordStatePredicate,
} from '../../domain/record/record-statement.ts';
import type { AgentKeyReads } from '../../domain/identity/identity-store.port.ts';
import { signStatement } from '../../domain/vault/chain.ts';
import type { ApplyChange } from '../record/apply-change.ts';
import type { RecordChains } from '../sealing/record-chains.ts';
import { DuplicateError, type Stores, type UnitOfWork } from '../ports/unit-of-work.port.ts';
import type { Vault } from '../sealing/vault.ts';
import type { FederatedEvents } from './federated-events.ts';
import { Overtaken, refusalOf } from './incoming-order.ts';
import type { SendingPeer } from '../sharing/peer-facts.ts';
import type { PeerWords } from './peer-words.ts';
import { keep } from './refuse-message.ts';
import type { SealBeside } from '../sharing/seal-beside.ts';
import type { SignedMessage } from './verify-message.ts';

/** Takes home's offer: a record of the performer's org comes into being, or the offer is refused. */
export class OpenMirror {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly recordChains: RecordChains,
    private readonly applyChange: ApplyChange,
    private readonly sealBeside: SealBeside,
    private readonly events: FederatedEvents,
    private readonly agents: AgentReads,
    private readonly agentKeys: AgentKeyReads,
    private readonly orgs: OrgReads,
    private readonly records: Pick<RecordReads, 'find'>,
    private readonly validators: SchemaValidators,
    private readonly gates: GateEvaluator,
    private readonly vault: Vault,
    private readonly words: PeerWords,
    private readonly ids: IdSource,
    private readonly depthLimit: number,
  ) {}

  /** @param entries of the offer, verified as the beginning of home's chain; else what is wrong with them. */
  async open(
    { hubId: peerHubId, generation }: SendingPeer,
    signed: SignedMessage,
    entries: readonly PeerEntry[] | string,
    requestId: string,
  ): Promise<PeerAnswer> {
    if (typeof entries === 'string') return this.refuse(peerHubId, signed, 'BROKEN', entries);
    const predicate = stateOf(entries.at(-1)!);
    const { hubId } = this.vault.hub;
    const { projection, content } = signed.transition!;
    const fault = offerFault(projection, predicate, { own: hubId, peer: peerHubId });
    if (fault) return this.refuse(peerHubId, signed, 'BROKEN', fault);
    const manifest = this.words.manifest(content.manifest);
    const recordType = typeof manifest === 'string' ? manifest : typeOfOffer(manifest, predicate);
    if (typeof recordType === 'string')
      return this.refuse(peerHubId, signed, 'MANIFEST_REFUSED', recordType);
    if (await this.records.find(projection.recordId))
      return this.refuse(peerHubId, signed, 'ID_TAKEN', 'a record of this hub has its id');
    const { orgId } = await this.performer(peerHubId, signed, predicate, recordType);
    await this.assertUsable(peerHubId, signed, orgId, recordType);
    const word = { predicate, contents: content.items };
    const refused = await this.words.fault(word, recordType, orgId);
    if (refused) return this.refuse(peerHubId, signed, 'CONTENT_REFUSED', refused);
    try {
      return await this.unitOfWork.transaction((stores) =>
        this.write(
          stores,
          { peerHubId, generation, orgId, recordType },
          signed,
          predicate,
          requestId,
        ),
      );
    } catch (error) {
      // The same offer came twice at once, and the other one made the record.
      if (error instanceof DuplicateError) throw new Overtaken();
      throw error;
    }
  }

  private async performer(
    peerHubId: Uuid,
    signed: SignedMessage,
    predicate: RecordStatePredicate,
    recordType: RecordType,
  ): Promise<{ readonly orgId: Uuid }> {
    const { principalAgentId, orgId, performerAgentId, terms, schema } = predicate;
    const refuse = (code: string, detail: string) => this.refuse(peerHubId, signed, code, detail);
    if ((await this.agents.find(principalAgentId)) ?? (await this.orgs.find(orgId)))
      return refuse('PARTY_KNOWN', 'the principal has the id of an agent or org of this hub');
    if (await this.orgs.find(schema.orgId))
      return refuse(
        'PARTY_KNOWN',
        'the type is registered by an org of this hub, as the offer says',
      );
    const agent = performerAgentId === null ? null : await this.agents.find(performerAgentId);
    if (!agent) return refuse('AGENT_UNKNOWN', `there is no agent ${performerAgentId} here`);
    if (agent.deactivatedAt !== null)
      return refuse('AGENT_INACTIVE', `the agent ${agent.id} was deactivated`);
    if (agent.capabilities.length > 0 && !agent.capabilities.includes(recordType.type))
      return refuse('TYPE_NOT_HANDLED', `the agent ${agent.id} does not handle ${recordType.type}`);
    if ((terms?.depth ?? 0) > Math.min(this.depthLimit, recordType.manifest.maxDelegationDepth))
      return refuse('TOO_DEEP', `the record stands ${terms?.depth} below its root`);
    return agent;
  }

  private async assertUsable(
    peerHubId: Uuid,
    signed: SignedMessage,
    orgId: Uuid,
    { manifest }: RecordType,
  ): Promise<void> {
    const errors = await examineManifest(manifest, this.validators.of(orgId), this.gates);
    if (errors[0])
      return this.refuse(
        peerHubId,
        signed,
        'MANIFEST_REFUSED',
        `${errors[0].path} ${errors[0].message}`,
      );
    if (manifest.operatingMode !== 'encrypted') return;
    const { projection, content } = signed.transition!;
    const agentId = projection.performer!.agentId;
    const key = (await this.agentKeys.encryptionKeys([agentId])).get(agentId);
    const criteria = content.items.find(({ kind }) => kind === 'criteria')?.value as JsonObject;
    if (!key || !recipientsOf(criteria).includes(key.thumbprint))
      await this.refuse(
        peerHubId,
        signed,
        'RECIPIENTS_WRONG',
        'the published key of the performer is not among the recipients of the criteria',
      );
  }

  private async write(
    stores: Stores,
    given: Omit<Parameters<typeof mirrorOpened>[1], 'id' | 'homeRecordId' | 'at'>,
    signed: SignedMessage,
    predicate: RecordStatePredicate,
    requestId: string,
  ): Promise<PeerAnswer> {
    const { peerHubId } = given;
    const id = this.ids.next();
    const chain = this.recordChains.begin(id);
    const { envelope, transition } = signed;
    const opened = mirrorOpened(
      { predicate, contents: transition!.content.items, carriesOut: null },
      { ...given, id, homeRecordId: envelope.recordId, at: chain.at },
    );
    const origin = { actor: peerActor(peerHubId), requestId };
    const { change, entry } = await this.applyChange.single({ stores, chain }, origin, {
      transition: creationTo('PROPOSED'),
      before: null,
      after: opened,
      sealed: sealedOf(predicate),
      eventData: mirroredEventData(predicate, opened, undefined, undefined),
    });
    await stores.federation.follow({
      recordId: id,
      peerHubId,
      homeRecordId: envelope.recordId,
      manifest: canonicalDocument(transition!.content.manifest!),
    });
    await this.events.applied(stores, origin, change.after, null, entry, envelope.messageId);
    const attested = await this.sealBeside.attest(stores, change.after, requestId, {
      sequence: envelope.sequence,
      statementHash: signed.statementHash,
      outcome: 'applied',
    });
    const { coseSign1, at } = attested.entry;
    await keep(stores, attested.record, signed, coseSign1, at, null);
    return {
      messageId: envelope.messageId,
      outcome: 'applied',
      attestation: encodeBase64(coseSign1),
    };
  }

  /**
   * Nothing is stored of an offer that is refused: its attestation stands on no chain, and a repetition is judged anew. The
   * same refusal of the same statement has the same bytes.
   *
   * @throws the refusal, always.
   */
  private async refuse(
    peerHubId: Uuid,
    signed: SignedMessage,
    code: string,
    detail: string,
  ): Promise<never> {
    const { seal, hub } = this.vault;
    const { envelope, statementHash, transition } = signed;
    const stated = transition!.projection.at;
    const at = stated > seal.keyActivatedAt ? stated : seal.keyActivatedAt;
    const attestation = await signStatement(
      seal,
      'projection',
      envelope.recordId,
      counterAttestationStatement(hub.predicateBase, {
        entryType: 'PEER_STATEMENT_ATTESTED',
        at,
        requestId: envelope.messageId,
        actor: SYSTEM_ACTOR,
        recordId: envelope.recordId,
        peerHubId,
        sequence: envelope.sequence,
        statementHash,
        outcome: 'refused',
        code,
      }),
      at,
    );
    const refusal = {
      code,
      detail: `The offer is not taken: ${detail}.`,
      currentState: null,
      attemptedState: 'PROPOSED',
    };
    throw refusalOf({ attestation, refusal });
  }
}
