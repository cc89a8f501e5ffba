import type { SignedStatementSchema } from '../../../application/call/schemas.ts';
import type { ViewOf } from '../../../application/call/view-of.ts';
import { signedStatement } from '../../../application/sealing/signed-statement.ts';
import { signedStatementView } from '../../../application/sealing/signed-statement-view.ts';
import {
  canonicalJson,
  type JsonObject,
  type JsonValue,
} from '../../../domain/kernel/canonical-json.ts';
import { hashJson, sha256, toHex } from '../../../domain/kernel/digest.ts';
import type { Action } from '../../../domain/record/actions.ts';
import type { RecordStatus } from '../../../domain/record/record-status.ts';
import { ALGORITHMS, type VaultAlgorithm } from '../../../domain/vault/algorithm.ts';
import { PLATFORM_CHAIN, schemaChain } from '../../../domain/vault/chain-key.ts';
import {
  sealEntry,
  type ChainEntry,
  type ChainHead,
  type Seal,
} from '../../../domain/vault/chain.ts';
import { sealCheckpoint, type Checkpoint } from '../../../domain/vault/checkpoint.ts';
import {
  keyIdOf,
  publicKeyFromSpki,
  spkiOf,
  type PublicKey,
} from '../../../domain/vault/cose-key.ts';
import type { PlatformEntryType, RecordEntryType } from '../../../domain/vault/entry-type.ts';
import { keyActivatedMembers } from '../../../domain/vault/key-statement.ts';
import type { Signer } from '../../../domain/vault/signer.port.ts';
import {
  platformStatement,
  schemaStatement,
  withoutUndefined,
  type ActorClaim,
  type Canonicalization,
  type SchemaEventPredicate,
  type Statement,
} from '../../../domain/vault/statement.ts';
import type { ManifestBody } from '../../../domain/record-type/manifest.ts';
import {
  recordStatement,
  signalStatement,
  type DisputeClaim,
  type RecordStatePredicate,
  type SettlementSignalPredicate,
} from '../../../domain/record/record-statement.ts';
import type {
  AuditExport,
  AuditExportCheckpoint,
} from '../../../domain/verification/read/audit-export.ts';
import { decodeBase64Strict, encodeBase64 } from '../../../domain/kernel/base64.ts';
import { sealRotation, type RotationOptions } from '../service/key-rotation.ts';

import {
  genuineMembers,
  manifestOf,
  sideOf,
  takeStep,
  type ActingSide,
  type TestRecord,
} from './genuine-steps.ts';

export const BASE = 'https://service.invalid';

/** A signer on the runtime's WebCrypto, as the port wants it: for ES256 with the low s. */
export const webCryptoSigner = async (algorithm: VaultAlgorithm): Promise<Signer> => {
  const { importParams, signParams } = ALGORITHMS[algorithm];
  const pair = (await crypto.subtle.generateKey(importParams, true, ['sign', 'verify'])) as {
    privateKey: CryptoKey;
    publicKey: CryptoKey;
  };
  const publicKey = new Uint8Array(await crypto.subtle.exportKey('spki', pair.publicKey));
  const sign = async (bytes: Uint8Array): Promise<Uint8Array> => {
    const signature = new Uint8Array(await crypto.subtle.sign(signParams, pair.privateKey, bytes));
    return algorithm === 'ES256' && isHighS(signature) ? es256Twin(signature) : signature;
  };
  return { keyId: keyIdOf(publicKeyFromSpki(publicKey)), algorithm, publicKey, sign };
};

type CryptoKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

const P256_ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
const sOf = (signature: Uint8Array): bigint => BigInt(`0x${toHex(signature.subarray(32))}`);
const isHighS = (signature: Uint8Array): boolean => sOf(signature) > P256_ORDER / 2n;

/** (r, n − s) for (r, s): it verifies just as well. */
export const es256Twin = (signature: Uint8Array): Uint8Array => {
  const s = (P256_ORDER - sOf(signature)).toString(16).padStart(64, '0');
  return Uint8Array.of(
    ...signature.subarray(0, 32),
    ...s.match(/../g)!.map((byte) => Number.parseInt(byte, 16)),
  );
};

export interface HubOptions {
  readonly algorithm?: VaultAlgorithm;
  /** Instead of one that WebCrypto makes. */
  readonly signer?: Signer;
  readonly canonicalization?: Canonicalization;
  /** Another hub than the first: its ids are its own. */
  readonly number?: number;
}

/** Of whoever acted: the columns beside an entry. */
const oidcOf = ({ predicate }: Statement): { oidcIss: string | null; oidcSub: string | null } => {
  const { oidc } = predicate['actor'] as unknown as ActorClaim;
  return { oidcIss: oidc?.iss ?? null, oidcSub: oidc?.sub ?? null };
};

/** A chain in the making, with what the export shows beside it. */
export interface TestChain {
  readonly chainKey: string;
  readonly entries: ChainEntry[];
  readonly statements: Statement[];
  readonly evidence: Map<number, JsonValue>;
  readonly checkpoints: Checkpoint[];
  readonly record: TestRecord;
  manifest: JsonObject;
}

const termsOf = (record: TestRecord) => ({
  platform: record.platform,
  platformRef: record.platformRef,
  gateMode: record.gateMode as 'auto' | 'principal',
  operatingMode: record.operatingMode as 'cleartext' | 'encrypted',
  depth: record.depth,
  rootRecordId: record.rootRecordId,
});

/** A whole little hub: its keys, its platform chain and the clock, all by the real functions of the domain. */
export class TestHub {
  readonly hubId: string;
  readonly orgId: string;
  readonly principal: string;
  readonly performer: string;
  /** Owns the platform key. */
  readonly operator: string;
  readonly canonicalization: Canonicalization;
  readonly platform: ChainEntry[] = [];
  /** The schema chain of the org: each type that a chain of this hub begins with. */
  readonly schemas: ChainEntry[] = [];
  private registering: Promise<void> = Promise.resolve();
  /** The digests of each version, the newest last. */
  private readonly registered = new Map<string, ReadonlySet<string>>();
  /** The API keys that were minted, by whom they are of. */
  private readonly apiKeys: Readonly<Record<'principal' | 'performer' | 'platform', string>>;
  readonly keys: AuditExport['keys'][number][] = [];
  readonly keyStatements: AuditExport['keyStatements'][number][] = [];
  signer: Signer;
  private activatedAt = '';
  private ids = 16;
  private clock = Date.parse('2026-11-20T10:00:00.000Z');
  private logIndex = 0;

  private constructor(
    signer: Signer,
    canonicalization: Canonicalization,
    private readonly number: number,
  ) {
    this.signer = signer;
    this.canonicalization = canonicalization;
    this.hubId = this.idOf(1);
    this.orgId = this.idOf(2);
    this.principal = this.idOf(3);
    this.performer = this.idOf(4);
    this.operator = this.idOf(8);
    this.apiKeys = { principal: this.idOf(5), performer: this.idOf(6), platform: this.idOf(7) };
  }

  static async start({
    algorithm = 'Ed25519',
    canonicalization = 'jcs',
    signer,
    number = 0,
  }: HubOptions = {}): Promise<TestHub> {
    const own = signer ?? (await webCryptoSigner(algorithm));
    const hub = new TestHub(own, canonicalization, number);
    hub.activatedAt = hub.now();
    const key = publicKeyFromSpki(hub.signer.publicKey);
    await hub.platformEntry('KEY_ACTIVATED', keyActivatedMembers(hub.hubId, key), hub.activatedAt);
    hub.noteKey('activated', key, hub.activatedAt);
    await hub.establish();
    return hub;
  }

  /** Seals who there is: the org, its agents, and a key of each of them and of the operator. It takes no time and no id. */
  private async establish(): Promise<void> {
    const { orgId, principal, performer, operator, apiKeys } = this;
    const seal = (entryType: PlatformEntryType, members: JsonObject) =>
      this.platformEntry(entryType, { requestId: 'setup', ...members }, this.activatedAt);
    const mint = (role: string, ownerId: string, apiKeyId: string, of: JsonObject = { orgId }) =>
      seal('API_KEY_MINTED', { apiKeyId, role, ownerId, expiresAt: null, ...of });
    await seal('ORG_CREATED', { orgId, slug: 'acme', name: 'Acme', settings: {} });
    for (const agentId of [principal, performer, operator])
      await seal('AGENT_CREATED', { orgId, agentId, name: 'agent', capabilities: [] });
    await mint('agent', principal, apiKeys.principal);
    await mint('agent', performer, apiKeys.performer);
    await mint('platform', operator, apiKeys.platform, {});
  }

  /** The schema chain once every type that was asked for is registered. */
  async typesRegistered(): Promise<readonly ChainEntry[]> {
    await this.registering;
    return this.schemas;
  }

  /**
   * Registers a version, unless it is. A chain that begins with it may be told so later. A version that stands with another
   * manifest is deleted first.
   */
  private register(record: TestRecord): void {
    const { orgId, publisher, type, contractVersion: version, manifestDigest } = record;
    const name = JSON.stringify([publisher, type, version]);
    const before = this.registered.get(name);
    if (before?.has(manifestDigest)) return;
    const former = [...(before ?? [])].at(-1);
    this.registered.set(name, new Set([...(before ?? []), manifestDigest]));
    const subject = { orgId, publisher, type, version };
    const at = record.createdAt;
    const by = this.seal;
    const seal = async (
      entryType: SchemaEventPredicate['entryType'],
      digest: string,
      status?: 'active' | 'disabled',
    ): Promise<void> => {
      const stated = { entryType, at, requestId: 'setup', actor: { kind: 'system' } } as const;
      const statement = schemaStatement(BASE, {
        ...stated,
        ...subject,
        manifestDigest: digest,
        ...(status ? { status } : {}),
      });
      const row = { entryType, recordId: null, orgId, at, oidcIss: null, oidcSub: null };
      const head = headOf(this.schemas);
      this.schemas.push(await sealEntry(by, schemaChain(orgId), head, statement, row));
    };
    this.registering = this.registering.then(async () => {
      if (former !== undefined) {
        await seal('SCHEMA_STATUS_CHANGED', former, 'disabled');
        await seal('SCHEMA_DELETED', former);
      }
      await seal('SCHEMA_REGISTERED', manifestDigest, 'active');
    });
  }

  get spki(): Uint8Array {
    return this.signer.publicKey;
  }

  get seal(): Seal {
    return {
      hubId: this.hubId,
      signer: this.signer,
      canonicalization: this.canonicalization,
      keyActivatedAt: this.activatedAt,
    };
  }

  /** Each call is a second later. */
  now(): string {
    this.clock += 1000;
    return new Date(this.clock).toISOString();
  }

  /** Lets time pass. */
  pass(milliseconds: number): string {
    this.clock += milliseconds;
    return this.now();
  }

  id(): string {
    return this.idOf(this.ids++);
  }

  private idOf(n: number): string {
    const hub = (0xa000 + this.number).toString(16);
    return `0190${hub}-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;
  }

  async platformEntry(
    entryType: PlatformEntryType,
    members: JsonObject,
    at = this.now(),
  ): Promise<ChainEntry> {
    const statement = platformStatement(BASE, {
      entryType,
      at,
      requestId: this.id(),
      actor: { kind: 'system' },
      ...members,
    });
    const entry = await sealEntry(this.seal, PLATFORM_CHAIN, headOf(this.platform), statement, {
      entryType,
      recordId: null,
      orgId: null,
      at,
      ...oidcOf(statement),
    });
    this.platform.push(entry);
    return entry;
  }

  /** The options may break it; `retire: false` leaves the retirement away. */
  async rotate({
    algorithm = 'Ed25519',
    retire = true,
    ...options
  }: { algorithm?: VaultAlgorithm; retire?: boolean } & RotationOptions = {}): Promise<void> {
    const old = this.signer;
    const next = await webCryptoSigner(algorithm);
    const at = this.now();
    const { activated, retired } = await sealRotation(
      {
        hubId: this.hubId,
        predicateBase: BASE,
        canonicalization: this.canonicalization,
        head: headOf(this.platform)!,
        lastStatement: sha256(decodeBase64Strict(this.keyStatements.at(-1)!.coseSign1)!),
        at,
      },
      old,
      next,
      { treeSize: this.logIndex, ...options },
    );
    this.platform.push(activated);
    this.noteKey('activated', publicKeyFromSpki(next.publicKey), at);
    this.signer = next;
    this.activatedAt = at;
    if (!retire) return;
    this.platform.push(retired);
    this.noteKey('retired', publicKeyFromSpki(old.publicKey), at);
  }

  private noteKey(statement: 'activated' | 'retired', key: PublicKey, at: string): void {
    const keyId = keyIdOf(key);
    const entry = this.platform.at(-1)!;
    this.keyStatements.push({
      keyId,
      statement,
      position: entry.position,
      coseSign1: encodeBase64(entry.coseSign1),
    });
    const index = this.keys.findIndex((row) => row.keyId === keyId);
    if (statement === 'retired')
      this.keys[index] = { ...this.keys[index]!, status: 'retired', retiredAt: at };
    else {
      const { cose, minVerifierVersion } = ALGORITHMS[key.algorithm];
      this.keys.unshift({
        keyId,
        algorithm: key.algorithm,
        coseAlgorithm: cose,
        publicKey: encodeBase64(spkiOf(key)),
        publicKeyRaw: encodeBase64(key.raw),
        status: 'active',
        activatedAt: at,
        retiredAt: null,
        minVerifierVersion,
      });
    }
  }

  /** A chain for a record of the given criteria; entries are added by `append`. */
  chain(
    criteria: JsonObject = { action: 'invoice.approve', amount: '120.50', lines: [1, 2, 3] },
    type: Partial<ManifestBody> = {},
  ): TestChain {
    const id = this.id();
    const manifest = manifestOf(type);
    const record: TestRecord = {
      id,
      orgId: this.orgId,
      type: 'invoice-approval',
      publisher: 'acme',
      contractVersion: 1,
      manifestDigest: hashJson(manifest),
      status: '',
      criteria,
      criteriaHash: hashJson(criteria),
      principalAgentId: this.principal,
      performerAgentId: this.performer,
      parentRecordId: null,
      latestCompletionId: null,
      createdAt: this.now(),
      platform: 'api',
      platformRef: null,
      gateMode: String(manifest['gateMode']),
      operatingMode: String(manifest['operatingMode']),
      rootRecordId: id,
      depth: 0,
      awaiting: null,
      revisionCount: 0,
      maxRevisions: Number(manifest['maxRevisions']),
      cancelledBy: null,
      disputed: false,
      openDisputeId: null,
      disputeCount: 0,
      counterProposal: null,
      references: [],
      onBehalfOf: null,
      federation: null,
      expiresAt: null,
      activatedAt: null,
      terminalAt: null,
      updatedAt: '',
    };
    this.register(record);
    return {
      chainKey: id,
      manifest,
      entries: [],
      statements: [],
      evidence: new Map(),
      checkpoints: [],
      record,
    };
  }

  async append(
    chain: TestChain,
    entryType: RecordEntryType,
    transition: { action: Action; from: RecordStatus | null; to: RecordStatus },
    members: Partial<RecordStatePredicate> = {},
    at = this.now(),
    edit?: (sealed: JsonObject) => JsonObject,
  ): Promise<void> {
    const { record } = chain;
    if (entryType === 'RECORD_RECORDED') {
      chain.manifest = manifestOf({ completionSchema: {} });
      record.manifestDigest = hashJson(chain.manifest);
      this.register(record);
    }
    const predicate = withoutUndefined({
      entryType,
      at,
      requestId: this.id(),
      actor: this.actor(sideOf(entryType, record)),
      recordId: record.id,
      orgId: record.orgId,
      schema: {
        orgId: record.orgId,
        publisher: record.publisher,
        type: record.type,
        version: record.contractVersion,
        manifestDigest: record.manifestDigest,
      },
      transition,
      performerOrgId: record.performerAgentId === null ? null : this.orgId,
      ...(transition.from === null ? { terms: termsOf(record) } : {}),
      ...genuineMembers(record, chain.manifest, entryType, transition, members, at),
    });
    const sealed = (edit
      ? withoutUndefined(edit(predicate))
      : predicate) as unknown as RecordStatePredicate;
    await this.appendStatement(chain, sealed.entryType, recordStatement(BASE, sealed), sealed.at);
    takeStep(record, entryType, transition, sealed);
  }

  /** A credential of a side. */
  actor(side: ActingSide): ActorClaim {
    if (side === 'system') return { kind: 'system' };
    const apiKeyId = this.apiKeys[side];
    return side === 'platform'
      ? { kind: 'platform', agentId: this.operator, apiKeyId }
      : { kind: 'agent', orgId: this.orgId, agentId: this[side], apiKeyId };
  }

  async appendStatement(
    chain: TestChain,
    entryType: RecordEntryType,
    statement: Statement,
    at: string,
  ): Promise<void> {
    chain.entries.push(
      await sealEntry(this.seal, chain.chainKey, headOf(chain.entries), statement, {
        entryType,
        recordId: chain.record.id,
        orgId: chain.record.orgId,
        at,
        ...oidcOf(statement),
      }),
    );
    chain.statements.push(statement);
  }

  /** A signal with the step before it; or, at a time of its own, the end of a HOLD. */
  async signal(
    chain: TestChain,
    recommendation: SettlementSignalPredicate['recommendation'],
    members: Partial<SettlementSignalPredicate> = {},
    at?: string,
    edit: (sealed: JsonObject) => JsonObject = (sealed) => sealed,
  ): Promise<void> {
    const { record, statements } = chain;
    const { predicate: latest } = statements.at(-1)!;
    const earlier = statements.findLast(
      ({ predicate }) => predicate['entryType'] === 'SIGNAL_EMITTED',
    );
    const dispute = String(latest['entryType']).startsWith('DISPUTE_')
      ? (latest['dispute'] as DisputeClaim | undefined)
      : undefined;
    const sealedAt = at ?? String(latest['at']);
    const predicate = withoutUndefined({
      entryType: 'SIGNAL_EMITTED',
      at: sealedAt,
      requestId: at === undefined ? String(latest['requestId']) : this.id(),
      actor: { kind: 'system' },
      recordId: chain.chainKey,
      signalId: this.id(),
      ...(earlier ? { supersedes: String(earlier.predicate['signalId']) } : {}),
      recommendation,
      outcome: record.status as RecordStatus,
      performerAgentId: record.performerAgentId,
      platformRef: record.platformRef,
      ...(dispute && at === undefined ? { disputeId: dispute.id } : {}),
      ...members,
    });
    const sealed = withoutUndefined(edit(predicate)) as unknown as SettlementSignalPredicate;
    await this.appendStatement(chain, 'SIGNAL_EMITTED', signalStatement(BASE, sealed), sealed.at);
    record.updatedAt = sealed.at;
  }

  async notarize(criteria?: JsonObject): Promise<TestChain> {
    const chain = this.chain(criteria);
    await this.append(chain, 'RECORD_RECORDED', { action: 'create', from: null, to: 'RECORDED' });
    return chain;
  }

  /** Opened, delivered, accepted; with a checkpoint after the first two entries. */
  async gate(): Promise<TestChain> {
    const chain = this.chain();
    await this.append(chain, 'RECORD_CREATED', { action: 'create', from: null, to: 'ACTIVE' });
    const evidence = { invoice: 'F-2026-118', total: '120.50', remark: 'ünïcode ✓' };
    const completion = { completionId: this.id(), evidenceHash: hashJson(evidence) };
    await this.append(
      chain,
      'COMPLETION_SUBMITTED',
      { action: 'submit-completion', from: 'ACTIVE', to: 'ACTIVE' },
      completion,
    );
    chain.evidence.set(2, evidence);
    await this.checkpoint(chain);
    await this.append(
      chain,
      'VERDICT_RENDERED',
      { action: 'render-verdict', from: 'ACTIVE', to: 'FULFILLED' },
      { ...completion, verdict: 'accept' },
    );
    return chain;
  }

  async checkpoint(chain: TestChain): Promise<Checkpoint> {
    const head = headOf(chain.entries)!;
    const checkpoint = await sealCheckpoint(this.seal, BASE, head, {
      id: this.id(),
      logIndex: this.logIndex++,
      at: this.now(),
    });
    chain.checkpoints.push(checkpoint);
    return checkpoint;
  }

  /** The entry at a position, as the answer of the call that sealed it carried it. */
  kept(chain: TestChain, position: number): ViewOf<typeof SignedStatementSchema> {
    const entry = chain.entries[position - 1]!;
    const { algorithm } = this.keys.find((key) => key.keyId === entry.signingKeyId)!;
    return signedStatementView(signedStatement(entry, algorithm));
  }

  async export(chain: TestChain, { evidence = true, seal = true } = {}): Promise<AuditExport> {
    const closing = seal ? await this.checkpoint(chain) : null;
    const head = headOf(chain.entries)!;
    return {
      formatVersion: '1.0',
      canonicalization: this.canonicalization,
      exportedAt: this.now(),
      service: { baseUrl: 'http://127.0.0.1:3000', hubId: this.hubId, version: '0.1.0' },
      record: { ...chain.record },
      manifest: chain.manifest,
      parties: partiesOf(chain),
      chain: {
        chainKey: chain.chainKey,
        head: { position: head.position, hash: toHex(head.hash) },
        entries: chain.entries.map((entry, index) => ({
          position: entry.position,
          entryType: entry.entryType,
          hash: toHex(entry.hash),
          previousHash: toHex(entry.previousHash),
          signingKeyId: entry.signingKeyId,
          algorithm: this.keys.find((key) => key.keyId === entry.signingKeyId)!.algorithm,
          createdAt: entry.at,
          coseSign1: encodeBase64(entry.coseSign1),
          statement: shownAs(chain.statements[index]!),
          ...(evidence && chain.evidence.has(entry.position)
            ? { evidence: chain.evidence.get(entry.position)! }
            : {}),
        })),
      },
      keys: this.keys.map((key) => ({ ...key })),
      keyStatements: this.keyStatements.map((row) => ({ ...row })),
      retirements: [],
      acknowledgements: [],
      checkpoint: closing && checkpointRow(closing),
      checkpoints: chain.checkpoints.map(checkpointRow),
      log: null,
      federation: null,
      verificationGuide: {
        summary: 'How to check this file.',
        steps: ['Get the key.', 'Run the command.'],
        evidenceBinding: 'SHA-256 over the RFC 8785 form.',
        commands: ['notary verify export.json --keys keys.json'],
        verifier: 'A package.',
      },
    };
  }
}

const NAMES: Readonly<Record<string, string>> = { '3': 'planner', '4': 'builder' };

/** By what the newest step seals, as the service reads it from the record that follows from the chain. */
const partiesOf = ({ statements }: TestChain): AuditExport['parties'] => {
  const { predicate } = statements.findLast(
    (statement) => statement.predicate['entryType'] !== 'SIGNAL_EMITTED',
  )!;
  const idOf = (agent: string, org: string) => ({
    agentId: String(predicate[agent]),
    orgId: String(predicate[org]),
  });
  const principal = idOf('principalAgentId', 'orgId');
  const performer =
    typeof predicate['performerAgentId'] === 'string'
      ? idOf('performerAgentId', 'performerOrgId')
      : principal;
  return (performer.agentId === principal.agentId ? [principal] : [principal, performer]).map(
    (party) => ({ ...party, name: NAMES[party.agentId.at(-1)!] ?? 'agent', orgName: 'Acme' }),
  );
};

/** As a service shows it that decodes the payload: in canonical order. */
const shownAs = (statement: Statement): Statement =>
  JSON.parse(canonicalJson(statement as unknown as JsonValue)) as Statement;

const checkpointRow = ({
  id,
  logIndex,
  chainKind,
  chainKey,
  position,
  headHash,
  signingKeyId,
  createdAt,
  coseSign1,
}: Checkpoint): AuditExportCheckpoint => ({
  id,
  logIndex,
  chainKind,
  chainKey,
  position,
  headHash: toHex(headHash),
  signingKeyId,
  createdAt,
  coseSign1: encodeBase64(coseSign1),
});

export const headOf = (entries: readonly ChainEntry[]): ChainHead | null => {
  const last = entries.at(-1);
  return last
    ? { chainKey: last.chainKey, position: last.position, hash: last.hash, at: last.at }
    : null;
};
