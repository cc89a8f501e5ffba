import { encodeBase64 } from '../../../domain/kernel/base64.ts';
import type { JsonObject } from '../../../domain/kernel/canonical-json.ts';
import { hashJson, sha256Hex, toHex } from '../../../domain/kernel/digest.ts';
import type { Action } from '../../../domain/record/actions.ts';
import {
  counterAttestationStatement,
  recordStatement,
  type CounterAttestationPredicate,
  type RecordStatePredicate,
} from '../../../domain/record/record-statement.ts';
import type { RecordStatus } from '../../../domain/record/record-status.ts';
import { signStatement } from '../../../domain/vault/chain.ts';
import { fingerprintOf, publicKeyFromSpki } from '../../../domain/vault/cose-key.ts';
import { FEDERATION_ENTRY_TYPES, type RecordEntryType } from '../../../domain/vault/entry-type.ts';
import { statement, withoutUndefined } from '../../../domain/vault/statement.ts';
import type {
  AuditExport,
  AuditExportFederation,
  AuditExportMessage,
} from '../../../domain/verification/read/audit-export.ts';
import { takeStep, type TestTransition } from '../attackers/genuine-steps.ts';
import {
  BASE,
  headOf,
  TestHub,
  type HubOptions,
  type TestChain,
} from '../attackers/make-export.ts';

/** One of the two, with what it keeps of the other. */
export class TestSide {
  readonly out: Writable[] = [];
  readonly in: Writable[] = [];
  /** Entries that were sent so far. */
  sent = 0;
  /** The other hub's newest sequence that was attested. */
  ack = 0;
  peerRecordId: string | null = null;
  /** As it was registered. */
  readonly peerRoot: string;

  constructor(
    readonly name: 'home' | 'mirror',
    readonly hub: TestHub,
    readonly chain: TestChain,
    readonly peer: TestHub,
  ) {
    this.peerRoot = fingerprintOf(publicKeyFromSpki(peer.spki));
  }

  get peerActor() {
    return { kind: 'peer', peerHubId: this.peer.hubId } as const;
  }

  newest(): JsonObject {
    return this.chain.statements.at(-1)!.predicate;
  }
}

type Writable = { -readonly [Member in keyof AuditExportMessage]: AuditExportMessage[Member] } & {
  readonly predicate: JsonObject;
};

/** What a lying operator signs instead; each is given what a genuine hub would sign. */
export interface Lies {
  readonly projection?: (predicate: JsonObject, side: TestSide) => JsonObject;
  readonly attestation?: (predicate: JsonObject, side: TestSide) => JsonObject;
  readonly signal?: (predicate: JsonObject) => JsonObject;
  readonly mirrored?: (predicate: JsonObject) => JsonObject;
  readonly applied?: (predicate: JsonObject) => JsonObject;
  readonly offered?: (predicate: JsonObject) => JsonObject;
}

/** A record on two hubs, each with keys, a platform chain and ids of its own: all by the real functions of the domain. */
export class TwoHubs {
  private constructor(
    readonly home: TestSide,
    readonly mirror: TestSide,
    private readonly lies: Lies,
  ) {}

  static async start(lies: Lies = {}, options: HubOptions = {}): Promise<TwoHubs> {
    const here = await TestHub.start(options);
    const there = await TestHub.start({ ...options, number: 1 });
    for (const [hub, peer] of [
      [here, there],
      [there, here],
    ] as const)
      await hub.platformEntry('PEER_REGISTERED', { requestId: 'setup', peerHubId: peer.hubId });
    const [chain, mirrored] = [here.chain(), there.chain()];
    Object.assign(chain.record, { performerAgentId: there.performer });
    const { id: _id, rootRecordId: _, ...shared } = chain.record;
    Object.assign(mirrored.record, shared, { orgId: there.orgId });
    return new TwoHubs(
      new TestSide('home', here, chain, there),
      new TestSide('mirror', there, mirrored, here),
      lies,
    );
  }

  get homeId(): string {
    return this.home.chain.chainKey;
  }

  /** Proposed by the principal, and sent. */
  async offer(): Promise<void> {
    await this.act('RECORD_PROPOSED', 'create', null, 'PROPOSED', {
      performerOrgId: null,
    });
    await this.tell();
  }

  /** Home takes a step by itself, or for the peer whose step it applies. */
  async act(
    entryType: RecordEntryType,
    action: Action,
    from: RecordStatus | null,
    to: RecordStatus,
    members: Partial<RecordStatePredicate> = {},
  ): Promise<void> {
    const { home, mirror } = this;
    const isOfPeer = 'actor' in members;
    await home.hub.append(
      home.chain,
      entryType,
      { action, from, to },
      { performerOrgId: mirror.hub.orgId, ...members },
      this.now(home),
      (sealed) => ({
        ...(isOfPeer ? (this.lies.applied?.(sealed) ?? sealed) : sealed),
        ...(from === null
          ? {
              terms: {
                ...(sealed['terms'] as JsonObject),
                federation: { role: 'home', peerHubId: mirror.hub.hubId, recordId: null },
              },
            }
          : {}),
      }),
    );
  }

  /** The mirror offers a step; home has not received it yet. */
  async offerStep(action: Action, members: Partial<RecordStatePredicate> = {}): Promise<void> {
    const { mirror } = this;
    const { chain, hub } = mirror;
    const status = chain.record.status as RecordStatus;
    const at = this.now(mirror);
    const predicate = withoutUndefined({
      ...repeated(chain),
      entryType: 'STEP_OFFERED',
      at,
      requestId: hub.id(),
      actor: hub.actor('performer'),
      transition: { action, from: status, to: status },
      ...members,
    });
    await this.appendBeside(mirror, this.lies.offered?.(predicate) ?? predicate);
    await this.send(mirror, action, status);
  }

  /** Home applies the mirror's newest step and tells what came of it. */
  async applyStep(
    entryType: RecordEntryType,
    from: RecordStatus,
    to: RecordStatus,
    members: Partial<RecordStatePredicate> = {},
  ): Promise<void> {
    const { home, mirror } = this;
    const step = mirror.out.at(-1)!;
    const action = step.predicate['action'] as Action;
    await this.act(entryType, action, from, to, { ...members, actor: home.peerActor });
    await this.attest(home, mirror, 'applied');
  }

  /** Home refuses the mirror's newest step, and the mirror seals that. */
  async refuseStep(code: string): Promise<void> {
    const { home, mirror } = this;
    await this.attest(home, mirror, 'refused', code);
    const { status } = mirror.chain.record;
    const step = mirror.out.at(-1)!;
    await this.appendBeside(
      mirror,
      withoutUndefined({
        ...repeated(mirror.chain),
        entryType: 'STEP_REFUSED',
        transition: { action: step.predicate['action']!, from: status, to: status },
        at: this.now(mirror),
        requestId: mirror.hub.id(),
        actor: mirror.peerActor,
        peer: { statementHash: hashOf(step.coseSign1), code },
      }),
    );
  }

  /** Home's newest entry that moves the record goes to the mirror, which applies it. */
  async tell(): Promise<void> {
    const { home, mirror } = this;
    const index = home.chain.statements.findLastIndex(({ predicate }) => 'transition' in predicate);
    const { transition, ...predicate } = home.chain.statements[index]!
      .predicate as unknown as RecordStatePredicate;
    await this.send(home, transition.action, transition.to, index + 1);
    const { actor: _, parentRecordId: _p, onBehalfOf: _o, coSignature: _c, ...told } = predicate;
    const isOfPerformer = predicate.actor.kind === 'peer';
    const { chain, hub } = mirror;
    const mirrored = withoutUndefined({
      ...told,
      transition,
      at: this.now(mirror),
      requestId: hub.id(),
      actor: mirror.peerActor,
      recordId: chain.chainKey,
      orgId: hub.orgId,
      performerOrgId: hub.orgId,
      ...(isOfPerformer ? { peer: { statementHash: hashOf(mirror.out.at(-1)!.coseSign1) } } : {}),
      ...(predicate.terms
        ? {
            terms: {
              ...predicate.terms,
              rootRecordId: chain.chainKey,
              federation: { role: 'mirror', peerHubId: home.hub.hubId, recordId: this.homeId },
            },
          }
        : {}),
    });
    await this.appendState(mirror, this.lies.mirrored?.(mirrored) ?? mirrored, transition);
    await this.attest(mirror, home, 'applied');
    home.peerRecordId = chain.chainKey;
    mirror.peerRecordId = this.homeId;
  }

  /** A signal with the newest step at home, which the mirror attests. */
  async signal(recommendation: 'SETTLE' | 'HOLD' | 'RELEASE'): Promise<void> {
    const { home, mirror } = this;
    await home.hub.signal(home.chain, recommendation);
    const sealed = home.newest();
    const genuine = withoutUndefined({
      ...sealed,
      originHubId: home.hub.hubId,
      toHubId: mirror.hub.hubId,
      sequence: home.out.length + 1,
    });
    const predicate = this.lies.signal?.(genuine) ?? genuine;
    const coseSign1 = await signStatement(
      home.hub.seal,
      'projection',
      this.homeId,
      statement(BASE, 'settlement-signal', `record/${this.homeId}`, hashJson(predicate), predicate),
      String(sealed['at']),
    );
    this.queue(home, predicate, coseSign1, home.chain.entries.length);
    await this.attest(mirror, home, 'applied');
  }

  /** The peer turns the offer down: it makes no record, and home ends REJECTED. */
  async refuseOffer(code: string): Promise<void> {
    const { home, mirror } = this;
    await this.act('RECORD_PROPOSED', 'create', null, 'PROPOSED', { performerOrgId: null });
    await this.send(home, 'create', 'PROPOSED');
    const at = this.now(mirror);
    const message = home.out[0]!;
    message.attestation = encodeBase64(
      await signStatement(
        mirror.hub.seal,
        'projection',
        this.homeId,
        counterAttestationStatement(BASE, {
          entryType: 'PEER_STATEMENT_ATTESTED',
          at,
          requestId: mirror.hub.id(),
          actor: { kind: 'peer', peerHubId: home.hub.hubId },
          recordId: this.homeId,
          peerHubId: home.hub.hubId,
          sequence: 1,
          statementHash: hashOf(message.coseSign1),
          outcome: 'refused',
          code,
        }),
        at,
      ),
    );
    await this.act('PROPOSAL_REJECTED', 'reject', 'PROPOSED', 'REJECTED', {
      actor: home.peerActor,
      performerOrgId: null,
      reason: code,
      peer: { statementHash: hashOf(message.coseSign1), code },
    });
  }

  /** The newest message, signed anew: the same but for its time. */
  async signAnew(side: TestSide, sequence: number): Promise<void> {
    const index = side.out.findIndex((one) => one.sequence === sequence);
    const former = side.out[index]!;
    const at = this.now(side);
    const predicate = { ...former.predicate, at };
    const coseSign1 = await this.signProjection(side, predicate);
    side.out.splice(index + 1, 0, { ...former, predicate, coseSign1: encodeBase64(coseSign1) });
  }

  /** Another payload under the sequence of a message, which nobody answered. */
  async signOther(side: TestSide, message: Writable, edit: JsonObject): Promise<Writable> {
    const predicate = { ...message.predicate, ...edit };
    const coseSign1 = encodeBase64(await this.signProjection(side, predicate));
    return { ...message, predicate, coseSign1, attestation: null };
  }

  /** The sender signs another statement under a sequence that the receiver took; the receiver seals that and keeps both. */
  async equivocate(sender: TestSide, sequence: number, edit: JsonObject): Promise<void> {
    const receiver = sender === this.home ? this.mirror : this.home;
    const index = receiver.in.findIndex((one) => one.sequence === sequence);
    const first = receiver.in[index]!;
    const second = await this.signOther(sender, first, edit);
    const at = this.now(receiver);
    const entryType = 'PEER_EQUIVOCATION';
    await receiver.hub.appendStatement(
      receiver.chain,
      entryType,
      counterAttestationStatement(BASE, {
        entryType,
        at,
        requestId: receiver.hub.id(),
        actor: { kind: 'system' },
        recordId: receiver.chain.chainKey,
        orgId: receiver.chain.record.orgId,
        peerHubId: sender.hub.hubId,
        sequence,
        statementHash: hashOf(second.coseSign1),
        otherHash: hashOf(first.coseSign1),
        outcome: 'refused',
        code: entryType,
      }),
      at,
    );
    receiver.chain.record.updatedAt = at;
    const attestation = encodeBase64(headEntry(receiver.chain));
    receiver.in.splice(index + 1, 0, { ...second, entries: [], attestation });
  }

  /** The whole story: accepted, one step refused, delivered, accepted, settled. */
  async run(): Promise<this> {
    await this.offer();
    await this.offerStep('accept');
    await this.applyStep('PROPOSAL_ACCEPTED', 'PROPOSED', 'ACTIVE');
    await this.tell();
    await this.offerStep('cancel', { cancelledBy: 'performer' });
    await this.refuseStep('UNPROCESSABLE_STATE');
    await this.deliver();
    await this.act('VERDICT_RENDERED', 'render-verdict', 'ACTIVE', 'FULFILLED');
    await this.tell();
    await this.signal('SETTLE');
    return this;
  }

  /** The performer hands in its work, which home takes. */
  async deliver(): Promise<void> {
    const evidence = { invoice: 'F-2026-118' };
    const completion = { completionId: this.mirror.hub.id(), evidenceHash: hashJson(evidence) };
    await this.offerStep('submit-completion', completion);
    await this.applyStep('COMPLETION_SUBMITTED', 'ACTIVE', 'ACTIVE', completion);
    await this.tell();
  }

  /** What a side exports. */
  async export(side: TestSide): Promise<AuditExport> {
    const document = await side.hub.export(side.chain, { evidence: false });
    const record = {
      ...document.record,
      federation: {
        role: side.name,
        peerHubId: side.peer.hubId,
        detached: side.chain.record.status === 'REJECTED' ? 'offer_refused' : null,
      },
    };
    const { performerOrgId } = side.chain.statements.findLast(
      ({ predicate }) => 'transition' in predicate,
    )!.predicate as unknown as RecordStatePredicate;
    const isHome = side.name === 'home';
    return {
      ...document,
      record,
      parties: [
        {
          agentId: record.principalAgentId,
          orgId: isHome ? record.orgId : null,
          ...named(isHome),
        },
        { agentId: record.performerAgentId!, orgId: performerOrgId, ...named(!isHome) },
      ],
      federation: {
        role: side.name,
        peerHubId: side.peer.hubId,
        peerRecordId: side.peerRecordId,
        vaultRoot: side.peerRoot,
        keyStatements: side.peer.keyStatements.map((row) => ({ ...row })),
        statements: [...side.out, ...side.in].map(({ predicate: _, ...shown }) => shown),
      } satisfies AuditExportFederation,
    };
  }

  /** Both clocks go on together. */
  private now(side: TestSide): string {
    const at = side.hub.now();
    const other = side === this.home ? this.mirror : this.home;
    other.hub.pass(0);
    return at;
  }

  private async appendState(
    side: TestSide,
    predicate: JsonObject,
    transition: TestTransition,
  ): Promise<void> {
    const sealed = predicate as unknown as RecordStatePredicate;
    const { entryType, at } = sealed;
    await side.hub.appendStatement(side.chain, entryType, recordStatement(BASE, sealed), at);
    takeStep(side.chain.record, entryType, transition, sealed);
  }

  private async appendBeside(side: TestSide, predicate: JsonObject): Promise<void> {
    const sealed = predicate as unknown as RecordStatePredicate;
    const { entryType, at } = sealed;
    await side.hub.appendStatement(side.chain, entryType, recordStatement(BASE, sealed), at);
    side.chain.record.updatedAt = at;
  }

  private async send(
    side: TestSide,
    action: Action,
    state: string,
    upTo = side.chain.entries.length,
  ): Promise<void> {
    const { home, mirror } = this;
    const last = side.chain.entries[upTo - 1]!;
    const predicate = {
      at: this.now(side),
      recordId: this.homeId,
      originHubId: side.hub.hubId,
      toHubId: side.peer.hubId,
      sequence: side.out.length + 1,
      action,
      state,
      principal: { hubId: home.hub.hubId, orgId: home.hub.orgId, agentId: home.hub.principal },
      performer: { hubId: mirror.hub.hubId, orgId: null, agentId: mirror.hub.performer },
      position: last.position,
      headHash: toHex(last.hash),
      ack: side.ack,
    };
    const told = this.lies.projection?.(predicate, side) ?? predicate;
    this.queue(side, told, await this.signProjection(side, told), upTo);
  }

  private signProjection(side: TestSide, predicate: JsonObject): Promise<Uint8Array> {
    return signStatement(
      side.hub.seal,
      'projection',
      this.homeId,
      statement(
        BASE,
        'federation-projection',
        `record/${this.homeId}`,
        String(predicate['headHash']),
        predicate,
      ),
      String(predicate['at']),
    );
  }

  private queue(side: TestSide, predicate: JsonObject, coseSign1: Uint8Array, upTo: number): void {
    const entries = side.chain.entries.slice(side.sent, upTo);
    side.sent = upTo;
    side.out.push({
      direction: 'out',
      sequence: side.out.length + 1,
      coseSign1: encodeBase64(coseSign1),
      entries: entries.map((entry) => encodeBase64(entry.coseSign1)),
      attestation: null,
      predicate,
    });
  }

  /** The receiver seals what became of the sender's newest message, and both keep that. */
  private async attest(
    receiver: TestSide,
    sender: TestSide,
    outcome: 'applied' | 'refused',
    code?: string,
  ): Promise<void> {
    const message = sender.out.at(-1)!;
    const at = this.now(receiver);
    const predicate = withoutUndefined({
      entryType: 'PEER_STATEMENT_ATTESTED',
      at,
      requestId: receiver.hub.id(),
      actor: receiver.peerActor,
      recordId: receiver.chain.chainKey,
      orgId: receiver.chain.record.orgId,
      peerHubId: sender.hub.hubId,
      sequence: message.sequence,
      statementHash: hashOf(message.coseSign1),
      outcome,
      code,
    });
    const sealed = (this.lies.attestation?.(predicate, receiver) ??
      predicate) as unknown as CounterAttestationPredicate;
    await receiver.hub.appendStatement(
      receiver.chain,
      'PEER_STATEMENT_ATTESTED',
      counterAttestationStatement(BASE, sealed),
      at,
    );
    receiver.chain.record.updatedAt = at;
    receiver.ack = message.sequence;
    message.attestation = encodeBase64(headEntry(receiver.chain));
    receiver.in.push({ ...message, direction: 'in' });
  }
}

const BESIDE: ReadonlySet<string> = new Set(FEDERATION_ENTRY_TYPES);

/** What every entry repeats of the record, from the newest that moved it. */
const repeated = ({ statements }: TestChain): Partial<RecordStatePredicate> => {
  const latest = statements.findLast(({ predicate }) => {
    const { transition, entryType } = predicate as unknown as RecordStatePredicate;
    return transition !== undefined && !BESIDE.has(entryType);
  })!;
  const known = { ...(latest.predicate as Record<string, unknown>) };
  for (const member of ['terms', 'reason', 'gate', 'verdict', 'messageHash', 'cancelledBy', 'peer'])
    delete known[member];
  return known;
};

const headEntry = (chain: TestChain): Uint8Array => chain.entries.at(-1)!.coseSign1;

const hashOf = (base64: string): string => sha256Hex(Buffer.from(base64, 'base64'));

export { headOf };

/** A party of the other hub has no name here. */
const named = (isOfThisHub: boolean) =>
  isOfThisHub ? { name: 'an agent', orgName: 'An org' } : { name: null, orgName: null };
