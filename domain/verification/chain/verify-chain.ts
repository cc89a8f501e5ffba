import type { JsonObject } from '../../kernel/canonical-json.ts';
import { hashJson } from '../../kernel/digest.ts';
import { readEntryFacts, type EntryFacts } from '../../record/entry-facts.ts';
import type { RecordFacts } from '../../record/record-facts.ts';
import type { RecordStatePredicate } from '../../record/record-statement.ts';
import type { Manifest } from '../../record-type/manifest.ts';
import { ALGORITHMS } from '../../vault/algorithm.ts';
import { CoSignatureCheck } from '../co-signature/co-signature-check.ts';
import type { CoSignatureUses } from '../co-signature/co-signature-ledger.ts';
import {
  checkEntry,
  isOnChain,
  predicateKindOf,
  type ChainRow,
  type EntryScope,
} from '../entry/chain-entry.ts';
import { isTimestamp } from '../../kernel/timestamp.ts';
import type { Judgement } from './gate-recheck.ts';
import { keyForUse, type ChainCover, type KeyRing } from '../keys/key-ring.ts';
import { EvidencePieces } from '../entry/evidence-pieces.ts';
import { LifecycleCheck } from './lifecycle-check.ts';
import { LinkCheck } from '../entry/link-check.ts';
import type { PinnedAgentKeys } from '../keys/pinned-agent-keys.ts';
import type { FederatedChain } from './rules/federated-chain.ts';
import { predicateFault } from '../entry/predicate-check.ts';
import { RecordRules } from './record-rules.ts';
import type { EvidenceCount, Findings } from '../report/report.ts';
import type { ToldEntries } from './told-entries.ts';
import { sealedContent } from '../entry/sealed-content.ts';
import type { SignatureChecks } from '../../vault/signatures.ts';
import {
  parseStatement,
  UnreadableError,
  type ParsedStatement,
} from '../../vault/parsed-statement.ts';
import { tellSignature } from '../entry/signature-finding.ts';

export interface RecordEntryReader {
  entry(chainKey: string, row: ChainRow, predicate: RecordStatePredicate): void;
}

export interface RegistryReader {
  /** What is wrong with those whom the entry names: an actor, a credential or a party that does not exist. */
  faultsOf(predicate: JsonObject, position: number): readonly string[];
}

export interface ChainContext {
  readonly ring: KeyRing;
  readonly signatures: SignatureChecks;
  readonly findings: Findings;
  /** Of a record: the one whose digest its chain seals. Without it, what depends on it is not judged. */
  readonly manifest?: Manifest | null;
  /** Keys by which co-signatures of these agents have to verify. */
  readonly agentKeys?: PinnedAgentKeys | null;
  /** The co-signatures of the whole file; without it, of this chain alone. */
  readonly coSignatures?: CoSignatureUses;
  /** Collects what a story tells of the entries. */
  readonly teller?: ToldEntries | null;
  /** Shown each entry of a record's chain that is of the published form. */
  readonly reader?: RecordEntryReader;
  /** Shown the predicate of each entry, if the file holds the platform chain, which says who there is. */
  readonly registry?: RegistryReader;
  /** The chain goes on beyond what is shown of it. */
  readonly isPart?: boolean;
  /** How far the chain is covered by what its retired keys signed. */
  readonly cover?: ChainCover;
}

/** The result of a chain; `first` and `newest` are what its first and its newest readable entry say. */
export interface ChainOutcome {
  readonly entries: number;
  readonly head: { readonly position: number; readonly hash: string } | null;
  readonly first: EntryFacts | null;
  /** The newest that states what a record is: a signal does not. */
  readonly newest: { readonly position: number; readonly facts: EntryFacts } | null;
  /** Everything that a record's chain says of its record; null where not every entry is of the published form. */
  readonly facts: RecordFacts | null;
  /** The evaluations of gates that a record's chain seals. */
  readonly judgements: readonly Judgement[];
  /** Whether the record is one of two hubs, as its chain says; null where it is not, or nothing says it. */
  readonly federated: FederatedChain | null;
  readonly keyIds: readonly string[];
  readonly evidence: EvidenceCount;
}

/**
 * Verifies the entries of one chain in the order given, one at a time: memory does not grow with the chain.
 * A row that could not be read at all is passed as null, after its failure was reported.
 *
 * Signature checks may still run when this returns; `context.signatures.settled()` waits for them.
 */
export const verifyChain = async (
  rows: Iterable<ChainRow | null> | AsyncIterable<ChainRow | null>,
  scope: EntryScope,
  context: ChainContext,
): Promise<ChainOutcome> => {
  const walk = new ChainWalk(scope, context);
  for await (const row of rows) {
    if (row) walk.entry(row);
    else walk.unreadable();
    if (context.signatures.full) await context.signatures.room();
  }
  return walk.end();
};

/** The same where the rows are brought one after the other. */
export class ChainWalk {
  private entries = 0;
  private previousAt = '';
  private orgId: string | null = null;
  private head: ChainOutcome['head'] = null;
  private first: EntryFacts | null = null;
  private newest: ChainOutcome['newest'] = null;
  private readonly keyIds = new Set<string>();
  private readonly evidence = new EvidencePieces();
  private readonly links: LinkCheck;
  private readonly coSignatures: CoSignatureCheck;
  private readonly lifecycle: LifecycleCheck;
  private readonly rules: RecordRules;
  private readonly scope: EntryScope;
  private readonly context: ChainContext;

  private readonly seen: (facts: EntryFacts, predicate: JsonObject, position: number) => void;

  /** @param seen told what each entry says that can be read, before it is judged. */
  constructor(
    scope: EntryScope,
    context: ChainContext,
    seen: (facts: EntryFacts, predicate: JsonObject, position: number) => void = () => undefined,
  ) {
    this.seen = seen;
    this.scope = scope;
    this.context = context;
    this.links = new LinkCheck(context.findings, scope);
    this.coSignatures = new CoSignatureCheck(
      context.findings,
      context.signatures,
      context.agentKeys ?? null,
      context.manifest ?? null,
      context.coSignatures,
    );
    this.lifecycle = new LifecycleCheck(context.findings, scope);
    this.rules = new RecordRules(context.findings, scope, context.manifest ?? null);
  }

  entry(row: ChainRow): void {
    this.entries++;
    this.head = { position: row.position, hash: this.links.entry(row) };
    const signed = this.read(row);
    if (!signed) return this.lose(row);
    const predicate = checkEntry(row, signed, this.scope, this.context.findings);
    this.checkSignature(row, signed, predicate);
    if (predicate) this.checkContent(row, predicate);
    else this.lose(row);
  }

  unreadable(): void {
    this.entries++;
    this.links.lose();
    this.lose();
  }

  private lose(row: ChainRow | null = null): void {
    this.lifecycle.lose();
    this.rules.lose();
    this.context.teller?.unreadable(row && row.position);
  }

  end(): ChainOutcome {
    if (this.entries === 0)
      this.context.findings.fail(
        'genesis',
        this.scope.area,
        'CHAIN_GENESIS_INVALID',
        { chainKey: this.scope.chainKey, position: null },
        'the chain has no entry',
      );
    else if (!this.context.isPart) this.rules.end(this.head?.position ?? this.entries);
    return {
      entries: this.entries,
      head: this.head,
      first: this.first,
      newest: this.newest,
      facts: this.rules.facts ?? null,
      judgements: this.rules.judgements,
      federated: this.rules.federated,
      keyIds: [...this.keyIds],
      evidence: this.evidence.count,
    };
  }

  private read(row: ChainRow): ParsedStatement | null {
    try {
      return parseStatement(row.coseSign1, row.statement);
    } catch (error) {
      if (!(error instanceof UnreadableError)) throw error;
      this.context.findings.fail(
        'headerBinding',
        this.scope.area,
        'CHAIN_COSE_DECODE_FAILED',
        this.place(row),
        error.message,
      );
      return null;
    }
  }

  private checkSignature(
    row: ChainRow,
    signed: ParsedStatement,
    predicate: JsonObject | null,
  ): void {
    const { ring, signatures, findings } = this.context;
    const place = this.place(row);
    this.keyIds.add(signed.header.kid);
    findings.looked('signatures');
    const at = predicate && isTimestamp(predicate['at']) ? predicate['at'] : null;
    const key = keyForUse(
      ring,
      signed.header,
      {
        place,
        area: this.scope.area,
        at,
        missing: 'CHAIN_SIGNATURE_MISSING_KEY',
        isCovered: (keyId) => (this.context.cover?.get(keyId)?.position ?? 0) >= row.position,
      },
      findings,
    );
    if (!key) return;
    if (row.algorithm !== undefined && row.algorithm !== ALGORITHMS[key.key.algorithm].name)
      findings.fail(
        'signatures',
        this.scope.area,
        'CHAIN_ALG_MISMATCH',
        place,
        `the entry is shown as signed with ${row.algorithm.slice(0, 40)}, its key is one of ${key.key.algorithm}`,
      );
    signatures.submit(key, signed.signature, signed.signed, (result) =>
      tellSignature(result, key, 'CHAIN_SIGNATURE_INVALID', (failureClass, detail) =>
        findings.fail('signatures', this.scope.area, failureClass, place, detail),
      ),
    );
  }

  /** The rules about more than one entry, and about what is shown beside the statement. */
  private checkContent(row: ChainRow, predicate: JsonObject): void {
    const facts = readEntryFacts(predicate);
    const { at, orgId } = facts;
    this.seen(facts, predicate, row.position);
    this.first ??= facts;
    if (!isTimestamp(at))
      this.mismatch(row, 'the sealed time is no ISO 8601 time with milliseconds');
    else if (at < this.previousAt)
      this.mismatch(row, `sealed at ${at}, before the entry before it (${this.previousAt})`);
    else this.previousAt = at;
    if (typeof orgId === 'string' && this.scope.area === 'chain') {
      this.orgId ??= orgId;
      if (orgId !== this.orgId) this.mismatch(row, 'the org changes within the chain');
    }
    if (this.scope.chainKind === 'record') {
      if (!facts.signal && !facts.beside) this.newest = { position: row.position, facts };
      this.lifecycle.entry(row, facts);
    }
    const isOfForm = this.checkForm(row, facts, predicate);
    this.evidence.entry(row, facts);
    const evidence = this.checkEvidence(row, facts);
    const content = this.checkSaid(row, facts);
    if (isOfForm)
      this.context.reader?.entry(
        this.scope.chainKey,
        row,
        predicate as unknown as RecordStatePredicate,
      );
    if (isOfForm) this.context.teller?.entry(row.position, predicate, { evidence, content });
    else this.context.teller?.unreadable(row.position);
    if (this.scope.chainKind === 'admin' && facts.entryType === 'CERT_ISSUED')
      this.context.coSignatures?.issued(predicate);
    for (const fault of this.context.registry?.faultsOf(predicate, row.position) ?? [])
      this.context.findings.fail(
        'actor',
        this.scope.area,
        'CHAIN_PAYLOAD_BINDING_MISMATCH',
        this.place(row),
        fault,
      );
    this.coSignatures.entry(row, predicate, this.scope);
  }

  /** Rules rest on the form of a predicate, so they are asked only of one that has it. */
  private checkForm(row: ChainRow, facts: EntryFacts, predicate: JsonObject): boolean {
    const { chainKind } = this.scope;
    if (!chainKind) {
      this.rules.lose();
      return false;
    }
    const fault = predicateFault(predicateKindOf(chainKind, facts.entryType), predicate);
    if (fault) this.mismatch(row, fault);
    // The schema of record-state has administrative acts as well, which have no place here.
    const isOfRecord = chainKind === 'record' && isOnChain('record', facts.entryType);
    const isOfForm = isOfRecord && !fault && isTimestamp(facts.at);
    if (isOfForm) this.rules.entry(row, facts, predicate);
    else this.rules.lose();
    return isOfForm;
  }

  /** @returns the evidence that is shown, if it is the sealed one. */
  private checkEvidence(row: ChainRow, { evidenceHash }: EntryFacts): ChainRow['evidence'] {
    if (row.evidence === undefined) return undefined;
    this.context.findings.looked('evidenceBinding');
    if (row.entryType !== 'COMPLETION_SUBMITTED')
      this.misbound(row, `evidence stands at an entry ${row.entryType}`);
    else if (hashJson(row.evidence) !== evidenceHash)
      this.misbound(row, 'the evidence shown is not the one whose hash was sealed');
    else return row.evidence;
    return undefined;
  }

  /** @returns what a party said, if that is what was sealed. */
  private checkSaid(row: ChainRow, facts: EntryFacts): ChainRow['content'] {
    if (row.content === undefined) return undefined;
    this.context.findings.looked('evidenceBinding');
    const sealed = sealedContent(facts);
    if (!sealed) this.misbound(row, 'content stands at an entry that seals the hash of none');
    else if (!sealed.isOf(row.content))
      this.misbound(row, 'the content shown is not the one whose hash was sealed');
    else return row.content;
    return undefined;
  }

  private misbound(row: ChainRow, detail: string): void {
    this.context.findings.fail(
      'evidenceBinding',
      this.scope.area,
      'CHAIN_PAYLOAD_BINDING_MISMATCH',
      this.place(row),
      detail,
    );
  }

  private mismatch(row: ChainRow, detail: string): void {
    this.context.findings.fail(
      'payloadBinding',
      this.scope.area,
      'CHAIN_PAYLOAD_BINDING_MISMATCH',
      this.place(row),
      detail,
    );
  }

  private place(row: ChainRow): { chainKey: string; position: number } {
    return { chainKey: this.scope.chainKey, position: row.position };
  }
}
