import type { Caller } from '../../domain/identity/caller.ts';
import type { CoSignature } from '../../domain/identity/co-signature.ts';
import type { CoSignedRequestReads } from '../../domain/identity/co-signed-request-store.port.ts';
import { coSignedHash } from '../../domain/identity/co-signed-request.ts';
import { isObject, type JsonObject, type JsonValue } from '../../domain/kernel/canonical-json.ts';
import { sha256Hex } from '../../domain/kernel/digest.ts';
import { readerAt } from '../../domain/verification/co-signature/body-request.ts';
import { belongs } from '../../domain/record/sides.ts';
import type { ChainEntry } from '../../domain/vault/chain.ts';
import type { Log } from '../ports/log.port.ts';

export interface RequestReader {
  readonly caller: Caller;
  /** Whether evidence and content were asked for. */
  readonly evidence: boolean;
}

/** The bodies of co-signed requests, as exports show them beside their entries. */
export class ShownRequests {
  constructor(
    private readonly requests: CoSignedRequestReads,
    private readonly log: Log,
  ) {}

  /**
   * Null where the entry was not co-signed, or where its request is not for this reader. So it is where the body was
   * changed, moved or removed behind the service, which raises an alarm: it is no evidence of anything any more, and a
   * verifier says that it is missing.
   */
  async of(
    entry: ChainEntry,
    predicate: JsonObject,
    reader: RequestReader,
  ): Promise<Uint8Array | null> {
    const block = predicate['coSignature'] as CoSignature | undefined;
    if (!block) return null;
    const read = block.item === undefined ? readerAt(pathIn(block)) : undefined;
    if (!read && !isAboutThisAlone(entry, block) && !isSigner(predicate, reader)) return null;
    const { chainKey, position } = entry;
    const body = await this.requests.at(chainKey, position);
    if (!body || sha256Hex(body) !== coSignedHash(block)) {
      this.log.error(
        { chainKey, position, alarm: 'co_signed_request' },
        'the body of a co-signed request was changed or removed behind the service',
      );
      return null;
    }
    if (
      read &&
      !asksOfThisAlone(entry, read(jsonOf(body), undefined)) &&
      !isSigner(predicate, reader)
    )
      return null;
    return reader.evidence || !holdsContent(body) ? body : null;
  }
}

/**
 * A bulk, a delegation and a cascade write to other records too, and a body cannot be shown in part. What it says of
 * them is not for those who may read this record alone.
 */
const isAboutThisAlone = ({ chainKey, entryType }: ChainEntry, block: CoSignature): boolean => {
  if (block.item !== undefined) return false;
  const path = pathIn(block);
  return path === '/v1/records'
    ? entryType !== 'CHILD_DELEGATED'
    : path.startsWith(`/v1/records/${chainKey}/`);
};

/** A request that came alone, and whose body says of which record it is. */
const asksOfThisAlone = (
  { chainKey, entryType }: ChainEntry,
  asked: ReturnType<NonNullable<ReturnType<typeof readerAt>>>,
): boolean => {
  if (!asked) return false;
  return asked.actions.includes('create')
    ? entryType !== 'CHILD_DELEGATED'
    : asked.recordId === chainKey;
};

const jsonOf = (body: Uint8Array): JsonValue => {
  try {
    return JSON.parse(new TextDecoder().decode(body)) as JsonValue;
  } catch {
    return null;
  }
};

const pathIn = (block: CoSignature): string =>
  block.coverage === 'body' ? block.path : pathOf(block.targetUri);

const pathOf = (uri: string): string => (URL.canParse(uri) ? new URL(uri).pathname : '');

/** Who signed a body knows it already; so may an admin of its org, and the platform. */
const isSigner = (predicate: JsonObject, { caller }: RequestReader): boolean => {
  const actor = predicate['actor'];
  const { agentId, orgId } = isObject(actor) ? actor : {};
  return (
    typeof agentId === 'string' &&
    belongs(caller, agentId, typeof orgId === 'string' ? orgId : null)
  );
};

/** Members in which requests bring what an export shows only where it was asked for. */
const CONTENT: ReadonlySet<string> = new Set(['evidence', 'message', 'statement', 'grounds']);

/** At any depth, for requests differ; what cannot be read counts as content. */
const holdsContent = (body: Uint8Array): boolean => {
  if (body.length === 0) return false;
  try {
    return namesContent(JSON.parse(new TextDecoder().decode(body)) as JsonValue);
  } catch {
    return true;
  }
};

const namesContent = (value: JsonValue): boolean => {
  if (Array.isArray(value)) return value.some(namesContent);
  if (!isObject(value)) return false;
  return Object.entries(value).some(([name, inner]) => CONTENT.has(name) || namesContent(inner));
};
