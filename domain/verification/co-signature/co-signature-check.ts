import {
  coSignatureParts,
  parseSignatureInput,
  type CoSignature,
} from '../../identity/co-signature.ts';
import { isObject, type JsonObject, type JsonValue } from '../../kernel/canonical-json.ts';
import type { Manifest } from '../../record-type/manifest.ts';
import type { Action } from '../../record/actions.ts';
import { KeyError } from '../../vault/cose-key.ts';
import type { ChainRow, EntryScope } from '../entry/chain-entry.ts';
import { readerAt } from './body-request.ts';
import { BULK_PATH, coSignaturePathOf, TRANSITION_PATH } from './co-signature-paths.ts';
import { departures } from './co-signed-action.ts';
import { readCoSignedBody } from './co-signed-body.ts';
import { CoSignatureLedger, type CoSignatureUses } from './co-signature-ledger.ts';
import type { PinnedAgentKeys } from '../keys/pinned-agent-keys.ts';
import type { Findings } from '../report/report.ts';
import { VerifyingKeys, type SignatureChecks } from '../../vault/signatures.ts';

/**
 * Checks the signature that an agent put on its own request, if the entry seals one, and that the entry is what that
 * request asked for. It exists against the operator, so nothing of the entry is believed for its sake: the raw body is
 * what says it. Without the body only method, path and time are shown.
 */
export class CoSignatureCheck {
  private readonly keys = new VerifyingKeys();
  /** On this chain. */
  private readonly used = new Set<string>();
  private readonly findings: Findings;
  private readonly signatures: SignatureChecks;
  private readonly pinned: PinnedAgentKeys | null;
  private readonly defaultTtlSeconds: number | null | undefined;
  /** Of the record, as its first entry has it. */
  private place: { readonly depth: unknown; readonly above: ReadonlySet<unknown> } | null = null;

  /**
   * @param pinned keys of agents that the reader knows; of others the key is the one that the operator names.
   * @param ledger one for all chains of a file.
   */
  constructor(
    findings: Findings,
    signatures: SignatureChecks,
    pinned: PinnedAgentKeys | null = null,
    manifest: Pick<Manifest, 'defaultTtlSeconds'> | null = null,
    private readonly ledger: CoSignatureUses = new CoSignatureLedger(),
  ) {
    this.defaultTtlSeconds = manifest?.defaultTtlSeconds;
    this.findings = findings;
    this.signatures = signatures;
    this.pinned = pinned;
  }

  entry(row: ChainRow, predicate: JsonObject, scope: EntryScope): void {
    const block = predicate['coSignature'];
    const { terms } = predicate;
    if (isObject(terms))
      this.place = {
        depth: terms['depth'],
        above: new Set([terms['rootRecordId'], predicate['parentRecordId']]),
      };
    const fail = (detail: string): void =>
      this.findings.fail(
        'coSignatures',
        scope.area,
        'CHAIN_PAYLOAD_BINDING_MISMATCH',
        { chainKey: scope.chainKey, position: row.position },
        detail,
      );
    if (block === undefined) {
      if (row.request !== undefined) fail('a request stands at an entry that nobody co-signed');
      return;
    }
    this.findings.looked('coSignatures');
    const parts = isCoSignature(block) ? coSignatureParts(block) : null;
    if (!parts || !isCoSignature(block))
      return fail('the co-signature is not of a form that can be checked');
    const actor = predicate['actor'];
    if (!isObject(actor) || actor['certId'] !== block.certId)
      fail('the co-signature belongs to another certificate than the one that acted');
    else if (isUnpinned(this.pinned, actor['agentId'], block.publicKey))
      fail('the key of the co-signature is not one that is pinned for the agent');
    const agentId = isObject(actor) ? actor['agentId'] : undefined;
    if (typeof agentId !== 'string' || !this.pinned?.has(agentId))
      this.findings.note(
        'co-signatures: the key of an agent is the one that the operator names, unless it is pinned',
      );
    this.checkSignature(parts, fail);
    for (const fault of this.ledger.faultsOf(block, predicate, this.used)) fail(fault);
    this.checkTarget(block, predicate, row, scope, fail);
  }

  private checkSignature(
    { key, signature, bytes }: NonNullable<ReturnType<typeof coSignatureParts>>,
    fail: (detail: string) => void,
  ): void {
    try {
      this.signatures.submit(
        this.keys.of({ algorithm: 'Ed25519', raw: key }),
        signature,
        bytes,
        (result) => {
          if (result !== 'valid')
            fail(
              result === 'unsupported'
                ? 'this runtime cannot check the co-signature'
                : 'the co-signature is not one of its key over this request',
            );
        },
      );
    } catch (error) {
      if (!(error instanceof KeyError)) throw error;
      fail('the key of the co-signature is not one to be trusted');
    }
  }

  /** What was signed asks for what the entry says: this action, on this record, at this time, with this content. */
  private checkTarget(
    block: CoSignature,
    entry: JsonObject,
    row: ChainRow,
    scope: EntryScope,
    fail: (detail: string) => void,
  ): void {
    const action = actionOf(entry);
    const path = pathOf(block);
    const found = path === null ? null : coSignaturePathOf(block.method, path);
    if (!found || action === null) return fail('no request at the co-signed path acts on a record');
    const { row: asked, recordId } = found;
    if (!(asked.actions as readonly string[]).includes(action))
      return fail(`the co-signed request calls ${asked.actions.join(' or ')}, not ${action}`);
    if (this.isOfAnother(recordId, entry, scope))
      return fail('the co-signed request is about another record');
    const hasItem = 'item' in block && block['item'] !== undefined;
    if (!readerAt(asked.path) && hasItem !== (asked.path === BULK_PATH))
      fail('an item is one of a request that creates several records');
    if (!isOfItsTime(block, entry['at']))
      fail('the co-signed request is not of the time of the entry');
    if (row.request === undefined) return this.findings.unsettle('coSignatures');
    const body = readCoSignedBody(block, row.request, asked.path);
    if ('fault' in body) return fail(body.fault);
    const named = body.asked ? body.asked.recordId : recordId;
    if (body.asked && this.isOfAnother(named, entry, scope))
      return fail('the co-signed request is about another record');
    if (
      (asked.path === TRANSITION_PATH && body.members['action'] !== action) ||
      body.asked?.actions.includes(action) === false
    )
      return fail(`the co-signed request does not ask for ${action}`);
    const isElsewhere = named !== null && named !== scope.chainKey;
    if (isElsewhere && body.members['cascade'] !== true)
      fail('the co-signed request does not cancel what is below its record');
    // What is cancelled on the way has a reason of its own.
    const differing = isElsewhere
      ? []
      : departures(action as Action, {
          body: body.members,
          entry,
          defaultTtlSeconds: this.defaultTtlSeconds,
        });
    if (differing.length > 0)
      fail(`the entry differs from the co-signed request in ${differing.join(', ')}`);
  }

  /** Whoever cancels a tree names the record at its top. */
  private isOfAnother(named: string | null, entry: JsonObject, { chainKey }: EntryScope): boolean {
    if (named === null || named === chainKey) return false;
    return !(entry['reason'] === 'parent_cancelled' && hasParent(entry) && this.mayBeAbove(named));
  }

  /** The chain names its parent and its root. Whatever else is above it stands between the two. */
  private mayBeAbove(recordId: string): boolean {
    if (!this.place || this.place.above.has(recordId)) return true;
    return typeof this.place.depth === 'number' && this.place.depth > 2;
  }
}

/** Whether the reader knows keys of the agent, and this is none of them. */
const isUnpinned = (
  pinned: PinnedAgentKeys | null,
  agentId: JsonValue | undefined,
  publicKey: string,
): boolean => {
  const keys = typeof agentId === 'string' ? pinned?.get(agentId) : undefined;
  return keys !== undefined && !keys.has(publicKey);
};

const hasParent = (entry: JsonObject): boolean => entry['parentRecordId'] !== undefined;

const actionOf = ({ transition }: JsonObject): string | null =>
  isObject(transition) && typeof transition['action'] === 'string' ? transition['action'] : null;

/** As it was signed; null for a target that is not spelled as the service demands, or has a query. */
const pathOf = (block: CoSignature): string | null => {
  if (block.coverage === 'body') return block.path;
  if (!URL.canParse(block.targetUri)) return null;
  const { origin, pathname } = new URL(block.targetUri);
  return block.targetUri === `${origin}${pathname}` ? pathname : null;
};

/** Limit in seconds for the age of a co-signature at the time of its request (RFC 9421 section 2.3, `created`). */
const MAX_AGE = 300;
/** How far ahead the clock of an agent may be. */
const MAX_AHEAD = 60;
/** A call may wait for a lock before its entry is sealed. */
const MAX_WAIT = 60;

/** A signature over a body alone says no time. */
const isOfItsTime = (block: CoSignature, at: JsonValue | undefined): boolean => {
  if (block.coverage === 'body') return true;
  const created = parseSignatureInput(block.signatureInput)?.parameters.get('created');
  const sealed = typeof at === 'string' ? Date.parse(at) / 1000 : NaN;
  return (
    typeof created === 'number' &&
    created >= sealed - MAX_AGE - MAX_WAIT &&
    created <= sealed + MAX_AHEAD
  );
};

const BODY = ['certId', 'publicKey', 'method', 'path', 'contentHash', 'signature'] as const;
const REQUEST = [
  'certId',
  'publicKey',
  'method',
  'targetUri',
  'contentDigest',
  'signatureInput',
  'signature',
] as const;

const isCoSignature = (block: JsonValue): block is JsonValue & CoSignature => {
  if (!isObject(block) || (block['coverage'] !== 'body' && block['coverage'] !== 'request'))
    return false;
  return (block['coverage'] === 'body' ? BODY : REQUEST).every(
    (member) => typeof block[member] === 'string',
  );
};
